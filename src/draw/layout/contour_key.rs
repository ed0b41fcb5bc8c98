//! The key of contours: which of their levels are drawn is known when the values are.

use super::Label;
use gridscope_core::geom::PxRect;

/// A line of the key of contours.
#[derive(Clone, Debug, Default)]
pub struct ContourKey {
    /// From left to right.
    pub entries: Vec<KeyEntry>,
}

/// An entry of such a line.
#[derive(Clone, Debug)]
pub struct KeyEntry {
    /// Which level, from the lowest; none: the word that the key begins with.
    pub level: Option<usize>,
    /// The sample of its line.
    pub rect: PxRect,
    /// Its text.
    pub label: Label,
    /// Pixels to the next entry.
    pub advance: f64,
}

impl ContourKey {
    /// The entries of levels that are drawn, moved together; none where no level of the line is.
    pub fn drawn(&self, is_drawn: impl Fn(usize) -> bool) -> Vec<KeyEntry> {
        let stays = |e: &&KeyEntry| e.level.is_none_or(&is_drawn);
        if !self.entries.iter().any(|e| e.level.is_some_and(&is_drawn)) {
            return Vec::new();
        }
        let left_out = self.entries.iter().filter(|e| !stays(e));
        let mut x = left_out.map(|e| e.advance).sum::<f64>() / 2.0;
        let mut out = Vec::new();
        for entry in &self.entries {
            if !stays(&entry) {
                x -= entry.advance;
                continue;
            }
            let mut entry = entry.clone();
            entry.rect.x += x.round() as i32;
            entry.label.at.x += x.round();
            out.push(entry);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::geom::Point;

    #[test]
    fn levels_that_are_not_drawn_leave_no_gap() {
        let entry = |i: usize| KeyEntry {
            level: i.checked_sub(1),
            rect: PxRect { x: 20 * i as i32, y: 0, w: 5, h: 5 },
            label: Label {
                text: format!("{i}"),
                font_size: 10.0,
                at: Point { x: 20.0 * i as f64 + 8.0, y: 5.0 },
                degrees: 0,
            },
            advance: 20.0,
        };
        let key = ContourKey { entries: (0..4).map(entry).collect() };
        let at = |is_drawn: fn(usize) -> bool| -> Vec<(i32, f64)> {
            let drawn = key.drawn(is_drawn);
            drawn.iter().map(|e| (e.rect.x, e.label.at.x)).collect()
        };
        assert_eq!(at(|_| true), [(0, 8.0), (20, 28.0), (40, 48.0), (60, 68.0)]);
        assert_eq!(at(|i| i != 0), [(10, 18.0), (30, 38.0), (50, 58.0)]);
        assert_eq!(at(|i| i == 1), [(20, 28.0), (40, 48.0)]);
        assert!(at(|_| false).is_empty());
    }
}
