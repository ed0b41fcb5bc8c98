//! Which back end drew a picture, and why.

/// The back end of a picture, for `--json`.
pub struct BackendChoice {
    /// `cpu` or `gpu`.
    pub name: &'static str,
    /// The device.
    pub adapter: String,
    /// Its driver.
    pub driver: String,
    /// Where pixels of several cells were folded: `cpu` or `gpu`.
    pub fold: &'static str,
    /// Why this one.
    pub why: String,
}

impl BackendChoice {
    pub fn cpu(why: impl Into<String>) -> Self {
        BackendChoice {
            name: "cpu",
            adapter: String::new(),
            driver: String::new(),
            fold: "cpu",
            why: why.into(),
        }
    }
}
