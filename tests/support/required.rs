//! What a machine that runs the tests must have: where a variable says so, a test fails instead of being skipped.

/// Whether a graphics adapter, and the tools that open a window on one, must be there: `GRIDSCOPE_REQUIRE_ADAPTER` is `1`.
pub fn adapter() -> bool {
    is_one("GRIDSCOPE_REQUIRE_ADAPTER")
}

/// Whether the programs that read PDF files must be there: `GRIDSCOPE_REQUIRE_TOOLS` is `1`.
pub fn tools() -> bool {
    is_one("GRIDSCOPE_REQUIRE_TOOLS")
}

fn is_one(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|v| v == "1")
}
