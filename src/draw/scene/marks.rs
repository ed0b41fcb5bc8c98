//! Marked cells: outlines of regions, dots, stars, hatches, and what of them is left out.

use super::Item;
use super::annotations::{cell, ink, smallest_cell};
use super::contours::Tiles;
use super::hatching::{Patch, Pen, by_cell, hatch};
use crate::layout::PanelLayout;
use crate::marking::{Marked, MarkedTile, PanelMarking, Tile, edge, outline_width};
use crate::resolve::{Colours, Frame, PanelCells, PanelFrame, PanelMark};
use gridscope_core::color::Color;
use gridscope_core::figure::{Contours, MarkStyle};
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::grid::{Grid, P_VALUES};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::scale::ColorScale;
use gridscope_core::text::Measure;
use std::collections::HashMap;
use std::f64::consts::PI;

/// Tiles under this many times the width of a tick, in either direction, are smaller than a symbol.
const SYMBOL: f64 = 6.0;
/// The radius of a symbol: at least this many times the width of a tick, at most this share of the font size.
const LEAST_RADIUS: f64 = 2.6;
/// The radius in tiles that are smaller than that.
const SMALL_RADIUS: f64 = 4.5;
const MOST_RADIUS: f64 = 0.55;
/// More symbols than this are no larger than their tiles.
const FEW: usize = 100;
/// The distance of both lines of bold letters in em.
const BOLD: f64 = 0.05;
/// The least radius of those, in pixels.
const LEAST_PIXELS: f64 = 0.8;

/// Where and how marks are painted.
pub(super) struct MarkPainter<'a> {
    pub panel: &'a PanelLayout,
    pub marking: &'a PanelMarking,
    pub frame: &'a PanelFrame,
    pub scale: &'a ColorScale,
    /// The width of ticks.
    pub line: f64,
    pub font: f64,
    /// Values are written into the cells, and symbols are beside them.
    pub annotated: bool,
    /// The colours of outlines and of their edges.
    pub outlines: (Color, Color),
    /// Hatches rise, because those of cells of few rows fall.
    pub rises: bool,
}

/// The colours of outlines and of their edges beside contours, which have them the other way round.
pub(super) fn inks_beside_contours(frame: &Frame) -> Option<(Color, Color)> {
    let contours = frame.contours.as_ref();
    contours
        .filter(|contours| **contours != Contours::Levels(Vec::new()))
        .map(|_| (Color::WHITE, Color::BLACK))
}

impl MarkPainter<'_> {
    fn tiles(&self) -> Tiles<'_> {
        Tiles { body: self.panel.body, columns: &self.marking.columns, rows: &self.marking.rows }
    }

    fn each(&self) -> impl Iterator<Item = (&PanelMark, &Marked)> {
        // The outlined extremes are painted apart.
        let is_own = |mark: &&PanelMark| !is_outlined_extreme(mark);
        self.frame.marks.iter().zip(&self.marking.marks).filter(move |(mark, _)| is_own(mark))
    }

    /// Hatches, which leave the texts of cells free.
    pub(super) fn under(&self, texts: &[Item], m: &mut dyn Measure, items: &mut Vec<Item>) {
        let hatched = self.each().filter(|(mark, _)| mark.style == MarkStyle::Hatch);
        let hatched: Vec<&Marked> = hatched
            .map(|(_, marked)| marked)
            .filter(|marked| marked.count <= marked.tiles.len() as u64)
            .collect();
        if hatched.iter().all(|marked| marked.tiles.is_empty()) {
            return;
        }
        let texts = match self.panel.reduces() {
            true => HashMap::new(),
            false => by_cell(self.panel, texts, m),
        };
        let tiles = self.tiles();
        for marked in hatched {
            let patch = |tile: &MarkedTile| {
                let first = |own: &Tile| own.cells[0] as usize;
                let place = (
                    first(&self.marking.rows[tile.row as usize]),
                    first(&self.marking.columns[tile.column as usize]),
                );
                Patch {
                    rect: tiles.rect(tile.row, [tile.column, tile.column + 1]),
                    ink: tile.value.map_or(Color::BLACK, |v| ink(self.scale, v)),
                    hole: texts.get(&place).copied(),
                }
            };
            let patches: Vec<Patch> = marked.tiles.iter().map(patch).collect();
            let pen = pen(self.line, self.rises);
            hatch(&patches, pen, items);
        }
    }

    /// The values of cells in bold: a second time, a little beside the first.
    pub(super) fn bold(&self, texts: &[Item], items: &mut Vec<Item>) {
        for (_, marked) in self.each().filter(|(mark, _)| mark.style == MarkStyle::Bold) {
            for cell in marked.tiles.iter().map(|tile| self.cell(tile)) {
                let again = texts.iter().filter_map(|item| match item {
                    Item::Text { text, font_size, at, degrees, color } => {
                        let is_own = cell.contains(&Rect::new(at.x, at.y, 0.0, 0.0), 0.0);
                        let at = Point { x: at.x + (BOLD * font_size).max(0.6), ..*at };
                        let (text, font_size) = (text.clone(), *font_size);
                        is_own.then_some(Item::Text { text, font_size, at, degrees: *degrees, color: *color })
                    }
                    _ => None,
                });
                items.extend(again);
            }
        }
    }

    /// Outlines and symbols.
    pub(super) fn over(&self, items: &mut Vec<Item>) {
        let tiles = self.tiles();
        let has_symbols = |mark: &PanelMark| matches!(mark.style, MarkStyle::Dot | MarkStyle::Star);
        let kinds = self.each().filter(|(mark, _)| has_symbols(mark)).count();
        let mut place = Corner::first(self.annotated || kinds > 1);
        for (mark, marked) in self.each() {
            match mark.style {
                MarkStyle::Outline => {
                    let width = (outline_width(self.line), edge(self.line));
                    tiles.paint(&marked.outline, width, self.outlines, items);
                }
                MarkStyle::Hatch | MarkStyle::Bold => {}
                _ => {
                    if !has_all(marked) {
                        continue;
                    }
                    let crowded = marked.tiles.len() > FEW;
                    for tile in &marked.tiles {
                        self.symbol(mark.style, tile, place, crowded, items);
                    }
                    place = place.next();
                }
            }
        }
    }

    fn symbol(
        &self,
        style: MarkStyle,
        tile: &MarkedTile,
        place: Corner,
        crowded: bool,
        items: &mut Vec<Item>,
    ) {
        let r = self.cell(tile);
        let side = r.w.min(r.h);
        let least = if side < SYMBOL * self.line {
            // Many symbols that are larger than their tiles would hide where they are.
            if crowded { (side / 2.0).max(LEAST_PIXELS) } else { SMALL_RADIUS * self.line }
        } else {
            LEAST_RADIUS * self.line
        };
        let most =
            if crowded && side < SYMBOL * self.line { least } else { (MOST_RADIUS * self.font).max(least) };
        let (c, radius) = match place {
            Corner::Middle => (r.center(), (0.36 * side).clamp(least, most)),
            Corner::At(x, y) => {
                let radius = (0.16 * side).clamp(least, most);
                let reach = |size: f64| (size / 2.0 - 1.3 * radius).max(0.0);
                let c = Point { x: r.center().x + x * reach(r.w), y: r.center().y + y * reach(r.h) };
                (c, radius)
            }
        };
        let body = self.panel.body.rect();
        if !body.contains(&Rect::new(c.x, c.y, 0.0, 0.0), 0.0) {
            return;
        }
        let color = tile.value.map_or(Color::BLACK, |v| ink(self.scale, v));
        painted(style, c, radius, color, edge(self.line), items);
    }

    /// The cell of a tile, whole where the body cuts it; of pixels that cover several cells the tile.
    fn cell(&self, tile: &MarkedTile) -> Rect {
        let (column, row) =
            (self.marking.columns[tile.column as usize], self.marking.rows[tile.row as usize]);
        let body = self.panel.body.rect();
        let side = |own: Tile, table: &gridscope_core::view::EdgeTable| match own.cells[1] - own.cells[0] {
            1 => table.extent(own.cells[0] as usize),
            _ => (f64::from(own.pixels[0]), f64::from(own.pixels[1])),
        };
        let ((x0, x1), (y0, y1)) = (side(column, &self.panel.columns), side(row, &self.panel.rows));
        Rect::new(body.x + x0, body.y + y0, x1 - x0, y1 - y0)
    }

    /// Reports marks that are not painted.
    pub(super) fn report(&self, lints: &mut Lints) {
        for (mark, marked) in self.each() {
            let named = mark.key.as_deref().unwrap_or(&mark.text);
            let is_whole = self.frame.part_x.or(self.frame.part_y).is_none();
            let unseen = is_whole && marked.count == 0;
            let none = marked.census.as_ref().map_or(unseen, |census| census.count == 0);
            if none && !matches!(mark.cells, PanelCells::Nothing) {
                let text = format!("no cell is marked by '{named}'");
                lints.add_panel(LintName::MarksHidden, &self.frame.name, 0, text);
                continue;
            }
            let of = |what: &str| format!("'{named}' marks {} {what}", marked.count);
            let (text, hint) = match mark.style {
                MarkStyle::Outline if marked.pieces > 0 && marked.outline.is_empty() => {
                    let text = format!(
                        "the outline of '{named}' has {} straight pieces, too many to tell apart",
                        marked.pieces
                    );
                    (text, "--mask, or a condition that fewer cells meet")
                }
                MarkStyle::Hatch if marked.count > marked.tiles.len() as u64 => {
                    (of("places, too many to hatch"), "a style of outline")
                }
                MarkStyle::Bold if !self.annotated => {
                    (of("values, which are not written"), "--annot on, or a style of outline")
                }
                MarkStyle::Dot | MarkStyle::Star if !has_all(marked) => {
                    (of("places, too many for symbols"), "a style of outline")
                }
                _ => continue,
            };
            lints.add_panel(LintName::MarksHidden, &self.frame.name, marked.count, text).hint(hint);
        }
    }
}

/// Whether all tiles of a mark are known: some symbols only would say that the others have none.
fn has_all(marked: &Marked) -> bool {
    marked.count <= marked.tiles.len() as u64
}

/// Where in its cell a symbol is.
#[derive(Clone, Copy, Debug)]
enum Corner {
    /// In the middle.
    Middle,
    /// In a corner, clear of values and of other symbols: right or left, lower or upper.
    At(f64, f64),
}

impl Corner {
    fn first(is_shared: bool) -> Self {
        if is_shared { Self::At(1.0, -1.0) } else { Self::Middle }
    }

    /// That of the next kind of symbol.
    fn next(self) -> Self {
        match self {
            Self::Middle => Self::Middle,
            Self::At(x, y) => Self::At(-x, if x < 0.0 { -y } else { y }),
        }
    }
}

/// The lines of hatched marks, which rise beside those of cells of few rows: bolder than those of cells of few rows.
fn pen(line: f64, rises: bool) -> Pen {
    Pen { step: (5.0 * line).max(5.5), width: (1.2 * line).max(1.2), rises }
}

/// Whether a mark is the outline of extremes, which has a line of its own in each.
pub(super) fn is_outlined_extreme(mark: &PanelMark) -> bool {
    matches!(mark.cells, PanelCells::Max | PanelCells::Min) && mark.style == MarkStyle::Outline
}

/// A symbol in a colour with a thin edge in the other one.
fn painted(style: MarkStyle, c: Point, radius: f64, color: Color, edge: f64, items: &mut Vec<Item>) {
    let around = if color == Color::BLACK { Color::WHITE } else { Color::BLACK };
    match style {
        MarkStyle::Dot => {
            dot(c, 0.6 * radius + edge, around, items);
            dot(c, 0.6 * radius, color, items);
        }
        _ => {
            // The edge of a tip is thrice as long as wide.
            star(c, radius + 2.2 * edge, around, items);
            star(c, radius, color, items);
        }
    }
}

/// The swatch of a key, in an ink and that of its edge.
pub(super) fn swatch(
    style: MarkStyle,
    rect: &PxRect,
    line: f64,
    rises: bool,
    ink: Color,
    around: Color,
    items: &mut Vec<Item>,
) {
    let r = rect.rect();
    let radius = 0.5 * r.h;
    match style {
        MarkStyle::Dot => dot(r.center(), 0.6 * radius, ink, items),
        MarkStyle::Star => star(r.center(), 1.15 * radius, ink, items),
        MarkStyle::Hatch => {
            let patch = Patch { rect: r, ink, hole: None };
            hatch(&[patch], pen(line, rises), items);
            frame(&r, (line / 2.0).round().max(1.0), ink, items);
        }
        MarkStyle::Outline | MarkStyle::Bold => {
            let (width, edge) = (outline_width(line), edge(line));
            if around != ink {
                frame(&r.grown(edge), width + 2.0 * edge, around, items);
            }
            frame(&r, width, ink, items);
        }
    }
}

fn frame(rect: &Rect, width: f64, color: Color, items: &mut Vec<Item>) {
    items.extend(rect.edges(width).map(|rect| Item::Rect { rect, color }));
}

/// The middle of an asterisk over its baseline, in em.
const MIDDLE: f64 = 0.55;
/// The smallest stars, as a share of the smallest other text: they have no small parts.
const LEAST: f64 = 0.6;

/// Writes the stars of all panels in one size, or reports that they do not fit.
pub(super) fn stars(
    frame: &Frame,
    panels: &[PanelLayout],
    colours: &Colours,
    grids: &[Grid],
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
    lints: &mut Lints,
) {
    let tested: Vec<usize> = (0..grids.len())
        .filter(|i| grids[*i].fields().contains_key(P_VALUES) && grids[*i].is_loaded())
        .collect();
    let mut found = Vec::new();
    for &i in &tested {
        let (grid, p) = (&grids[i], &panels[i]);
        for (row, column) in p.rows.shown().flat_map(|r| p.columns.shown().map(move |c| (r, c))) {
            let text = grid.stars(row * grid.width() + column);
            if let Some(value) = grid.at(row, column).value().filter(|_| !text.is_empty()) {
                found.push((i, row, column, text, ink(&colours.panels[i].scale, value)));
            }
        }
    }
    let Some(longest) = found.iter().map(|f| f.3).max_by_key(|text| text.len()) else {
        return;
    };
    let smallest = tested.iter().map(|i| smallest_cell(&panels[*i]));
    let (wide, high) = smallest.fold((f64::MAX, f64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1)));
    let font = frame.font_size.min(0.95 * wide / m.size(longest, 1.0).width).min(1.6 * high);
    if font < LEAST * frame.least_font {
        let n = found.len();
        let text = format!("the stars of {n} cells do not fit");
        lints.add(LintName::AnnotationsHidden, n as u64, text).hint("a larger --width or --height");
        return;
    }
    for (i, row, column, text, color) in found {
        let at = cell(&panels[i], row, column).center();
        let width = m.size(text, font).width;
        items.push(Item::Text {
            text: text.to_owned(),
            font_size: font,
            at: Point { x: at.x - width / 2.0, y: at.y + MIDDLE * font },
            degrees: 0,
            color,
        });
    }
}

/// The inner radius of a star as a share of the outer one.
const INNER: f64 = 0.4;
/// Corners of a dot, an even number.
const CORNERS: u32 = 16;

fn corner(c: Point, radius: f64, angle: f64) -> Point {
    Point { x: c.x + radius * angle.sin(), y: c.y - radius * angle.cos() }
}

/// A filled star with five points about a centre, one up.
pub(super) fn star(c: Point, radius: f64, color: Color, items: &mut Vec<Item>) {
    for k in 0..5 {
        let angle = 2.0 * PI * f64::from(k) / 5.0;
        let inner = |turn: f64| corner(c, INNER * radius, angle + turn * PI);
        // Each quarter reaches over the centre, so that no seam is seen between two.
        let points = vec![corner(c, radius, angle), inner(0.2), inner(1.0), inner(-0.2)];
        items.push(Item::Polygon { points, color });
    }
}

/// A filled dot about a centre.
pub(super) fn dot(c: Point, radius: f64, color: Color, items: &mut Vec<Item>) {
    let at = |k: u32| corner(c, radius, 2.0 * PI * f64::from(k) / f64::from(CORNERS));
    // Bands through the centre, each over half of the next.
    for k in 0..CORNERS / 2 {
        let points = vec![at(k), at(k + 2), at(k + CORNERS / 2), at(k + 2 + CORNERS / 2)];
        items.push(Item::Polygon { points, color });
    }
}
