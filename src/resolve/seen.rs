//! Limits that earlier states of the same data had: pictures of a run in work must not jump between them.

use super::scheme::Colours;
use crate::figure::Figure;
use crate::grid::Grid;

/// The limits of each panel by its name.
pub type Seen = Vec<(String, (f64, f64))>;

/// The limits that a picture shows.
pub fn limits(grids: &[Grid], colours: &Colours) -> Seen {
    let of = |p: &super::scheme::PanelColours| (p.scale.spec().vmin, p.scale.spec().vmax);
    grids
        .iter()
        .zip(&colours.panels)
        .map(|(g, p)| (g.name().to_owned(), of(p)))
        .collect()
}

/// From now on automatic limits of a figure are no narrower.
pub fn remember(figure: &mut Figure, seen: &Seen) {
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
        for (norm, grids, limits) in [
            // Of what a log norm cannot show nothing is remembered.
            ("log", grid(2.0, 9.0), (1.0, 9.0)),
            ("bounds:0,3,10", grid(2.0, 9.0), (0.0, 10.0)),
            ("centered", grid(-2.0, 1.0), (-5.0, 5.0)),
        ] {
            let figure = Figure {
                color: crate::figure::ColorSpec {
                    norm: Some(norm.to_owned()),
                    center: Some(0.0),
                    ..Default::default()
                },
                ..figure.clone()
            };
            assert_eq!(shown(&figure, &grids)[0].1, limits, "{norm}");
        }
        let mut below = figure.clone();
        below.panels.get_mut("").unwrap().seen = Some((-7.0, 3.0));
        below.color.norm = Some("log".to_owned());
        assert_eq!(shown(&below, &grid(2.0, 9.0))[0].1, (2.0, 9.0));
        figure.color.vmax = Some(3.0);
        assert_eq!(shown(&figure, &grid(2.0, 9.0))[0].1, (1.0, 3.0));
    }
}
