//! File formats: each reads its bytes into one of the common forms.

pub mod csv;
