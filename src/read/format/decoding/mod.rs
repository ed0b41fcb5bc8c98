//! Common parts of the decoders of Parquet and Arrow. Declarations of a file are checked before they are believed.

mod fault;
mod guard;
mod content;
mod codec;
mod value_type;
mod projection;

pub(crate) use codec::{Codec, believable, inflate};
pub(crate) use fault::Fault;
pub(crate) use gridscope_core::calendar::Resolution as Unit;
pub(crate) use guard::guarded;
pub use guard::is_decoding;
pub(crate) use projection::{Listed, project};
pub(crate) use value_type::ValueType;
