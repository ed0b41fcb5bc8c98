//! The limits of a picture, for the pictures of the same data that follow it.

use super::overrides::Seen;
use super::scheme::Colours;
use gridscope_core::grid::Grid;

/// The limits that a picture shows.
pub fn limits(grids: &[Grid], colours: &Colours) -> Seen {
    let of = |p: &super::scheme::PanelColours| (p.scale.spec().vmin, p.scale.spec().vmax);
    grids.iter().zip(&colours.panels).map(|(g, p)| (g.name().to_owned(), of(p))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{PrepareOptions, prepare_with};
    use gridscope_core::figure::Figure;
    use gridscope_core::text::Fonts;
    use gridscope_core::timing::Phases;

    #[test]
    fn automatic_limits_only_widen_and_those_that_are_set_stay() {
        let grid = |a: f64, b: f64| [Grid::from_rows(1, 3, vec![a, b, f64::NAN]).unwrap()];
        let shown = |figure: &Figure, grids: &[Grid], seen: &Seen| {
            let options = PrepareOptions { seen: seen.clone(), ..PrepareOptions::default() };
            let prepared =
                prepare_with(figure, grids, &mut Fonts::new(), &mut Phases::new(), options).unwrap();
            limits(grids, &prepared.colours)
        };
        let mut figure = Figure::default();
        let seen = shown(&figure, &grid(1.0, 5.0), &Seen::new());
        assert_eq!(seen, [(String::new(), (1.0, 5.0))]);
        assert_eq!(shown(&figure, &grid(2.0, 9.0), &seen)[0].1, (1.0, 9.0));
        for (norm, grids, limits) in [
            // Of what a log norm cannot show nothing is remembered.
            ("log", grid(2.0, 9.0), (1.0, 9.0)),
            ("bounds:0,3,10", grid(2.0, 9.0), (0.0, 10.0)),
            ("centered", grid(-2.0, 1.0), (-5.0, 5.0)),
        ] {
            let mut figure = figure.clone();
            figure.color.norm = Some(norm.parse().unwrap());
            figure.color.center = Some(0.0);
            assert_eq!(shown(&figure, &grids, &seen)[0].1, limits, "{norm}");
        }
        let mut log = figure.clone();
        log.color.norm = Some("log".parse().unwrap());
        let below = vec![(String::new(), (-7.0, 3.0))];
        assert_eq!(shown(&log, &grid(2.0, 9.0), &below)[0].1, (2.0, 9.0));
        figure.color.vmax = Some(3.0);
        assert_eq!(shown(&figure, &grid(2.0, 9.0), &seen)[0].1, (1.0, 3.0));
    }
}
