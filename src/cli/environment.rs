//! The environment that graphics drivers find.

use std::env;
use std::path::Path;

/// Variables by which people choose a device through Mesa's layer for that, or turn the layer off.
const CHOICES: [&str; 4] =
    ["NODEVICE_SELECT", "MESA_VK_DEVICE_SELECT", "MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE", "DRI_PRIME"];

/// Turns Mesa's device selection layer off where it would look for a Wayland display in vain: libwayland then prints
/// `error: XDG_RUNTIME_DIR is invalid or not set in the environment.`, which reads as if it were an error of ours.
///
/// Only for the beginning of the program, before any thread.
pub(super) fn quiet_drivers() {
    let has_folder = env::var_os("XDG_RUNTIME_DIR").is_some_and(|d| Path::new(&d).is_absolute());
    if has_folder || CHOICES.iter().any(|name| env::var_os(name).is_some()) {
        return;
    }
    // No other thread runs yet that could read the environment meanwhile.
    #[allow(unsafe_code)]
    unsafe {
        env::set_var("NODEVICE_SELECT", "1");
    }
}
