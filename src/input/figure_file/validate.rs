//! Validation of a figure beyond its types: colours, lengths, angles, names.

use crate::color::Color;
use crate::figure::{Figure, Length};

/// Any dpi does to tell whether a length reads.
const SOME_DPI: f64 = 100.0;

/// Whether every colour, length, number and lint name of the figure reads.
///
/// # Errors
/// The dotted key (`color.under`) and what is wrong with its value.
pub fn check_words(figure: &Figure) -> Result<(), (String, String)> {
    maps(figure)?;
    numbers(figure)?;
    let lengths: [(&str, &Option<Length>, &str); 4] = [
        ("linewidths", &figure.linewidths, "pt"),
        ("size.width", &figure.size.width, "px"),
        ("size.height", &figure.size.height, "px"),
        ("size.font_size", &figure.size.font_size, "pt"),
    ];
    for (key, length, bare) in lengths {
        let Some(l) = length
            .as_ref()
            .filter(|l| !(key == "size.height" && l.0 == "auto"))
        else {
            continue;
        };
        let px = l.pixels(SOME_DPI, bare).map_err(|what| (key.to_owned(), what))?;
        // A canvas without pixels is a matter of size, as one of too many is.
        if px == 0.0 && key == "size.font_size" {
            return Err((key.to_owned(), format!("'{}' leaves nothing to draw", l.0)));
        }
    }
    Ok(())
}

/// A map is a name, which the scale knows, or a list of colours.
fn maps(figure: &Figure) -> Result<(), (String, String)> {
    let strip = figure.strip.as_ref().map(|s| &s.cmap);
    let mut maps: Vec<(String, &Option<String>)> = vec![("color.cmap".to_owned(), &figure.color.cmap)];
    maps.extend(strip.map(|m| ("strip.cmap".to_owned(), m)));
    let own = figure.panels.iter();
    maps.extend(own.map(|(name, p)| (format!("panels.{name}.cmap"), &p.cmap)));
    for (key, text) in maps {
        for t in text
            .iter()
            .filter(|t| t.trim_start().starts_with('#'))
            .flat_map(|t| t.split(','))
        {
            t.parse::<Color>()
                .map_err(|what| (key.clone(), what.to_string()))?;
        }
    }
    Ok(())
}

fn numbers(figure: &Figure) -> Result<(), (String, String)> {
    let wrong = |key: &str, what: String| Err((key.to_owned(), what));
    if figure.columns == Some(0) {
        return wrong("columns", "columns must be 1 or more".to_owned());
    }
    for (key, axis) in [("x.rotate", &figure.x), ("y.rotate", &figure.y)] {
        if let Some(r) = axis.rotate.filter(|r| ![0, 45, 90].contains(r)) {
            return wrong(key, format!("labels turn by 0, 45 or 90 degrees, not {r}"));
        }
    }
    if let Some(dpi) = figure.size.dpi.filter(|d| !(d.is_finite() && *d > 0.0)) {
        return wrong("size.dpi", format!("dpi is a number above 0, not {dpi}"));
    }
    let c = &figure.color;
    let lone = [
        ("color.vmin", c.vmin),
        ("color.vmax", c.vmax),
        ("color.center", c.center),
        ("data.nodata", figure.data.nodata),
    ];
    let mut given: Vec<(String, Option<f64>)> = lone.map(|(k, v)| (k.to_owned(), v)).into();
    for (name, p) in &figure.panels {
        given.extend(
            [("vmin", p.vmin), ("vmax", p.vmax), ("center", p.center)]
                .map(|(k, v)| (format!("panels.{name}.{k}"), v)),
        );
    }
    match given.into_iter().find(|(_, v)| v.is_some_and(|v| !v.is_finite())) {
        Some((key, Some(v))) => wrong(&key, format!("{v} is not finite")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::PanelSpec;

    fn key(edit: impl Fn(&mut Figure)) -> Option<String> {
        let mut f = Figure::default();
        edit(&mut f);
        check_words(&f).err().map(|e| format!("{}: {}", e.0, e.1))
    }

    #[test]
    fn wrong_words_are_named_by_their_key() {
        assert_eq!(key(|_| {}), None);
        assert!(
            key(|f| f.color.cmap = Some("#fff,#zzz".into()))
                .unwrap()
                .starts_with("color.cmap")
        );
        assert_eq!(key(|f| f.color.cmap = Some("viridis_r".into())), None);
        assert!(
            key(|f| f.size.width = Some(Length("6 inches".into())))
                .unwrap()
                .starts_with("size.width")
        );
        assert!(
            key(|f| f.size.font_size = Some(Length("0".into())))
                .unwrap()
                .contains("nothing to draw")
        );
        assert_eq!(key(|f| f.size.height = Some(Length("auto".into()))), None);
        assert_eq!(key(|f| f.linewidths = Some(Length("0".into()))), None);
        assert!(key(|f| f.x.rotate = Some(30)).unwrap().starts_with("x.rotate"));
        assert!(key(|f| f.columns = Some(0)).is_some());
        assert!(key(|f| f.size.dpi = Some(-1.0)).is_some() && key(|f| f.size.dpi = Some(f64::NAN)).is_some());
        assert!(
            key(|f| f.data.nodata = Some(f64::INFINITY))
                .unwrap()
                .starts_with("data.nodata")
        );
        let panel = PanelSpec {
            vmin: Some(f64::NAN),
            ..Default::default()
        };
        assert!(
            key(|f| drop(f.panels.insert("A.B".into(), panel.clone())))
                .unwrap()
                .starts_with("panels.A.B.vmin")
        );
    }
}
