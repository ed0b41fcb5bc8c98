//! Validation of the numbers of a figure: finite limits, angles, sizes.

use gridscope_core::figure::Figure;

/// Whether the numbers of a figure are in their ranges.
///
/// # Errors
/// The dotted key (`size.dpi`) and what is wrong with its value.
pub(super) fn check_numbers(figure: &Figure) -> Result<(), (String, String)> {
    let wrong = |key: &str, what: String| Err((key.to_owned(), what));
    if figure.columns == Some(0) {
        return wrong("columns", "columns must be 1 or more".to_owned());
    }
    for (key, axis) in [("x.rotate", &figure.x), ("y.rotate", &figure.y)] {
        if let Some(r) = axis.rotate.filter(|r| ![0, 45, 90].contains(r)) {
            return wrong(key, format!("labels turn by 0, 45 or 90 degrees, not {r}"));
        }
    }
    // A canvas without pixels is a matter of size, as one of too many is.
    if let Some(size) = figure.size.font_size.as_ref().filter(|l| l.is_zero()) {
        return wrong("size.font_size", format!("'{size}' leaves nothing to draw"));
    }
    if let Some(dpi) = figure.size.dpi.filter(|d| !(d.is_finite() && *d > 0.0)) {
        return wrong("size.dpi", format!("dpi is a number above 0, not {dpi}"));
    }
    let c = &figure.color;
    let lone = [
        ("color.vmin", c.vmin),
        ("color.vmax", c.vmax),
        ("color.center", c.center),
        ("color.hide_below", c.hide_below),
        ("color.hide_above", c.hide_above),
        ("data.nodata", figure.data.nodata),
    ];
    let mut given: Vec<(String, Option<f64>)> = lone.map(|(k, v)| (k.to_owned(), v)).into();
    for (name, p) in &figure.panels {
        given.extend(
            [
                ("vmin", p.vmin),
                ("vmax", p.vmax),
                ("center", p.center),
                ("hide_below", p.hide_below),
                ("hide_above", p.hide_above),
            ]
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
    use gridscope_core::figure::PanelSpec;

    fn key(edit: impl Fn(&mut Figure)) -> Option<String> {
        let mut f = Figure::default();
        edit(&mut f);
        check_numbers(&f).err().map(|e| format!("{}: {}", e.0, e.1))
    }

    #[test]
    fn wrong_numbers_are_named_by_their_key() {
        assert_eq!(key(|_| {}), None);
        assert!(key(|f| f.size.font_size = Some("0".parse().unwrap())).unwrap().contains("nothing to draw"));
        assert!(key(|f| f.x.rotate = Some(30)).unwrap().starts_with("x.rotate"));
        assert!(key(|f| f.columns = Some(0)).is_some());
        assert!(key(|f| f.size.dpi = Some(-1.0)).is_some() && key(|f| f.size.dpi = Some(f64::NAN)).is_some());
        assert!(key(|f| f.data.nodata = Some(f64::INFINITY)).unwrap().starts_with("data.nodata"));
        let panel = PanelSpec { vmin: Some(f64::NAN), ..Default::default() };
        assert!(
            key(|f| drop(f.panels.insert("A.B".into(), panel.clone())))
                .unwrap()
                .starts_with("panels.A.B.vmin")
        );
    }
}
