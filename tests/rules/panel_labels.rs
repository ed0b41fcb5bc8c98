//! Figures of several grids: every label of a body appears beside it, or beside the next panel outwards with an equal axis.

use crate::support::random::{Random, cases};
use gridscope::Fonts;
use gridscope::LintName;
use gridscope::figure::{BarPlace, Figure, PanelSpec, TickLabels, Toggle};
use gridscope::grid::{Axis, Grid, Values};
use gridscope_core::geom::Rect;
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_draw::render::{Prepared, prepare};

/// The number of random figures.
const CASES: u64 = 200;

/// How the axes of a figure relate to each other.
#[derive(Clone, Copy)]
enum Family {
    Names,
    Numbers,
    Index,
}

/// An axis: the common one, the same keys in another order or at other places, other keys, or only the first ones.
fn member(r: &mut Random, family: Family, n: usize, sigil: char) -> Axis {
    let which = r.within(0, 4);
    let texts = |of: &dyn Fn(usize) -> String, n: usize| (0..n).map(of).collect::<Vec<_>>();
    let key = |i: usize| format!("{sigil}{i}");
    let number = |i: usize| (i + 1).to_string();
    let centers = |of: &dyn Fn(usize) -> f64, n: usize| (0..n).map(of).collect::<Vec<_>>();
    match (family, which) {
        (Family::Names, 0 | 1) => Axis::category("k", texts(&key, n)),
        (Family::Names, 2) => Axis::category("k", texts(&|i| key(n - 1 - i), n)),
        (Family::Names, 3) => Axis::category("k", texts(&|i| format!("{sigil}other{i}"), n)),
        (Family::Names, _) => Axis::category("k", texts(&key, n - 1)),
        (Family::Numbers, 0 | 1) => Axis::number("k", centers(&|i| i as f64 + 1.0, n), texts(&number, n)),
        (Family::Numbers, 2) => Axis::number("k", centers(&|i| i as f64 + 1.25, n), texts(&number, n)),
        (Family::Numbers, 3) => Axis::number(
            "k",
            centers(&|i| i as f64 * 10.0 + 20.0, n),
            texts(&|i| (i * 10 + 20).to_string(), n),
        ),
        (Family::Numbers, _) => Axis::number("k", centers(&|i| i as f64 + 1.0, n - 1), texts(&number, n - 1)),
        (Family::Index, 0 | 1) => Axis::index("", n),
        (Family::Index, 2 | 3) => Axis::index("", n + 3).slice(3..n + 3),
        (Family::Index, _) => Axis::index("", n - 1),
    }
}

fn figure(r: &mut Random) -> (Figure, Vec<Grid>) {
    let panels = r.within(2, 6);
    let families = [Family::Names, Family::Numbers, Family::Index];
    let (of_rows, of_columns) = (families[r.within(0, 2)], families[r.within(0, 2)]);
    let (h, w) = (r.within(2, 5), r.within(2, 5));
    let grids = (0..panels)
        .map(|k| {
            let (rows, columns) = (member(r, of_rows, h, 'r'), member(r, of_columns, w, 'c'));
            let values = (0..rows.len() * columns.len()).map(|i| (i * k) as f64).collect();
            let mut grid = Grid::new(rows, columns, Values::F64(values), &[]).unwrap();
            grid.set_name(format!("panel {k}"));
            grid
        })
        .collect();
    let mut f = Figure {
        columns: Some(r.within(1, 3) as u32),
        tick_labels: (r.within(0, 4) == 0).then_some(TickLabels::Each),
        square: Some(Toggle::Off),
        ..Figure::default()
    };
    f.color.bar = Some([BarPlace::Right, BarPlace::Bottom, BarPlace::None][r.within(0, 2)]);
    f.color.scale = (r.within(0, 1) == 0).then(|| "panel".to_owned());
    f.x.rotate = Some(90);
    f.annotations.show = Some("off".parse().unwrap());
    f.size.dpi = Some(100.0);
    f.size.width = Some("12in".parse().unwrap());
    f.size.font_size = Some("8pt".parse().unwrap());
    (f, grids)
}

/// The drawn label of each cell.
fn labels(axis: &Axis) -> Vec<String> {
    (0..axis.len()).map(|i| axis.levels.last().map_or_else(|| axis.label(i), |l| l[i].clone())).collect()
}

/// Whether the labels of one axis are right for the cells of the other.
fn alike(a: &Axis, b: &Axis) -> bool {
    let centers = |axis: &Axis| (0..axis.len()).map(|i| axis.center(i)).collect::<Vec<_>>();
    a.kind == b.kind && labels(a) == labels(b) && centers(a) == centers(b)
}

/// The labels in the strip between a body and its neighbour, along one side of the body.
struct Strip<'a> {
    p: &'a Prepared,
    panel: usize,
    side: bool,
    /// The near edge of the neighbour.
    bound: f64,
}

impl Strip<'_> {
    fn body(&self) -> Rect {
        self.p.layout.panels[self.panel].body.rect()
    }

    fn table(&self) -> &EdgeTable {
        let panel = &self.p.layout.panels[self.panel];
        if self.side { &panel.rows } else { &panel.columns }
    }

    /// The texts in the strip, and the place of their middle along the body.
    fn texts(&self) -> Vec<(String, f64)> {
        let (b, f) = (self.body(), self.p.frame.font_size);
        let cap = 0.36 * f;
        let of_side = self.p.layout.texts.iter().filter(|t| t.degrees == if self.side { 0 } else { 90 });
        of_side
            .filter_map(|t| {
                let (x, y) = (t.at.x, t.at.y);
                let inside = if self.side {
                    x > self.bound && x < b.x && y > b.y && y < b.bottom() + cap
                } else {
                    y > b.bottom() && y <= self.bound && x > b.x && x < b.right() + cap
                };
                inside.then(|| (t.text.clone(), if self.side { y - cap - b.y } else { x - cap - b.x }))
            })
            .collect()
    }

    /// The labels that are not at their cells.
    fn lacking(&self, labels: &[String]) -> Vec<String> {
        let (texts, table) = (self.texts(), self.table());
        let at = |i: usize| f64::midpoint(table.extent(i).0, table.extent(i).1);
        let is_there = |i: usize| {
            texts
                .iter()
                .any(|(t, place)| *t == labels[i] && (place - at(i)).abs() < 0.1 * self.p.frame.font_size)
        };
        (0..labels.len()).filter(|i| !is_there(*i)).map(|i| labels[i].clone()).collect()
    }
}

/// Faults in the labels of a figure, the number of sides with labels of their own, and the number of those that
/// leave them to an outer panel.
fn faults(p: &Prepared, figure: &Figure, grids: &[Grid]) -> (Vec<String>, [usize; 2]) {
    let (n, c) = (grids.len(), figure.columns.unwrap() as usize);
    let body = |i: usize| p.layout.panels[i].body.rect();
    let (mut wrong, mut counts) = (Vec::new(), [0, 0]);
    for i in 0..n {
        for side in [true, false] {
            let axis = |k: usize| if side { grids[k].rows() } else { grids[k].columns() };
            // The next panel to the left, or the next one below.
            let outer = match side {
                true if i % c > 0 => i - 1,
                false if i + c < n => i + c,
                _ => i,
            };
            let bound = match side {
                true if i % c == 0 => 0.0,
                true => body(i - 1).right(),
                false if i + c < n => body(i + c).y,
                false => f64::MAX,
            };
            let strip = Strip { p, panel: i, side, bound };
            let what = format!("panel {i}, {}", if side { "rows" } else { "columns" });
            let own =
                outer == i || figure.tick_labels == Some(TickLabels::Each) || !alike(axis(i), axis(outer));
            counts[usize::from(!own)] += 1;
            if own {
                let lacking = strip.lacking(&labels(axis(i)));
                if !lacking.is_empty() {
                    wrong.push(format!("{what}: without {}", lacking.join(", ")));
                }
                continue;
            }
            // The labels of the outer panel must be beside the same cells.
            let other = Strip { p, panel: outer, side, bound };
            let (a, b) = (strip.body(), other.body());
            let start = |r: &Rect| if side { r.y } else { r.x };
            if start(&a) != start(&b)
                || (0..axis(i).len()).any(|k| strip.table().extent(k) != other.table().extent(k))
            {
                wrong.push(format!("{what}: cells do not align with those of panel {outer}"));
            }
            if !strip.texts().is_empty() {
                wrong.push(format!("{what}: labels that the outer panel has: {:?}", strip.texts()));
            }
        }
    }
    (wrong, counts)
}

#[test]
fn every_label_is_beside_its_body_or_the_next_one_with_an_equal_axis() {
    let cases = cases(CASES);
    let mut fonts = Fonts::new();
    let (mut failed, mut counts) = (Vec::new(), [0, 0]);
    for seed in 0..cases {
        let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (figure, grids) = figure(&mut r);
        let p = prepare(&figure, &grids, &mut fonts, &mut Phases::new()).unwrap();
        assert!(
            p.lints.0.iter().all(|l| l.name != LintName::TicksThinned),
            "seed {seed}: labels are thinned: {:?}",
            p.lints
        );
        let (wrong, found) = faults(&p, &figure, &grids);
        counts = [counts[0] + found[0], counts[1] + found[1]];
        failed.extend(wrong.first().map(|w| format!("seed {seed}: {} faults: {w}", wrong.len())));
    }
    assert!(failed.is_empty(), "{} of {cases} figures\n{}", failed.len(), failed.join("\n"));
    assert!(counts.iter().all(|n| 4 * *n as u64 > cases), "own and left to others: {counts:?}");
}

fn names(n: usize, name: &str) -> Axis {
    Axis::category(name, (0..n).map(|i| format!("k{i}")).collect())
}

fn grid(rows: Axis, columns: Axis, name: &str) -> Grid {
    let values = (0..rows.len() * columns.len()).map(|i| i as f64).collect();
    let mut grid = Grid::new(rows, columns, Values::F64(values), &[]).unwrap();
    grid.set_name(name);
    grid
}

#[test]
fn a_panel_that_shows_another_part_has_its_own_labels() {
    let grids = [grid(names(4, "k"), names(2, "k"), "p"), grid(names(4, "k"), names(2, "k"), "q")];
    let mut f = Figure { columns: Some(2), ..Figure::default() };
    f.annotations.show = Some("off".parse().unwrap());
    f.panels
        .insert("q".to_owned(), PanelSpec { view_y: Some("0:2".parse().unwrap()), ..PanelSpec::default() });
    let p = prepare(&f, &grids, &mut Fonts::new(), &mut Phases::new()).unwrap();
    let bound = p.layout.panels[0].body.rect().right();
    let beside: Vec<String> =
        Strip { p: &p, panel: 1, side: true, bound }.texts().into_iter().map(|t| t.0).collect();
    assert_eq!(beside, ["k0", "k1"]);
}

#[test]
fn warnings_about_labels_name_their_panel() {
    let long = Axis::category("k", (0..300).map(|i| format!("a long name {i}")).collect());
    let grids = [
        grid(names(3, "k"), names(3, "k"), "p"),
        grid(names(3, "k"), long.clone(), "q"),
        grid(names(3, "k"), long, "r"),
    ];
    let p = prepare(
        &Figure { columns: Some(3), ..Figure::default() },
        &grids,
        &mut Fonts::new(),
        &mut Phases::new(),
    )
    .unwrap();
    let thinned: Vec<_> =
        p.lints.0.iter().filter(|l| l.name == LintName::TicksThinned).map(|l| l.panel.as_deref()).collect();
    assert_eq!(thinned, [Some("q")]);
}

#[test]
fn an_axis_title_joins_the_names_of_all_axes() {
    let title = |called: &[&str]| {
        let grids: Vec<Grid> = called.iter().map(|name| grid(names(2, name), names(2, ""), name)).collect();
        prepare(&Figure::default(), &grids, &mut Fonts::new(), &mut Phases::new()).unwrap().frame.y.title
    };
    assert_eq!(title(&["model", "model"]), "model");
    assert_eq!(title(&["model", "city", "model"]), "model / city");
    assert_eq!(title(&["a", "b", "c", "d", "e"]), "a / b / c / …");
}
