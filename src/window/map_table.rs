//! The table of all colormaps over the figure: which map is where. The same for painting, keys and the pointer.

use super::geometry::{STATUS, WindowGeometry};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::scale::MAP_GROUPS;

/// Width and height of an entry in logical pixels.
const ENTRY: (f64, f64) = (190.0, 20.0);
/// The share of the window's width that it takes at most.
const HALF: f64 = 0.5;
/// Space around the table in logical pixels.
const MARGIN: f64 = 12.0;

/// All maps in the order of the table.
pub(super) fn maps() -> impl Iterator<Item = &'static str> {
    MAP_GROUPS.iter().flat_map(|g| g.1).copied()
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
enum MapLine {
    Title(&'static str),
    /// The indexes of its maps.
    Maps(std::ops::Range<usize>),
}

/// The part of the table that is in view.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MapTable {
    /// The box around it.
    pub frame: Rect,
    /// Titles of groups, and where.
    pub titles: Vec<(&'static str, Rect)>,
    /// Maps by their index, and where.
    pub entries: Vec<(usize, Rect)>,
    /// The page that is shown, from 1, and the number of pages.
    pub pages: (usize, usize),
}

fn lines(columns: usize) -> Vec<MapLine> {
    let (mut out, mut from) = (Vec::new(), 0);
    for (title, names) in MAP_GROUPS {
        out.push(MapLine::Title(title));
        let end = from + names.len();
        while from < end {
            let to = (from + columns).min(end);
            out.push(MapLine::Maps(from..to));
            from = to;
        }
    }
    out
}

/// The columns of the table, the lines of a page, and the size of an entry in pixels.
fn fits(geometry: &WindowGeometry) -> (usize, usize, (f64, f64)) {
    let unit = geometry.logical_pixel();
    let margin = (MARGIN * unit).round();
    let entry = ((ENTRY.0 * unit).round(), (ENTRY.1 * unit).round());
    let (w, h) = (f64::from(geometry.size.w), f64::from(geometry.size.h));
    let (room_x, room_y) = (w - 4.0 * margin, h - (STATUS * unit).round() - 4.0 * margin);
    // The figure remains in sight beside it.
    let columns = ((HALF * room_x / entry.0).floor().max(1.0) as usize).min(6);
    let page = (room_y / entry.1).floor().max(1.0) as usize;
    (columns, page, (entry.0.min(room_x.max(1.0)), entry.1))
}

/// The page of the table that has the chosen map.
pub(super) fn map_table(geometry: &WindowGeometry, chosen: usize) -> MapTable {
    let unit = geometry.logical_pixel();
    let margin = (MARGIN * unit).round();
    let (columns, page, (wide, tall)) = fits(geometry);
    let all = lines(columns);
    let at = |line: &MapLine| matches!(line, MapLine::Maps(maps) if maps.contains(&chosen));
    let number = all.iter().position(at).unwrap_or(0) / page;
    let shown: Vec<&MapLine> = all.iter().skip(number * page).take(page).collect();
    let (width, height) = (columns as f64 * wide, shown.len().min(page) as f64 * tall);
    let room = (f64::from(geometry.size.w), f64::from(geometry.size.h) - (STATUS * unit).round());
    let corner = ((2.0 * margin).min((room.0 - width) / 2.0).round(), ((room.1 - height) / 2.0).round());
    let mut table = MapTable {
        frame: Rect::new(corner.0, corner.1, width, height).grown(margin),
        pages: (number + 1, all.len().div_ceil(page)),
        ..MapTable::default()
    };
    for (i, line) in shown.into_iter().enumerate() {
        let y = corner.1 + i as f64 * tall;
        match line {
            MapLine::Title(title) => table.titles.push((title, Rect::new(corner.0, y, width, tall))),
            MapLine::Maps(maps) => {
                let places = maps.clone().enumerate();
                let entry =
                    |(k, map): (usize, usize)| (map, Rect::new(corner.0 + k as f64 * wide, y, wide, tall));
                table.entries.extend(places.map(entry));
            }
        }
    }
    table
}

/// The map at a point of the page with the chosen map.
pub(super) fn map_at(geometry: &WindowGeometry, chosen: usize, at: Point) -> Option<usize> {
    let table = map_table(geometry, chosen);
    let inside = |r: &Rect| at.x >= r.x && at.x < r.right() && at.y >= r.y && at.y < r.bottom();
    table.entries.iter().find(|(_, r)| inside(r)).map(|e| e.0)
}

/// The map some places right and down of the chosen one; at the ends of the table, the last one that way.
pub(super) fn map_beside(geometry: &WindowGeometry, chosen: usize, right: i32, down: i32) -> usize {
    let last = maps().count() - 1;
    let moved = (chosen as i64 + i64::from(right)).clamp(0, last as i64) as usize;
    if down == 0 {
        return moved;
    }
    let rows: Vec<_> = lines(fits(geometry).0)
        .into_iter()
        .filter_map(|line| match line {
            MapLine::Maps(maps) => Some(maps),
            MapLine::Title(_) => None,
        })
        .collect();
    let Some(row) = rows.iter().position(|maps| maps.contains(&moved)) else {
        return moved;
    };
    let column = moved - rows[row].start;
    let to = (row as i64 + i64::from(down)).clamp(0, rows.len() as i64 - 1) as usize;
    if to == row { moved } else { (rows[to].start + column).min(rows[to].end - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::geom::PxSize;

    fn window(w: u32, h: u32, unit: f64) -> WindowGeometry {
        WindowGeometry { size: PxSize { w, h }, unit, ..WindowGeometry::default() }
    }

    #[test]
    fn every_map_is_on_a_page_inside_the_window_and_under_its_place() {
        for (w, h, unit) in [(1600, 1000, 1.0), (1600, 1000, 2.0), (500, 400, 1.0), (900, 600, 1.5)] {
            let window = window(w, h, unit);
            let whole = Rect::new(0.0, 0.0, f64::from(w), f64::from(h));
            for map in 0..maps().count() {
                let table = map_table(&window, map);
                assert!(whole.contains(&table.frame, 0.5), "{w} x {h} at {unit}: {:?}", table.frame);
                let (_, r) = table.entries.iter().find(|e| e.0 == map).unwrap();
                assert!(table.frame.contains(r, 0.5));
                assert_eq!(map_at(&window, map, r.center()), Some(map));
            }
        }
    }

    #[test]
    fn arrows_reach_every_map() {
        let window = window(900, 600, 1.0);
        let n = maps().count();
        let mut at = 0;
        for i in 0..n {
            assert_eq!(at, i);
            at = map_beside(&window, at, 1, 0);
        }
        assert_eq!(at, n - 1);
        let mut seen = vec![0];
        let mut at = 0;
        loop {
            let next = map_beside(&window, at, 0, 1);
            if next == at {
                break;
            }
            at = next;
            seen.push(at);
        }
        assert!(seen.len() > MAP_GROUPS.len());
        for _ in 0..n {
            at = map_beside(&window, at, 0, -1);
        }
        assert_eq!(at, 0);
        assert_eq!(map_beside(&window, 5, i32::MIN, i32::MAX), map_beside(&window, 0, 0, i32::MAX));
    }

    #[test]
    fn half_of_the_figure_remains_in_sight() {
        for w in [900, 1280, 1600, 3000] {
            let table = map_table(&window(w, 800, 1.0), 0);
            assert!(table.frame.right() <= 0.55 * f64::from(w), "{w}: {:?}", table.frame);
        }
    }

    #[test]
    fn tiny_windows_do_no_harm() {
        for (w, h) in [(1, 1), (100, 30), (40, 500)] {
            let table = map_table(&window(w, h, 1.0), 3);
            assert!(table.frame.x.is_finite() && table.entries.iter().any(|e| e.0 == 3));
        }
    }
}
