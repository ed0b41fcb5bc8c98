//! Shares, scores and comparisons: equal to those of pandas, and what is not a number in any of them.

mod pandas;
mod states;
