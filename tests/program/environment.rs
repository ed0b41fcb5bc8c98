//! Environments that lack something.

use crate::support::program::bare;

#[test]
fn a_missing_folder_for_sockets_is_no_error_of_ours() {
    for args in [
        &["devices"][..],
        &["render", "examples/figures/core_generalization.toml", "--backend", "gpu", "-o", "-"],
    ] {
        for folder in [None, Some(""), Some("relative")] {
            let mut program = bare();
            program.args(args).env_remove("XDG_RUNTIME_DIR");
            if let Some(folder) = folder {
                program.env("XDG_RUNTIME_DIR", folder);
            }
            let message = String::from_utf8(program.output().unwrap().stderr).unwrap();
            assert!(!message.contains("XDG_RUNTIME_DIR"), "{args:?} {folder:?}: {message}");
        }
    }
}
