//! The GPU back end against the CPU's, on whatever adapter the machine has.

#![allow(unreachable_pub, reason = "a test program has no public interface")]
#![cfg(feature = "gpu")]

#[path = "../support/mod.rs"]
mod support;

mod compiled;
mod faults;
mod fold;
mod hardware;
mod painted;
mod painter;
mod random_commands;
mod resting;
mod shaders;
mod wide;
