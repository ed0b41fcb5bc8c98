//! The stages one by one, each in a file: `cargo bench --bench stages -- fold` runs one of them.

#![allow(unreachable_pub, reason = "a benchmark has no public interface")]

mod data;
mod fold;
mod layout;
mod png;
mod readers;
mod shade;
mod text;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    benches,
    fold::benches,
    shade::benches,
    layout::benches,
    text::benches,
    readers::benches,
    png::benches
);
criterion_main!(benches);
