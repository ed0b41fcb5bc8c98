//! The places of titles of rows and columns of panels.

use super::facet_titles::ROW_TITLE_GAP;
use super::measure::LEADING;
use super::sheet::Sheet;
use gridscope_core::geom::Rect;
use gridscope_core::text::CAP_HEIGHT;

impl Sheet<'_> {
    /// Places the title of a column of panels over the bodies of the first row, which are at `x` and below `top`.
    pub(super) fn column_title(&mut self, column: usize, x: f64, top: f64) {
        let p = self.page;
        let Some(lines) = p.column_titles.get(column) else {
            return;
        };
        let font = p.fonts.panel;
        let bottom = top + p.above_first - p.above + p.pad / 2.0;
        let first = bottom - (0.55 + lines.len().saturating_sub(1) as f64 * LEADING) * font;
        let (inner, (left, right)) = (self.inner(), p.title_reach(self.frame, column));
        let wide = p.widest_body(column);
        let over = ((x - left).max(inner.0), (x + wide + right).min(inner.1));
        self.centered(lines, font, x + wide / 2.0, first, over);
    }

    /// Places the title of a row of panels right of its bodies, which end at `right`; the row begins at `top`.
    pub(super) fn row_title(&mut self, row: usize, right: f64, top: f64) {
        let p = self.page;
        let Some(lines) = p.row_titles.get(row) else {
            return;
        };
        let font = p.fonts.axis;
        let body = p.tallest_body(row);
        let middle = top + p.above_of(row) + p.pad / 2.0 + body / 2.0;
        let along = Rect::new(right, top, 0.0, p.above_of(row) + p.pad + body);
        let start = right + p.right[p.columns - 1] - p.row_titles_depth;
        if p.level_row_titles {
            let y = middle + CAP_HEIGHT * font / 2.0;
            lines.iter().for_each(|line| self.text(line, font, start + ROW_TITLE_GAP * font, y, 0));
            return;
        }
        for (i, line) in lines.iter().enumerate() {
            let y = self.upright(line, font, middle, &along);
            let x = start + (ROW_TITLE_GAP + 0.8 + i as f64 * LEADING) * font;
            self.text(line, font, x, y, 90);
        }
    }
}
