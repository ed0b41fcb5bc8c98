//! Reads the lines that change a colour scale.

use super::error::LineError;
use super::fields::Fields;
use crate::state::Colors;
use gridscope_core::scale::{Colormap, NormSpec};
use gridscope_core::text::clean;

/// The change that a line describes; `None` for words that have nothing to do with colours.
pub(super) fn colors(word: &str, fields: &mut Fields<'_>) -> Result<Option<Colors>, LineError> {
    Ok(Some(match word {
        "map" | "cmap" => map(fields)?,
        "invert" => Colors::Invert,
        "norm" if fields.rest.is_empty() => Colors::NextNorm,
        "norm" => {
            let norm = fields.text("NORM")?;
            // Whether the figure has a centre is not known here, so a norm that needs one is accepted.
            norm.parse::<NormSpec>().map_err(|e| LineError::new(clean(&e.to_string())))?;
            Colors::Norm(norm)
        }
        "limits" if fields.flag("auto") => Colors::Auto,
        "limits" if fields.flag("view") => Colors::InView,
        "limits" => limits(fields)?,
        "center" if fields.flag("auto") => Colors::Center(None),
        "center" => Colors::Center(Some(fields.finite("a number or auto")?)),
        "vmin" => Colors::Low(fields.finite("a number")?),
        "vmax" => Colors::High(fields.finite("a number")?),
        "hide-below" => Colors::HideBelow(fields.finite("a number")?),
        "hide-above" => Colors::HideAbove(fields.finite("a number")?),
        "hide" if fields.flag("none") => Colors::HideNone,
        "hide" => return Err(fields.expected("'none'")),
        _ => return Ok(None),
    }))
}

/// Two limits, as values or as percentiles.
fn limits(fields: &mut Fields<'_>) -> Result<Colors, LineError> {
    let percent = fields.rest.split_whitespace().next().is_some_and(|w| w.ends_with('%'));
    let (low, high) = if percent {
        (fields.percent("LOW%")?, fields.percent("HIGH%")?)
    } else {
        (fields.finite("LOW, view or auto")?, fields.finite("HIGH")?)
    };
    let sign = if percent { "%" } else { "" };
    if low >= high {
        return Err(LineError::new(format_args!(
            "limits takes a LOW below HIGH, not {low}{sign} and {high}{sign}"
        )));
    }
    Ok(if percent { Colors::Percentiles(low, high) } else { Colors::Limits(low, high) })
}

fn map(fields: &mut Fields<'_>) -> Result<Colors, LineError> {
    if let Some(by) = fields.turned()? {
        return i32::try_from(by).map(Colors::Turn).map_err(|_| fields.expected("a smaller N"));
    }
    let name = fields.text("NAME")?;
    name.parse::<Colormap>().map_err(|e| LineError::new(clean(&e.to_string())))?;
    Ok(Colors::Map(name))
}
