//! The pipeline up to the back ends: grids and a figure to what is painted.

use crate::color::Color;
use crate::error::Error;
use crate::figure::Figure;
use crate::geom::{PxRect, PxSize};
use crate::grid::{Ask, Digest, Grid, Stats, Summaries};
use crate::layout::{Layout, PanelLayout, layout};
use crate::lint::Lints;
use crate::pieces::STRIP_PIXELS;
use crate::resolve::{
    Colours, Folded, Frame, Overrides, ResolveError, Strips, bare_scale, colours, frame, states_of,
};
use crate::scene::{Cells, Item, Scene, compose};
use crate::text::Fonts;
use crate::timing::Phases;
use crate::view::EdgeTable;
use std::sync::Arc;

/// A figure ready to be painted by any back end.
pub struct Prepared {
    /// Everything but colours.
    pub frame: Frame,
    /// Where everything stands.
    pub layout: Layout,
    /// Limits, colours, notes.
    pub colours: Colours,
    /// Exact figures of each grid.
    pub stats: Vec<Stats>,
    /// What is painted.
    pub scene: Scene,
    /// Warnings about data and picture.
    pub lints: Lints,
    /// Some bodies are folded only when they are painted: the picture is drawn in strips (see [`crate::pieces`]).
    pub in_strips: bool,
}

/// Resolves, lays out, folds and composes.
///
/// # Errors
/// A figure that does not fit its data, or a canvas that does not fit its labels.
pub fn prepare(
    figure: &Figure,
    grids: &[Grid],
    fonts: &mut Fonts,
    phases: &mut Phases,
) -> Result<Prepared, Error> {
    prepare_by(figure, grids, fonts, phases, None)
}

/// Folds a grid whose numbers are f32, by its index, over the pixels of its body.
pub type FoldBy<'a> = dyn FnMut(usize, &EdgeTable, &EdgeTable) -> Result<Summaries, Error> + 'a;

/// As [`prepare`]; `fold`, where given, makes the Summaries of bodies in place of the CPU, of grids whose numbers are f32.
///
/// # Errors
/// As [`prepare`], and what `fold` says.
pub fn prepare_by(
    figure: &Figure,
    grids: &[Grid],
    fonts: &mut Fonts,
    phases: &mut Phases,
    fold: Option<&mut FoldBy<'_>>,
) -> Result<Prepared, Error> {
    prepare_sized(figure, grids, fonts, phases, fold, (MOST_HELD, &|_| Ok(())))
}

/// As [`prepare_by`]; at most `held` cells and pixels are held at once, as [`held_within`] counts them.
///
/// # Errors
/// As [`prepare_by`].
pub fn prepare_within(
    figure: &Figure,
    grids: &[Grid],
    fonts: &mut Fonts,
    phases: &mut Phases,
    fold: Option<&mut FoldBy<'_>>,
    held: usize,
) -> Result<Prepared, Error> {
    prepare_sized(figure, grids, fonts, phases, fold, (held, &|_| Ok(())))
}

/// As [`prepare_within`]; `fits` may refuse the picture's size before any cell is folded.
pub(crate) fn prepare_sized(
    figure: &Figure,
    grids: &[Grid],
    fonts: &mut Fonts,
    phases: &mut Phases,
    mut fold: Option<&mut FoldBy<'_>>,
    (held, fits): (usize, &dyn Fn(PxSize) -> Result<(), Error>),
) -> Result<Prepared, Error> {
    if grids.is_empty() {
        return Err(Error::Grid("a figure needs at least one grid".to_owned()));
    }
    let mut frame = frame(figure, &Overrides::default(), grids)?;
    let mut layout = layout(&frame, fonts)?;
    fits(layout.size)?;
    phases.done("layout");
    let mut ways = ways_of(&layout, grids, held);
    let coarse = coarse_side(held, grids);
    let (mut digests, mut parts) = fold_bodies(
        figure,
        (&frame, &layout),
        grids,
        (ways.as_slice(), coarse),
        fold.as_deref_mut(),
    )?;
    phases.done("fold");
    let states = digests
        .iter()
        .map(|d| d.stats.states_held())
        .fold(0, |all, s| all | s);
    if states != frame.states.iter().fold(0, |all, s| all | 1 << s.index()) {
        // A state that no peek had met needs its key; only bodies that give way are folded again.
        frame.states = states_of(states);
        let before = std::mem::replace(&mut layout, crate::layout::layout(&frame, fonts)?);
        fits(layout.size)?;
        let alike = |(a, b): (&PanelLayout, &PanelLayout)| (&a.columns, &a.rows) == (&b.columns, &b.rows);
        if !before.panels.iter().zip(&layout.panels).all(alike) {
            ways = ways_of(&layout, grids, held);
            (digests, parts) =
                fold_bodies(figure, (&frame, &layout), grids, (ways.as_slice(), coarse), fold)?;
        }
        phases.done("fold");
    }
    let strips: Vec<_> = (0..grids.len())
        .map(|i| match &parts[i] {
            Some(part) => whole_strip(part.clone()),
            None => strips_of(&layout.panels[i].columns, &layout.panels[i].rows, &grids[i], held),
        })
        .collect();
    let folded: Vec<Folded<'_>> = (0..grids.len())
        .map(|i| {
            let p = &layout.panels[i];
            // What is known of all cells is coarser than the pixels of a part, or of a body in strips.
            let strips = (ways[i] == Way::Strips || parts[i].is_some()).then_some(&*strips[i]);
            Folded {
                digest: &digests[i],
                body: p.reduces().then_some((&p.columns, &p.rows)),
                strips,
            }
        })
        .collect();
    let colours = colours(figure, &frame, grids, &folded)?;
    drop(strips);
    let in_strips = ways.contains(&Way::Strips);
    let (mut stats, mut summaries) = (Vec::new(), Vec::new());
    for ((digest, way), part) in digests.into_iter().zip(ways).zip(parts) {
        stats.push(digest.stats);
        summaries.push(part.or((way == Way::Whole).then(|| Arc::new(digest.summaries))));
    }
    let (scene, left_out) = compose(&frame, &layout, &colours, grids, &stats, &summaries, fonts)
        .map_err(|e| ResolveError::Key("fmt".to_owned(), e))?;
    let mut lints = colours.lints.clone();
    lints.append(layout.lints.clone());
    lints.append(left_out);
    missing_glyphs(&scene, fonts, &mut lints);
    phases.done("compose");
    Ok(Prepared {
        frame,
        layout,
        colours,
        stats,
        scene,
        lints,
        in_strips,
    })
}

/// How a body's pixels come by what they show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// From the cells, which are in memory.
    Cells,
    /// From their Summaries, all of which are held.
    Whole,
    /// From Summaries that are made a few rows at a time, when they are painted.
    Strips,
}

/// The most cells and pixels of all panels together that are held for a picture, whatever the memory, and the fewest.
pub(crate) const MOST_HELD: usize = 1 << 24;
const LEAST_HELD: usize = 1 << 20;
/// Bytes of a cell or a pixel that is held.
const HELD: u64 = 32;

/// The cells and pixels of a picture that so many bytes hold.
pub fn held_within(bytes: u64) -> usize {
    usize::try_from(bytes / HELD)
        .unwrap_or(usize::MAX)
        .clamp(LEAST_HELD, MOST_HELD)
}

/// The room of a pixel's Summary: those of wide numbers take twice as much.
fn room_of(g: &Grid) -> usize {
    1 + usize::from(g.kind().is_wide())
}

impl Way {
    /// Takes what it holds off `room`.
    fn of(columns: &EdgeTable, rows: &EdgeTable, g: &Grid, room: &mut usize) -> Self {
        let (way, need) = if columns.reduces() || rows.reduces() {
            (
                Way::Whole,
                columns.pixels() as usize * rows.pixels() as usize * room_of(g),
            )
        } else {
            (Way::Cells, if g.is_held() { 0 } else { g.len() })
        };
        if need > *room {
            return Way::Strips;
        }
        *room -= need;
        way
    }
}

fn ways_of(layout: &Layout, grids: &[Grid], held: usize) -> Vec<Way> {
    let mut room = held;
    layout
        .panels
        .iter()
        .zip(grids)
        .map(|(p, g)| Way::of(&p.columns, &p.rows, g, &mut room))
        .collect()
}

/// Folds a body a few rows at a time.
fn strips_of<'a>(columns: &'a EdgeTable, rows: &'a EdgeTable, g: &'a Grid, held: usize) -> Box<Strips<'a>> {
    Box::new(move |take| {
        let step = (STRIP_PIXELS.min((held / room_of(g)) as u32) / columns.pixels().max(1)).max(1);
        let (columns, rows) = (columns.spans(), rows.spans());
        for (top, lines) in (0..).step_by(step as usize).zip(rows.chunks(step as usize)) {
            take(top, &g.fold(columns, lines)?);
        }
        Ok(())
    })
}

/// All Summaries of a body at once.
fn whole_strip<'a>(summaries: Arc<Summaries>) -> Box<Strips<'a>> {
    Box::new(move |take| {
        take(0, &summaries);
        Ok(())
    })
}

/// The Summaries of bodies that show parts of their grids.
type Parts = Vec<Option<Arc<Summaries>>>;

/// One pass over each grid. Of bodies that show a part, or are painted in strips, it gives the Summaries of larger pixels.
fn fold_bodies(
    figure: &Figure,
    (frame, layout): (&Frame, &Layout),
    grids: &[Grid],
    (ways, side): (&[Way], u32),
    mut fold: Option<&mut FoldBy<'_>>,
) -> Result<(Vec<Digest>, Parts), Error> {
    let c = &figure.color;
    let is_part = |i: usize| frame.panels[i].part_x.or(frame.panels[i].part_y).is_some();
    let digests = layout
        .panels
        .iter()
        .zip(grids)
        .zip(ways)
        .enumerate()
        .map(|(i, ((p, g), way))| {
            let own = figure.panels.get(&g.name);
            let norm = own.and_then(|o| o.norm.as_ref()).or(c.norm.as_ref());
            let limit = |own: Option<f64>, all: Option<f64>| own.or(all);
            let limits = limit(own.and_then(|o| o.vmin), c.vmin).zip(limit(own.and_then(|o| o.vmax), c.vmax));
            let coarse = |cells: usize| EdgeTable::fit(cells as u32, (cells as u32).min(side));
            let (columns, rows) = (coarse(g.width()), coarse(g.height()));
            let body = match way {
                Way::Cells => {
                    g.load()?;
                    None
                }
                Way::Whole if is_part(i) => Some((columns.spans(), rows.spans())),
                Way::Whole if fold.is_some() && !g.kind().is_wide() => None,
                Way::Whole => Some((p.columns.spans(), p.rows.spans())),
                Way::Strips => Some((columns.spans(), rows.spans())),
            };
            Ok(g.digest(&Ask {
                body,
                limits,
                positive: norm.is_some_and(|n| n.starts_with("log")),
            })?)
        })
        .collect::<Result<Vec<Digest>, Error>>();
    let mut digests = digests?;
    let mut parts: Parts = vec![None; grids.len()];
    for (i, (p, _)) in layout
        .panels
        .iter()
        .zip(ways)
        .enumerate()
        .filter(|(_, (_, way))| **way == Way::Whole)
    {
        let folded = match &mut fold {
            Some(fold) if !grids[i].kind().is_wide() => fold(i, &p.columns, &p.rows)?,
            _ if is_part(i) => grids[i].fold(p.columns.spans(), p.rows.spans())?,
            _ => continue,
        };
        if is_part(i) {
            parts[i] = Some(Arc::new(folded));
        } else {
            digests[i].summaries = folded;
        }
    }
    Ok((digests, parts))
}

/// Pixels a side of what stands for bodies that are painted in strips: so many, or what memory holds for all panels.
const COARSE: u32 = 2048;
const LEAST_COARSE: u32 = 64;

fn coarse_side(held: usize, grids: &[Grid]) -> u32 {
    let rooms: usize = grids.iter().map(room_of).sum();
    u32::try_from((held / rooms.max(1)).isqrt())
        .unwrap_or(COARSE)
        .clamp(LEAST_COARSE, COARSE)
}

fn missing_glyphs(scene: &Scene, fonts: &mut Fonts, lints: &mut Lints) {
    let texts = scene.items.iter().filter_map(|i| {
        if let Item::Text { text, .. } = i {
            Some(text)
        } else {
            None
        }
    });
    let missing: u64 = texts.map(|t| fonts.missing(t) as u64).sum();
    if missing > 0 {
        let text = format!("{missing} characters have no glyph and show as boxes; hint: --font FILE");
        lints.add(crate::lint::LintName::MissingGlyphs, missing, text);
    }
}

/// A lone body, ready to be painted.
pub struct Bare {
    /// What is painted.
    pub scene: Scene,
    /// Exact figures of the grid.
    pub stats: Stats,
    /// The body is folded only when it is painted: the picture is drawn in strips (see [`crate::pieces`]).
    pub in_strips: bool,
}

/// One grid's cells alone, `size` pixels, straight alpha, absent cells clear: no axis, no bar, no mark.
///
/// # Errors
/// Limits or a norm that the values do not allow; an empty or too large picture.
pub fn bare(figure: &Figure, grid: &Grid, size: PxSize) -> Result<Bare, Error> {
    bare_within(figure, grid, size, MOST_HELD)
}

/// As [`bare`]; at most `held` cells and pixels are held at once, as [`held_within`] counts them.
///
/// # Errors
/// As [`bare`].
pub fn bare_within(figure: &Figure, grid: &Grid, size: PxSize, held: usize) -> Result<Bare, Error> {
    grid.check().map_err(Error::Grid)?;
    let area = u64::from(size.w) * u64::from(size.h);
    if area == 0 || size.w > 65_535 || size.h > 65_535 || area > u64::from(u32::MAX) {
        let what = format!(
            "{} x {} px: sides end at 65,535 px, areas at 2^32 px, and neither is 0",
            size.w, size.h
        );
        return Err(ResolveError::Size(what).into());
    }
    let columns = EdgeTable::fit(grid.width() as u32, size.w);
    let mut rows = EdgeTable::fit(grid.height() as u32, size.h);
    if figure.origin == Some(crate::figure::Origin::Lower) {
        rows = rows.reversed();
    }
    let body = PxRect {
        x: 0,
        y: 0,
        w: size.w,
        h: size.h,
    };
    let way = Way::of(&columns, &rows, grid, &mut { held });
    let reduces = columns.reduces() || rows.reduces();
    if way == Way::Cells {
        grid.load()?;
    }
    let digest = grid.digest(&Ask {
        body: (way == Way::Whole).then(|| (columns.spans(), rows.spans())),
        ..Ask::default()
    })?;
    let reduce = figure.reduce.by.unwrap_or_default();
    let mut most = digest.summaries.most();
    let counts = reduce == crate::figure::Reduce::Count && reduces;
    if counts && way == Way::Strips {
        let mut count = |_: u32, list: &Summaries| most = most.max(list.most());
        strips_of(&columns, &rows, grid, held)(&mut count)?;
    }
    let (scale, centre) = bare_scale(figure, grid, &digest.stats, most.filter(|_| counts))?;
    let summaries = (way == Way::Whole).then(|| Arc::new(digest.summaries));
    let cells = Cells {
        grid: 0,
        body,
        columns,
        rows,
        summaries,
        scale: Arc::new(scale),
        reduce,
        centre,
        background: Color::CLEAR,
        unit: 1,
    };
    let scene = Scene {
        size,
        background: None,
        items: vec![Item::Cells(cells)],
    };
    Ok(Bare {
        scene,
        stats: digest.stats,
        in_strips: way == Way::Strips,
    })
}
