//! The labels along a side of a panel, cell by cell.

use super::drawn::{Drawn, Text, plain};
use gridscope::grid::Axis;
use gridscope_core::geom::Rect;
use gridscope_core::view::EdgeTable;

/// One side of a panel: the rows, or the columns.
pub struct Side<'a> {
    pub drawn: &'a Drawn,
    pub panel: usize,
    pub of_rows: bool,
}

/// Content of a cell.
pub struct Shown {
    pub cell: usize,
    pub text: String,
    /// Middle of the text along the axis, in pixels from the start of the body.
    pub at: f64,
    pub font: f64,
    /// Extent of an upright text along the axis.
    pub along: f64,
}

impl<'a> Side<'a> {
    fn body(&self) -> Rect {
        self.drawn.prepared.layout.panels[self.panel].body.rect()
    }

    pub fn axis(&self) -> &'a Axis {
        let panel = &self.drawn.prepared.frame.panels[self.panel];
        if self.of_rows { &panel.rows } else { &panel.columns }
    }

    fn table(&self) -> &'a EdgeTable {
        let panel = &self.drawn.prepared.layout.panels[self.panel];
        if self.of_rows { &panel.rows } else { &panel.columns }
    }

    pub fn label(&self, cell: usize) -> String {
        let axis = self.axis();
        axis.levels.last().map_or_else(|| axis.label(cell), |l| l[cell].clone())
    }

    pub fn middle(&self, cell: usize) -> f64 {
        let (a, b) = self.table().extent(cell);
        f64::midpoint(a, b)
    }

    pub fn length(&self) -> f64 {
        let body = self.body();
        if self.of_rows { body.h } else { body.w }
    }

    /// The point of a text that is at its cell, if the text is beside this side of the body: along the axis and away from
    /// the body, in pixels.
    fn place(&self, t: &Text) -> Option<(f64, f64)> {
        if t.in_body || t.title_of.is_some() || (self.of_rows && t.degrees != 0) {
            return None;
        }
        let (body, c) = (self.body(), &t.block.corners);
        let (along, away) = if self.of_rows {
            // The middle of the capitals is at the tick.
            let y = f64::midpoint(t.block.top(), t.block.bottom()) - 0.07 * t.font;
            (y - body.y, body.x - t.block.right())
        } else if t.degrees == 0 {
            let x = f64::midpoint(t.block.left(), t.block.right());
            (x - body.x, t.block.top() - body.bottom())
        } else {
            let end = |f: fn(&gridscope::Point) -> f64| f64::midpoint(f(&c[1]), f(&c[2]));
            let (along, away) = (end(|p| p.x) - body.x, end(|p| p.y) - body.bottom());
            // Further lines of a slanted label lie to the right of and below its first.
            let gap = 0.5 * self.drawn.prepared.frame.font_size - 0.1 * t.font;
            let back = if t.degrees == 90 { 0.0 } else { away - gap };
            (along - back, away)
        };
        let ems = match t.degrees {
            _ if self.of_rows => 1.6,
            0 => 6.0,
            90 => 1.6,
            _ => 4.5,
        };
        let near = -1.0..=ems * t.font;
        // Beside the track over a body, there is its title.
        let beyond = if self.of_rows { 0.6 } else { 0.8 };
        let inside = -beyond * t.font..=self.length() + beyond * t.font;
        (near.contains(&away) && inside.contains(&along)).then_some((along, away))
    }

    /// The cell that a text belongs to: the nearest, or the one it names among those as near as the eye can tell.
    fn cell_of(&self, along: f64, t: &Text) -> usize {
        let away = |i: &usize| (self.middle(*i) - along).abs();
        let all = 0..self.axis().len();
        let nearest = all.clone().min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0);
        let text = plain(&t.block.text);
        let is_named = |i: &usize| away(i) <= 2.0 + 0.15 * t.font && plain(&self.label(*i)) == text;
        if is_named(&nearest) { nearest } else { all.into_iter().find(is_named).unwrap_or(nearest) }
    }

    /// The texts beside the body by their cells; lines of one label are joined.
    pub fn shown(&self) -> Vec<Shown> {
        let mut lines: Vec<(usize, f64, f64, &Text)> = self
            .drawn
            .texts
            .iter()
            .filter_map(|t| self.place(t).map(|(along, away)| (self.cell_of(along, t), along, away, t)))
            .collect();
        // Under rotated labels there are the headers of groups and the title of the axis.
        if lines.iter().any(|l| l.3.degrees != 0) {
            lines.retain(|l| l.3.degrees != 0);
        }
        // Lines of one cell in the order of reading.
        lines.sort_by(|a, b| {
            let order = |l: &(usize, f64, f64, &Text)| {
                if self.of_rows || l.3.degrees == 90 { l.1 } else { l.2 }
            };
            a.0.cmp(&b.0).then(order(a).total_cmp(&order(b)))
        });
        let mut out = Vec::new();
        for group in lines.chunk_by(|a, b| a.0 == b.0) {
            let (first, wanted) = (&group[0], plain(&self.label(group[0].0)));
            let is_near =
                |l: &&(usize, f64, f64, &Text)| self.of_rows || l.3.degrees != 0 || l.2 <= 1.6 * l.3.font;
            if !is_near(&first) {
                continue;
            }
            let joined = |k: usize| group[..k].iter().map(|l| plain(&l.3.block.text)).collect::<String>();
            // Below a label there are also headers and the title of the axis.
            let many = if self.of_rows || first.3.degrees != 0 { group.len() } else { 1 };
            let count = (1..=group.len()).find(|k| joined(*k) == wanted).unwrap_or(many);
            let own = &group[..count];
            let span =
                |f: fn(&Text) -> f64, g: fn(f64, f64) -> f64| own.iter().map(|l| f(l.3)).reduce(g).unwrap();
            let at = if count > 1 && (self.of_rows || first.3.degrees != 0) {
                own.iter().map(|l| l.1).sum::<f64>() / count as f64
            } else {
                first.1
            };
            out.push(Shown {
                cell: first.0,
                text: joined(count),
                at,
                font: first.3.font,
                along: if self.of_rows {
                    span(|t| t.block.bottom(), f64::max) - span(|t| t.block.top(), f64::min)
                } else {
                    span(|t| t.block.right(), f64::max) - span(|t| t.block.left(), f64::min)
                },
            });
        }
        out
    }

    /// Panels whose labels may be read for this one: itself, then those in its row or column.
    pub fn readable(&self) -> Vec<usize> {
        let bodies = self.drawn.bodies();
        let own = bodies[self.panel];
        let is_level = |r: &Rect| {
            if self.of_rows { (r.y - own.y).abs() < 1.0 } else { (r.x - own.x).abs() < 1.0 }
        };
        let mut list: Vec<usize> = (0..bodies.len()).filter(|i| is_level(&bodies[*i])).collect();
        list.sort_by_key(|i| *i != self.panel);
        list
    }
}
