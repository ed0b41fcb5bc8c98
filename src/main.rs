//! The program, all of which is in the library.

fn main() -> std::process::ExitCode {
    gridscope::run_program()
}

/// Runs before the runtime of Rust does.
#[cfg(unix)]
#[allow(unsafe_code)]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn look() {
        gridscope_core::output::look_at_standard_output();
    }
    look
};
