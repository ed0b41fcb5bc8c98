//! The program as a whole, run as a child process: its commands, outputs, messages and exit codes.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

mod aggregates;
mod bar_and_page;
mod bench;
mod bench_flags;
mod bench_report;
mod cli;
mod compare;
mod compared;
mod databases;
mod derived;
mod devices;
mod dialects;
mod environment;
mod errors;
mod export;
mod faults;
mod forms;
mod margins;
mod marks;
mod metadata;
mod orders;
mod outputs;
mod panel_files;
mod panels;
#[cfg(unix)]
mod pixels;
mod preview;
mod questions;
mod readings;
mod tables;
mod tools;
mod texts;
mod warnings;
mod watch;
mod workbooks;
