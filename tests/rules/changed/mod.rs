//! Shares, scores and comparisons: equal to those of pandas, and what is no number in any of them.

mod pandas;
mod states;
