//! The program in failing surroundings: outputs that cannot be written, readers that go away, signals at any moment, odd
//! names, and no fonts, home or locale. A run ends with the right exit code and one error, and leaves no partial output.
#![cfg(unix)]

mod mount;
mod outputs;
mod readers;
mod killed;
mod pipes;
mod threads;
mod surroundings;
mod names;

/// Two by two keys, one missing, one twice: drawn with two warnings.
const TIDY: (&str, &str) = ("t.csv", "x,y,v\n1,1,5.5\n2,1,6\n1,2,7\n1,2,9\n");
