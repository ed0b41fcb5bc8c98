//! The views that are drawn: standard ones, those of a file, and a scene of labels.

use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxSize};
use gridscope_core::view::EdgeTable;
use gridscope_draw::scene::{Item, Scene};
use gridscope_read::{InputError, Place, read_file};
use serde_json::Value;
use std::path::Path;

/// The most bytes of a file of views.
const MOST_BYTES: u64 = 64 << 20;
/// The frames in which a pan moves by the width of its view: a second in a window.
const FRAMES_A_WIDTH: f64 = 60.0;
/// The side of the middle view as a share of the grid's.
const MIDDLE: f64 = 0.25;

/// A part of a grid in cells: columns `x0..x1` and rows `y0..y1`, fractions allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    pub x0: f64,
    pub x1: f64,
    pub y0: f64,
    pub y1: f64,
}

impl View {
    /// The columns and the rows that each pixel of a body covers, on a grid of `columns` x `rows` cells.
    pub(super) fn tables(&self, columns: u32, rows: u32, size: PxSize) -> (EdgeTable, EdgeTable) {
        (EdgeTable::part(columns, self.x0, self.x1, size.w), EdgeTable::part(rows, self.y0, self.y1, size.h))
    }
}

/// The standard views of a grid of `columns` x `rows` cells on a picture of `size`, with their names: the whole grid, its
/// middle, one cell per pixel, and a pan of `frames` frames.
pub(super) fn standard(columns: u32, rows: u32, size: PxSize, frames: u32) -> Vec<(String, Vec<View>)> {
    let (w, h) = (f64::from(columns), f64::from(rows));
    let centred = |n: f64, part: f64| ((n - part) / 2.0, f64::midpoint(n, part));
    let middle = (w * MIDDLE, h * MIDDLE);
    let ((x0, x1), (y0, y1)) = (centred(w, middle.0), centred(h, middle.1));
    // Starts at whole cells, so that each pixel shows one.
    let (left, top) = (((w - f64::from(size.w)) / 2.0).floor(), ((h - f64::from(size.h)) / 2.0).floor());
    let one = View { x0: left, x1: left + f64::from(size.w), y0: top, y1: top + f64::from(size.h) };
    let pan = (0..frames).map(|i| {
        let (x, y) = (there_and_back(i, middle.0, w), there_and_back(i, middle.1, h));
        View { x0: x, x1: x + middle.0, y0: y, y1: y + middle.1 }
    });
    let named = [
        ("whole", vec![View { x0: 0.0, x1: w, y0: 0.0, y1: h }]),
        ("mid", vec![View { x0, x1, y0, y1 }]),
        ("one", vec![one]),
        ("pan", pan.collect()),
    ];
    named.map(|(name, views)| (name.to_owned(), views)).into()
}

/// The first cell at frame `i` of a window of `part` cells that moves over `n` cells to the end and back.
fn there_and_back(i: u32, part: f64, n: f64) -> f64 {
    let room = n - part;
    let at = (f64::from(i) * part / FRAMES_A_WIDTH) % (2.0 * room);
    if at > room { 2.0 * room - at } else { at }
}

/// Reads a file of views.
///
/// # Errors
/// When the file cannot be read, or is not a JSON array of views with finite, ascending limits.
pub(super) fn read(path: &str) -> Result<Vec<View>, InputError> {
    let bytes = read_file(Path::new(path), MOST_BYTES)?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| json_error(path, &e))?;
    let refused = |place: Place, what: String| {
        InputError::refused(path, place, what).with_hint("[[x0, x1, y0, y1], …] in cells")
    };
    let Some(list) = value.as_array() else {
        return Err(refused(Place::whole(), "is not a JSON array of views".to_owned()));
    };
    if list.is_empty() {
        return Err(refused(Place::whole(), "contains no view".to_owned()));
    }
    let views = (1..).zip(list);
    views.map(|(n, v)| view(v, |what| refused(Place::part(format!("view {n}")), what))).collect()
}

/// The error of a file that is not JSON, with line and column.
fn json_error(path: &str, e: &serde_json::Error) -> InputError {
    let text = e.to_string();
    // serde_json has no message without the place.
    let place = format!(" at line {} column {}", e.line(), e.column());
    let what = text.strip_suffix(&place).unwrap_or(&text);
    InputError::refused(path, Place::line_column(e.line() as u64, e.column() as u64), what)
}

/// A view of a file; `refused` makes the error of a wrong one.
fn view(value: &Value, refused: impl Fn(String) -> InputError) -> Result<View, InputError> {
    let numbers: Option<Vec<f64>> = value.as_array().and_then(|a| a.iter().map(Value::as_f64).collect());
    let Some([x0, x1, y0, y1]) = numbers.as_deref() else {
        return Err(refused("is not four numbers".to_owned()));
    };
    for (name, a, b) in [("x", x0, x1), ("y", y0, y1)] {
        if !(a < b && (b - a).is_finite()) {
            return Err(refused(format!("{name}0 must be below {name}1: {a}, {b}")));
        }
    }
    Ok(View { x0: *x0, x1: *x1, y0: *y0, y1: *y1 })
}

/// Refuses views without cells, whose times would mean nothing.
///
/// # Errors
/// For the first view without a cell.
pub(super) fn check(path: &str, views: &[View], columns: usize, rows: usize) -> Result<(), InputError> {
    let outside = |v: &View| v.x1 <= 0.0 || v.y1 <= 0.0 || v.x0 >= columns as f64 || v.y0 >= rows as f64;
    let Some(i) = views.iter().position(outside) else {
        return Ok(());
    };
    Err(InputError::refused(
        path,
        format!("view {}", i + 1),
        format!("shows none of the {rows} rows x {columns} columns"),
    ))
}

/// The share of a cell's height that its label takes.
const SHARE: f64 = 0.4;
/// The smallest and the largest font size in pixels.
const SIZES: [f64; 2] = [6.0, 16.0];

/// Numbers of two decimals in rows and columns over the whole picture.
pub(super) fn label_scene(count: u32, size: PxSize) -> Scene {
    let columns = f64::from(count).sqrt().ceil() as u32;
    let rows = count.div_ceil(columns);
    let (w, h) = (f64::from(size.w) / f64::from(columns), f64::from(size.h) / f64::from(rows));
    let font_size = (h * SHARE).clamp(SIZES[0], SIZES[1]);
    let label = |i: u32| Item::Text {
        text: format!("{:.2}", f64::from(i.wrapping_mul(7919) % 1000) / 100.0),
        font_size,
        at: Point { x: f64::from(i % columns) * w + w * 0.2, y: f64::from(i / columns) * h + h * 0.6 },
        degrees: 0,
        color: Color::BLACK,
    };
    Scene::new(size, Some(Color::WHITE), (0..count).map(label).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: PxSize = PxSize { w: 100, h: 50 };

    #[test]
    fn the_standard_views_show_what_their_names_say() {
        let all = standard(1000, 400, SIZE, 500);
        let names: Vec<&str> = all.iter().map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["whole", "mid", "one", "pan"]);
        assert_eq!(all[1].1, [View { x0: 375.0, x1: 625.0, y0: 150.0, y1: 250.0 }]);
        let (columns, rows) = all[2].1[0].tables(1000, 400, SIZE);
        assert_eq!(
            (columns.spans()[0], columns.spans()[99], rows.spans()[49]),
            ([450, 451], [549, 550], [224, 225])
        );
        let pan = &all[3].1;
        assert!(
            pan.len() == 500
                && pan.iter().all(|v| v.x0 >= 0.0 && v.x1 <= 1000.0 && v.y0 >= 0.0 && v.y1 <= 400.0)
        );
        assert!(pan.windows(2).all(|p| (p[1].x0 - p[0].x0).abs() <= 250.0 / 60.0 + 1e-9 && p[0] != p[1]));
        assert!(pan.iter().any(|v| v.x0 > 740.0) && pan[300].x0 < pan[200].x0);
    }

    #[test]
    fn one_cell_per_pixel_may_reach_beyond_the_grid() {
        let (columns, rows) = standard(3, 3, SIZE, 1)[2].1[0].tables(3, 3, SIZE);
        assert!(!columns.reduces() && !rows.reduces());
        assert_eq!(columns.spans().iter().filter(|s| s[0] < s[1]).count(), 3);
    }

    #[test]
    fn views_are_read_strictly() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("v.json");
        let of = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read(path.to_str().unwrap())
        };
        assert_eq!(of("[[0, 1.5, -2, 3]]").unwrap(), [View { x0: 0.0, x1: 1.5, y0: -2.0, y1: 3.0 }]);
        for (text, place) in [
            ("{}", ""),
            ("[]", ""),
            ("[[0,1,0,1], 5]", "view 2"),
            ("[[0,1,0]]", "view 1"),
            ("[[0,1,0,\"1\"]]", "view 1"),
            ("[[0,1,2,2]]", "view 1"),
            ("[[1,0,0,1]]", "view 1"),
            ("[[-1.7e308,1.7e308,0,1]]", "view 1"),
            ("[[0,1,\n0,]]", "line 2, column 3"),
            ("[[0,1,0,1e999]]", "line 1, column 13"),
        ] {
            assert_eq!(of(text).unwrap_err().place.to_string(), place, "{text}");
        }
        assert_eq!(
            check("v", &of("[[0,1,0,1],[4,9,0,1]]").unwrap(), 4, 4).unwrap_err().place.to_string(),
            "view 2"
        );
        assert!(check("v", &of("[[-5,1,3.5,9]]").unwrap(), 4, 4).is_ok());
    }

    #[test]
    fn labels_lie_on_the_picture() {
        for count in [1, 2, 7, 3600] {
            let scene = label_scene(count, PxSize { w: 800, h: 600 });
            assert_eq!(scene.items.len(), count as usize);
            for item in &scene.items {
                let Item::Text { text, at, .. } = item else { panic!("a text") };
                assert_eq!(text.len(), 4);
                assert!(at.x < 800.0 && at.y < 600.0 && at.y > 0.0);
            }
        }
    }
}
