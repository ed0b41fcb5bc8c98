//! Limits that earlier states of the same data had: pictures of a run in work must not jump between them.

use super::scheme::Colours;
use crate::figure::Figure;
use crate::grid::Grid;

/// The limits of each panel by its name.
pub type Seen = Vec<(String, (f64, f64))>;

/// The limits that a picture shows.
pub fn limits(grids: &[Grid], colours: &Colours) -> Seen {
    let of = |p: &super::scheme::PanelColours| (p.scale.spec().vmin, p.scale.spec().vmax);
    grids.iter().zip(&colours.panels).map(|(g, p)| (g.name.clone(), of(p))).collect()
}

/// From now on automatic limits of a figure are no narrower.
pub fn remember(figure: &mut Figure, seen: &Seen) {
    let Some((_, first)) = seen.first() else { return };
    if seen.iter().all(|(_, limits)| limits == first) {
        figure.color.seen = Some(*first);
        return;
    }
    for (name, limits) in seen {
        figure.panels.entry(name.clone()).or_default().seen = Some(*limits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::prepare;
    use crate::text::Fonts;
    use crate::timing::Phases;

    #[test]
    fn automatic_limits_only_widen_and_those_that_are_set_stay() {
        let grid = |a: f64, b: f64| [Grid::from_rows(1, 3, vec![a, b, f64::NAN]).unwrap()];
        let shown = |figure: &Figure, grids: &[Grid]| {
            let prepared = prepare(figure, grids, &mut Fonts::new(), &mut Phases::new()).unwrap();
            limits(grids, &prepared.colours)
        };
        let mut figure = Figure::default();
        let seen = shown(&figure, &grid(1.0, 5.0));
        assert_eq!(seen, [(String::new(), (1.0, 5.0))]);
        remember(&mut figure, &seen);
        assert_eq!(shown(&figure, &grid(2.0, 9.0))[0].1, (1.0, 9.0));
        figure.color.vmax = Some(3.0);
        assert_eq!(shown(&figure, &grid(2.0, 9.0))[0].1, (1.0, 3.0));
    }
}
