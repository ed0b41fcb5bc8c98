//! Variables by which a test fails, instead of being skipped, if the machine lacks something.

/// Whether a graphics adapter and the tools for windows are required: `GRIDSCOPE_REQUIRE_ADAPTER` is `1`.
pub fn adapter() -> bool {
    is_one("GRIDSCOPE_REQUIRE_ADAPTER")
}

/// Whether the programs that read PDF files are required: `GRIDSCOPE_REQUIRE_TOOLS` is `1`.
pub fn tools() -> bool {
    is_one("GRIDSCOPE_REQUIRE_TOOLS")
}

fn is_one(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|v| v == "1")
}
