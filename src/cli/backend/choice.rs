//! The chosen back end, and why it was chosen.

/// The back end of a picture, for `--json`.
pub(crate) struct BackendChoice {
    /// `cpu` or `gpu`.
    pub name: &'static str,
    /// The name of the device; empty on the CPU.
    pub adapter: String,
    /// The driver of the device; empty on the CPU.
    pub driver: String,
    /// Where pixels of several cells were folded: `cpu` or `gpu`.
    pub fold: &'static str,
    /// Why this back end was chosen.
    pub why: String,
}

impl BackendChoice {
    /// The CPU, for this reason.
    pub(crate) fn cpu(why: impl Into<String>) -> Self {
        BackendChoice {
            name: "cpu",
            adapter: String::new(),
            driver: String::new(),
            fold: "cpu",
            why: why.into(),
        }
    }
}
