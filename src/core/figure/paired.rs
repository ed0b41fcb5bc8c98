//! Tests of paired replicates.

use crate::notation::words;

words! {
    /// The test of paired replicates.
    PairedTest {
        /// Wilcoxon's signed-rank test.
        #[default] Wilcoxon = "wilcoxon",
        /// Student's t-test of the differences.
        T = "t",
    }
}

impl PairedTest {
    /// Its name in a note.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wilcoxon => "Wilcoxon signed-rank",
            Self::T => "paired t",
        }
    }
}
