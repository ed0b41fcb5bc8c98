//! A figure of nothing but its colour bars.

use super::flow::wrap;
use super::measure::{BarTexts, bar_width, lying};
use super::page::Page;
use super::plan::Sheet;
use crate::resolve::Frame;
use gridscope_core::geom::Rect;
use gridscope_core::text::Measure;

/// Length of a bar whose figure has no size, in em.
const LENGTH: f64 = 20.0;
/// Gap before a bar, in em.
const GAP: f64 = 0.9;
/// Room beyond the ends of a bar for half a label, in em.
const END: f64 = 0.7;

/// Whether bars lie: the figure's size, of which either side may be open, is wider than high.
fn lies(size: [Option<f64>; 2]) -> bool {
    match size {
        [Some(width), Some(height)] => width > height,
        [width, _] => width.is_some(),
    }
}

/// The page of the bars alone: a side that was not given is as long as they need.
pub(super) fn page_of_bars(
    frame: &Frame,
    size: [Option<f64>; 2],
    mut page: Page,
    m: &mut dyn Measure,
) -> Page {
    let (font, margin) = (page.fonts.tick, page.margin);
    let [width, height] = size;
    let ends = 2.0 * (margin + END * font);
    let long = if lies(size) { width } else { height };
    let long = long.unwrap_or((LENGTH * font + ends).round());
    for (texts, bar) in page.bars.iter_mut().zip(&frame.bars) {
        texts.label = wrap(&bar.title(), page.fonts.axis, long - ends, m);
    }
    // The first bar has no gap before it.
    let deep = (2.0 * margin + depths(frame, &page, size).iter().sum::<f64>() - GAP * font).round();
    (page.width, page.height) =
        if lies(size) { (long, height.unwrap_or(deep)) } else { (width.unwrap_or(deep), long) };
    page
}

/// The pixels of each bar across its length, with its gap, labels and title.
fn depths(frame: &Frame, page: &Page, size: [Option<f64>; 2]) -> Vec<f64> {
    let depth = |(b, texts): (usize, &BarTexts)| match lies(size) {
        true => lying(&page.fonts, texts),
        false => bar_width(frame, &page.fonts, b, texts),
    };
    page.bars.iter().enumerate().map(depth).collect()
}

impl Sheet<'_> {
    /// Places the bars: upright ones beside each other, others under each other, in the middle of the page.
    pub(super) fn bars_alone(&mut self, size: [Option<f64>; 2]) {
        let (f, margin) = (self.f, self.page.margin);
        let (width, height) = (self.page.width, self.page.height);
        let end = margin + END * f;
        let depths = depths(self.frame, self.page, size);
        let all = depths.iter().sum::<f64>() - GAP * f;
        if lies(size) {
            // The body of which a horizontal bar takes four fifths.
            let body = Rect::new(end - (width - 2.0 * end) / 8.0, 0.0, (width - 2.0 * end) * 1.25, 0.0);
            let mut y = ((height - all) / 2.0).max(margin) - GAP * f;
            for (b, depth) in depths.into_iter().enumerate() {
                self.horizontal_bar(b, y, &body, (margin, width - margin));
                y += depth;
            }
        } else {
            let body = Rect::new(0.0, end, 0.0, (height - 2.0 * end).max(1.0));
            let mut x = ((width - all) / 2.0).max(margin) - GAP * f;
            for (b, depth) in depths.into_iter().enumerate() {
                self.vertical_bar(b, x, &body, &body);
                x += depth;
            }
        }
    }
}
