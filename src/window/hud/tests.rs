//! Overlays stay inside their window, in every size.

use super::super::profile::profiles;
use super::super::prompt::{Folder, help};
use super::super::readout::{linked_cells, pointer_text, selection_text, table, target, view_text};
use super::super::state::{Action, Command, Entry, Matches, Selection, TypedLine};
use super::super::test_grids::{geometry, sweep};
use super::*;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use gridscope_core::text::Fonts;

const LIGHT: Palette = Palette { background: Color::WHITE, ink: Color::BLACK };
const WIDTHS: [u32; 9] = [300, 320, 417, 480, 640, 900, 1280, 1920, 4000];

/// The number of turns of `shows`.
const TURNS: usize = 12;

fn group(name: &str, rows: usize) -> KeyGroup {
    let row = |i: usize| (format!("Ctrl+{name}{i}"), "moves the view this many steps ".repeat(1 + i % 3));
    (name.to_owned(), (0..rows).map(row).collect())
}

fn keys() -> Vec<KeyGroup> {
    vec![group("Move", 12), group("Read", 8), group("Colour", 7), group("Show", 5), group("Keep", 4)]
}

/// A geometry whose body, bar and window suit a size.
fn sized(w: u32, h: u32, unit: f64) -> WindowGeometry {
    let mut geometry = geometry(vec![sweep()], PxSize { w: (w / 2).max(1), h: (h / 2).max(1) });
    (geometry.size, geometry.unit) = (PxSize { w, h }, unit);
    let em = 12.0 * unit;
    geometry.panels[0].body.x = (w / 8) as i32;
    geometry.panels[0].body.y = (h / 8) as i32;
    let ramp = PxRect {
        x: (w / 8 + (w / 2).max(1)) as i32 + em as i32,
        y: (h / 8) as i32,
        w: 10,
        h: (h / 2).max(1),
    };
    geometry.bars[0].as_mut().unwrap().ramp = ramp;
    geometry
}

/// The texts of a scene with the rectangles that hold them.
fn texts(items: &[Item], m: &mut Fonts) -> Vec<(String, Rect)> {
    let of = |i: &Item| {
        let Item::Text { text, font_size, at, .. } = i else {
            return None;
        };
        let s = m.size(text, *font_size);
        Some((text.clone(), Rect::new(at.x, at.y - s.ascent, s.width, s.height())))
    };
    items.iter().filter_map(of).collect()
}

fn bounds(item: &Item, m: &mut Fonts) -> Rect {
    let around = |list: &[Point]| {
        let first = Rect::new(list[0].x, list[0].y, 0.0, 0.0);
        list.iter().fold(first, |r, p| r.union(&Rect::new(p.x, p.y, 0.0, 0.0)))
    };
    match item {
        Item::Rect { rect, .. } => *rect,
        Item::Polygon { points, .. } => around(points),
        Item::Line { from, to, width, .. } => around(&[*from, *to]).grown(*width),
        Item::Ramp { rect, .. } => rect.rect(),
        Item::Cells(c) => c.body.rect(),
        Item::Text { .. } => texts(std::slice::from_ref(item), m)[0].1,
    }
}

/// Everything at once, in turn: with the pointer and a selection, a search, keys, a notice.
fn shows(geometry: &WindowGeometry, turn: usize, m: &mut Fonts) -> Vec<Item> {
    let with_distribution = WindowGeometry {
        distribution: geometry.place_distribution(0, None).filter(|_| turn == 10),
        ..geometry.clone()
    };
    let geometry = &with_distribution;
    let mut state = ViewState::new(geometry);
    let body = geometry.panels[0].body.rect();
    state.pointer = Some(Point { x: body.x + 0.7 * body.w, y: body.y + 0.4 * body.h });
    state.selection = Some(Selection { panel: 0, rows: 0..3, columns: 1..4, anchor: (0, 1) });
    (state.frames, state.keys, state.alone) = (turn != 11, turn == 3, turn == 1 || turn == 4 || turn == 9);
    let long = |word: &str| word.repeat(geometry.size.w as usize / 60);
    state.line = match turn {
        1 => Some(TypedLine::with(Entry::Search, &long("llama_"))),
        7 => Some(TypedLine::with(Entry::Prompt, "")),
        8 => Some(TypedLine::with(Entry::Prompt, &format!("cmap {}", long("m")))),
        9 => Some(TypedLine::with(Entry::Prompt, "cmap ")),
        _ => None,
    };
    if turn == 10 {
        state.apply(&Command::Do(Action::Maps), geometry);
    }
    if turn == 1 {
        let found = Matches { rows: vec![0, 2], columns: vec![1] };
        state.matches = vec![found];
    }
    if turn == 8 {
        state.refuse(vec!["'mm' is not a colormap: ".repeat(9), "usage: cmap NAME".to_owned()]);
    }
    state.log_counts = true;
    state.message = (turn == 2).then(|| "no label holds 'llama' ".repeat(9));
    state.rubber = (turn == 4).then_some((Point { x: -5.0, y: -5.0 }, Point { x: 1e5, y: body.y + 3.0 }));
    let pointer = pointer_text(geometry, state.pointer.unwrap());
    let selection = selection_text(geometry, state.selection.as_ref().unwrap());
    // The times lie over the figure, and over what is in it.
    let mut linked = linked_cells(geometry, state.pointer.unwrap(), 1.0);
    linked.retain(|_| turn == 11);
    let view = view_text(geometry, &state, gridscope_core::figure::Reduce::Mean);
    let all = keys();
    let histograms = [Some(Histogram { bins: vec![1, 5, 0, 40], below: 0, above: 3 })];
    let block = target(geometry, &state, 0).unwrap();
    let found = geometry.grids[0].block_statistics(0..3, 1..4, 1, &|| true);
    let statistics = table(geometry, &block, found.transpose().as_ref()).unwrap();
    let computed = profiles(geometry, &[], gridscope_core::figure::Reduce::Mean, state.pointer.unwrap());
    let counted =
        Counted::Bins(geometry.grids[0].bin_counts(&[0.0, 5.0, 12.0], 1, &|| true).unwrap().unwrap());
    let prompt = help(&state, geometry, &Folder::default());
    let input = OverlayInput {
        pointer: &pointer,
        selection: &selection,
        linked: &linked,
        view: &view,
        progress: (turn == 2).then_some(Progress { file: "results_of_a_sweep.npy", share: Some(0.437) }),
        times: Some(FrameTimes { median: 4.2, p95: 6.1, frames: 60 }),
        statistics: (turn == 5).then_some(&statistics),
        profiles: computed.as_ref().filter(|_| turn == 0),
        counted: &counted,
        histograms: &histograms,
        notice: match turn {
            6 => {
                Some("error: results.csv: line 12: no such column\nhint: --x ratio --y window --value pass1")
            }
            _ => None,
        },
        prompt: prompt.as_ref(),
        keys: &all,
        ..OverlayInput::bare(geometry, &state, LIGHT, 12.0 * geometry.unit)
    };
    overlay(&input, m)
}

#[test]
fn nothing_leaves_the_window() {
    let mut m = Fonts::new();
    for (w, h) in WIDTHS.into_iter().map(|w| (w, (w * 9 / 16).max(200))) {
        for unit in [1.0, 1.25, 2.0] {
            let geometry = sized(w, h, unit);
            let window = Rect::new(0.0, 0.0, f64::from(w), f64::from(h));
            for turn in 0..TURNS {
                for item in shows(&geometry, turn, &mut m) {
                    let b = bounds(&item, &mut m);
                    assert!(window.contains(&b, 0.6), "{w} x {h} at {unit}, turn {turn}: {item:?}");
                }
            }
        }
    }
}

#[test]
fn texts_never_meet() {
    let mut m = Fonts::new();
    for w in (300..4000).step_by(97).chain(WIDTHS) {
        for unit in [1.0, 1.25, 2.0] {
            let geometry = sized(w, (w * 9 / 16).max(200), unit);
            for turn in [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11] {
                let items = shows(&geometry, turn, &mut m);
                // The overlay of all keys covers what was painted before it.
                let from = if turn == 10 {
                    items.iter().rposition(is_table).unwrap_or(0)
                } else if turn == 3 {
                    items.iter().rposition(|i| covers(i, &geometry)).unwrap()
                } else {
                    0
                };
                let list = texts(&items[from..], &mut m);
                for (i, (a, ra)) in list.iter().enumerate() {
                    for (b, rb) in &list[..i] {
                        assert!(
                            !ra.grown(-0.6).overlaps(&rb.grown(-0.6)),
                            "{w} at {unit}, turn {turn}: '{a}' over '{b}'"
                        );
                    }
                }
            }
        }
    }
}

/// Whether this is the ground of the table of colormaps.
fn is_table(item: &Item) -> bool {
    matches!(item, Item::Rect { rect, color } if color.rgba()[3] == 247 && rect.h > 100.0)
}

fn covers(item: &Item, geometry: &WindowGeometry) -> bool {
    matches!(item, Item::Rect { rect, .. } if rect.w >= f64::from(geometry.size.w) && rect.h >= f64::from(geometry.size.h))
}

#[test]
fn windows_of_any_size_do_no_harm() {
    let mut m = Fonts::new();
    for (w, h) in [(1, 1), (1, 500), (500, 1), (7, 3), (40, 25), (64, 64), (150, 60)] {
        for unit in [0.0, 1.0, 3.0] {
            for turn in 0..TURNS {
                let geometry = sized(w, h, unit);
                let window = Rect::new(0.0, 0.0, f64::from(w), f64::from(h));
                for item in shows(&geometry, turn, &mut m).iter().filter(|i| !matches!(i, Item::Text { .. }))
                {
                    let b = bounds(item, &mut m);
                    assert!(
                        [b.x, b.y, b.w, b.h].iter().all(|v| v.is_finite()),
                        "{w} x {h}, turn {turn}: {item:?}"
                    );
                    assert!(
                        !matches!(item, Item::Polygon { .. }) || window.contains(&b, 0.6),
                        "{w} x {h}: {item:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn small_windows_keep_the_value_and_the_count_of_keys_left_out() {
    let mut m = Fonts::new();
    let said = |w: u32, h: u32, turn: usize, m: &mut Fonts| {
        let items = shows(&sized(w, h, 1.0), turn, m);
        texts(&items, m).into_iter().map(|t| t.0).collect::<Vec<_>>()
    };
    let narrow = said(320, 200, 0, &mut m);
    assert!(narrow.iter().any(|t| t.ends_with("pass1 6.5")), "{narrow:?}");
    assert!(
        said(1600, 900, 0, &mut m)
            .contains(&"ratio 0.3, window 1000 · row 1, column 2 · pass1 6.5".to_owned())
    );
    // A message is shown beside the value, and never replaces it.
    for (w, h) in [(1600, 900), (640, 480), (320, 200)] {
        let list = said(w, h, 2, &mut m);
        assert!(
            list.iter().any(|t| t.starts_with("no label")) && list.iter().any(|t| t.contains("pass1")),
            "{w} x {h}: {list:?}"
        );
    }
    let all = keys().iter().map(|g| g.1.len()).sum::<usize>();
    for (w, h) in [(1280, 720), (480, 320), (300, 200), (4000, 2250)] {
        let list = said(w, h, 3, &mut m);
        let shown = list.iter().filter(|t| t.starts_with("Ctrl+")).count();
        let left: usize = list.iter().filter_map(|t| t.split_once(" below")?.0.parse::<usize>().ok()).sum();
        assert_eq!(shown + left, all, "{w} x {h}: {list:?}");
        assert!(left == 0 || w < 640);
        assert!(
            w < 480 || !list.iter().any(|t| t.starts_with("moves") && t.contains('…')),
            "{w} x {h}: {list:?}"
        );
    }
}

#[test]
fn what_is_not_asked_for_is_not_shown() {
    let mut m = Fonts::new();
    let geometry = sized(1280, 720, 1.0);
    let state = ViewState::new(&geometry);
    let input = OverlayInput {
        view: "3 × 4",
        times: Some(FrameTimes { median: 4.2, p95: 6.1, frames: 60 }),
        keys: &keys(),
        ..OverlayInput::bare(&geometry, &state, LIGHT, 12.0)
    };
    let items = overlay(&input, &mut m);
    let said: Vec<String> = texts(&items, &mut m).into_iter().map(|t| t.0).collect();
    assert_eq!(said, ["3 × 4", "? keys · wheel zooms · drag pans · click selects"]);
    // The line at the bottom, and nothing over the figure.
    assert!(items.iter().all(|i| bounds(i, &mut m).y >= 720.0 - f64::from(status_height(1.0))));
}
