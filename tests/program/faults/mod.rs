//! The program where its surroundings fail: outputs that cannot be written, readers that go away, signals at any moment, odd
//! names, and no fonts, home or locale. A run ends with the right exit code, says why once, and leaves nothing half done.
#![cfg(unix)]

mod place;
mod mount;
mod outputs;
mod readers;
mod killed;
mod pipes;
mod threads;
mod surroundings;
mod names;
