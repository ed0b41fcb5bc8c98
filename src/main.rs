//! The program: everything stands in the library.

fn main() -> std::process::ExitCode {
    gridscope::cli::main()
}
