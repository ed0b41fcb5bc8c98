//! Pseudo-random numbers for tests.

pub(crate) use gridscope_random::Random as Dice;
