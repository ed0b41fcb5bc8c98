//! Errors of the GPU back end.

use gridscope_core::grid::SourceError;
use std::fmt;

/// Why a GPU could not draw.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter fits the preference, or none was found.
    NoAdapter {
        /// The names of the adapters found.
        found: Vec<String>,
        /// Advice.
        hint: String,
    },
    /// The device could not be opened, or refused a command.
    Device(String),
    /// The device has too little memory.
    OutOfMemory(String),
    /// The device was lost or did not respond; a new one may draw the same picture.
    Lost(String),
    /// Something exceeds a limit of the device.
    Limit {
        /// Limited quantity, with its unit.
        what: &'static str,
        /// How much is needed.
        need: u64,
        /// How much there is.
        limit: u64,
    },
    /// Text could not be drawn, for example a glyph larger than any texture.
    Text(String),
    /// A grid's cells could not be read for the device.
    Source(SourceError),
    /// A call that does not match the grids on the device.
    Misuse(String),
}

impl GpuError {
    /// Advice.
    pub fn hint(&self) -> Option<&str> {
        match self {
            GpuError::NoAdapter { hint, .. } => Some(hint),
            GpuError::OutOfMemory(_) | GpuError::Limit { .. } => {
                Some("--backend cpu draws without a graphics device")
            }
            _ => None,
        }
    }
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::NoAdapter { found, .. } if found.is_empty() => f.write_str("no graphics device found"),
            GpuError::NoAdapter { found, .. } => {
                write!(f, "no graphics device fits; found: {}", found.join(", "))
            }
            GpuError::Device(text) => write!(f, "graphics device: {text}"),
            GpuError::OutOfMemory(text) => write!(f, "out of graphics memory: {text}"),
            GpuError::Lost(text) => write!(f, "graphics device lost: {text}"),
            GpuError::Limit { what, need, limit } => {
                write!(f, "{what}: {need} needed, the graphics device allows {limit}")
            }
            GpuError::Source(e) => write!(f, "{e}"),
            GpuError::Misuse(text) => f.write_str(text),
            GpuError::Text(text) => write!(f, "text on the graphics device: {text}"),
        }
    }
}

impl std::error::Error for GpuError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GpuError::Source(e) => Some(e),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_need_and_limit_and_what_was_found() {
        let limit = GpuError::Limit { what: "pixels a side", need: 70_000, limit: 16_384 };
        assert_eq!(limit.to_string(), "pixels a side: 70000 needed, the graphics device allows 16384");
        let none =
            GpuError::NoAdapter { found: vec!["llvmpipe".to_owned()], hint: "leave --device out".to_owned() };
        assert_eq!((none.to_string().contains("llvmpipe"), none.hint()), (true, Some("leave --device out")));
    }
}
