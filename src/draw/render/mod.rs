//! The pipeline up to the back ends: grids and a figure to what is painted.

mod bare;

pub use crate::body::Capacity;
pub use bare::{Bare, bare, bare_size};

use crate::alt_text::alt_text;
use crate::body::{BodyRequest, FoldOne, ScannedBody};
use crate::error::Error;
use crate::layout::{Layout, PanelLayout, layout};
use crate::marking::{MarkingRequest, PanelMarking, marking};
use crate::metadata::Description;
use crate::picture::Picture;
use crate::report;
use crate::resolve::{
    Colours, Folded, Frame, Overrides, Seen, colours, frame, keyed_states, margin_request, name_reductions,
    scan_requests, states_of, unread,
};
use crate::scene::{Content, Item, Scene, compose};
use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, ScanRequest, State, Stats, Summaries};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::text::{Fonts, has_formula, spoken};
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_read::Fingerprint;
use std::fmt;

/// A figure ready to be painted by any back end.
#[derive(Debug)]
pub struct Prepared {
    /// Everything but colours.
    pub frame: Frame,
    /// Where everything is, in output pixels.
    pub layout: Layout,
    /// Limits, colours, notes.
    pub colours: Colours,
    /// Exact statistics of each grid.
    pub stats: Vec<Stats>,
    /// Marks of each panel.
    pub marking: Vec<PanelMarking>,
    /// Items to paint.
    pub scene: Scene,
    /// What the picture shows, for readers who do not see it.
    pub alt: String,
    /// Warnings about data and picture.
    pub lints: Lints,
    /// Some bodies are folded only when they are painted: the picture is drawn in strips (see [`crate::tiling`]).
    pub in_strips: bool,
}

impl Prepared {
    /// The picture to paint and write; `grids` are those that it was prepared of.
    pub fn picture<'a>(&'a self, grids: &'a [Grid]) -> Picture<'a> {
        Picture { in_strips: self.in_strips, ..Picture::new(&self.scene, grids, self.frame.dpi) }
    }

    /// The description of the picture: its figure as it was drawn, the files of its data, and their fingerprints.
    pub fn description<'a>(
        &'a self,
        figure: &'a Figure,
        files: &'a [String],
        inputs: &'a [Fingerprint],
    ) -> Description<'a> {
        let reduces = self.layout.panels.iter().any(PanelLayout::reduces);
        Description {
            figure,
            files,
            limits: report::limits(&self.frame, &self.colours),
            reduction: reduces.then(|| self.colours.reduce.word()),
            inputs,
            bare: false,
            size: self.scene.size,
            alt: Some(self.alt.clone()),
        }
    }
}

/// Resolves, lays out, folds on the CPU and composes.
///
/// # Errors
/// A figure that does not fit its data, or a canvas that does not fit its labels.
pub fn prepare(
    figure: &Figure,
    grids: &[Grid],
    fonts: &mut Fonts,
    phases: &mut Phases,
) -> Result<Prepared, Error> {
    prepare_with(figure, grids, fonts, phases, PrepareOptions::default())
}

/// As [`prepare`], with another way to fold, another capacity, or a limit to the picture's size.
///
/// # Errors
/// As [`prepare`], and what the functions of the options return.
pub fn prepare_with(
    figure: &Figure,
    grids: &[Grid],
    fonts: &mut Fonts,
    phases: &mut Phases,
    mut options: PrepareOptions<'_>,
) -> Result<Prepared, Error> {
    if grids.is_empty() {
        return Err(Error::unavailable("a figure needs at least one grid"));
    }
    let overrides = Overrides { seen: std::mem::take(&mut options.seen), ..Overrides::default() };
    let mut frame = frame(figure, &overrides, grids)?;
    let mut layout = layout(&frame, fonts)?;
    let drawn = frame.drawn_panels();
    let reduces = |i: usize| drawn.contains(&i) && layout.panels[i - drawn.start].reduces();
    let reduces: Vec<bool> = (0..grids.len()).map(reduces).collect();
    // Parts of grids are drawn as the window draws them.
    let reduces = (!frame.viewed).then_some(reduces.as_slice());
    let reduce = frame.reduce;
    if name_reductions(&mut frame.bars, grids, reduce, reduces) {
        // Longer titles leave bodies no more pixels, so that these still cover several cells.
        layout = crate::layout::layout(&frame, fonts)?;
    }
    (options.check_size)(layout.size)?;
    phases.done("layout");
    scan_ahead(figure, &frame, &layout, grids, fonts)?;
    let mut bodies = fold_bodies(figure, &frame, &layout, grids, &mut options)?;
    phases.done("fold");
    if let Some([states, of_all]) = unforeseen_states(figure, &frame, grids, &bodies) {
        // A state that no peek had met needs its key.
        (frame.states, frame.states_of_all) = (states_of(states), states_of(of_all));
        if again(&frame, &mut layout, fonts, &mut options)? {
            bodies = fold_bodies(figure, &frame, &layout, grids, &mut options)?;
        }
        phases.done("fold");
    }
    let colours =
        with_folded(&frame, &layout, grids, &bodies, |folded| colours(figure, &frame, grids, folded))?;
    let in_strips = bodies.iter().any(|b| b.body.is_in_strips());
    let summaries: Vec<_> = bodies.iter().map(|b| b.body.summaries().cloned()).collect();
    let (drawn_frame, drawn_colours) = (frame.drawn(), colours.drawn(&frame));
    let drawn_marking = {
        let stats: Vec<&Stats> = bodies[drawn.clone()].iter().map(|b| &b.scan.stats).collect();
        with_folded(&frame, &layout, grids, &bodies, |folded| {
            marking(&MarkingRequest {
                frame: &drawn_frame,
                layout: &layout,
                colours: &drawn_colours,
                grids: &grids[drawn.clone()],
                stats: &stats,
                folded: &folded[drawn.clone()],
                counts: true,
            })
        })?
    };
    let stats: Vec<Stats> = bodies.into_iter().map(|b| b.scan.stats).collect();
    let content = Content {
        first: drawn.start,
        grids: &grids[drawn.clone()],
        stats: &stats[drawn.clone()],
        summaries: &summaries[drawn.clone()],
        marking: &drawn_marking,
    };
    let (scene, left_out) = compose(&drawn_frame, &layout, &drawn_colours, &content, fonts);
    let mut marking = vec![PanelMarking::default(); drawn.start];
    marking.extend(drawn_marking);
    marking.resize_with(grids.len(), PanelMarking::default);
    let mut lints = colours.lints.clone();
    lints.append(layout.lints.clone());
    lints.append(left_out);
    missing_glyphs(&scene, fonts, &mut lints);
    unread(figure, &mut lints);
    for lint in lints.0.iter_mut().filter(|l| has_formula(&l.text)) {
        lint.text = spoken(&lint.text);
    }
    phases.done("compose");
    let alt = alt_text(&frame, grids, &stats);
    Ok(Prepared { frame, layout, colours, stats, marking, scene, alt, lints, in_strips })
}

/// Lays a figure out again; whether its bodies have other pixels, which have to be folded again.
fn again(
    frame: &Frame,
    layout: &mut Layout,
    fonts: &mut Fonts,
    options: &mut PrepareOptions<'_>,
) -> Result<bool, Error> {
    let before = std::mem::replace(layout, crate::layout::layout(frame, fonts)?);
    (options.check_size)(layout.size)?;
    Ok(!has_same_pixels(&before, layout))
}

/// Passes once over grids whose cells lie elsewhere, for this layout and for those that it becomes where cells turn out to be NaN or
/// masked, whose keys take room.
fn scan_ahead(
    figure: &Figure,
    frame: &Frame,
    layout: &Layout,
    grids: &[Grid],
    fonts: &mut Fonts,
) -> Result<(), Error> {
    if !grids.iter().any(Grid::is_apart) {
        return Ok(());
    }
    let (nan, masked) = (1 << State::Nan.index(), 1 << State::Masked.index());
    let found: &[u8] = if figure.data.nodata.is_some() { &[nan, masked, nan | masked] } else { &[nan] };
    let mut layouts = vec![layout.clone()];
    for found in found {
        let mut with_key = frame.clone();
        with_key.states = states_of(bits(&frame.states) | found);
        with_key.states_of_all = states_of(bits(&frame.states_of_all) | found);
        layouts.push(crate::layout::layout(&with_key, fonts)?);
    }
    let first = frame.drawn_panels().start;
    let requests = scan_requests(figure, grids)?;
    // The pass over a grid of which a part is shown has no pixels.
    let is_whole = |i: usize| frame.panels[i].part_x.or(frame.panels[i].part_y).is_none();
    for (i, grid) in grids.iter().enumerate().filter(|(i, grid)| grid.is_apart() && is_whole(*i)) {
        let ask = ScanRequest { margins: margin_request(&frame.tracks), ..requests[i] };
        let panels = layouts.iter().filter_map(|layout| layout.panels.get(i.checked_sub(first)?));
        let asks: Vec<ScanRequest<'_>> = panels
            .filter(|panel| panel.reduces())
            .map(|panel| ScanRequest { body: Some((panel.columns.spans(), panel.rows.spans())), ..ask })
            .collect();
        grid.scan_ahead(&asks)?;
    }
    Ok(())
}

/// One pass over each grid.
fn fold_bodies(
    figure: &Figure,
    frame: &Frame,
    layout: &Layout,
    grids: &[Grid],
    options: &mut PrepareOptions<'_>,
) -> Result<Vec<ScannedBody>, Error> {
    let mut capacity = options.capacity;
    let blocks = capacity.blocks(grids);
    let mut out = Vec::with_capacity(grids.len());
    let drawn = frame.drawn_panels();
    let requests = scan_requests(figure, grids)?;
    for (i, grid) in grids.iter().enumerate() {
        let ask = ScanRequest { margins: margin_request(&frame.tracks), ..requests[i] };
        let place = i.checked_sub(drawn.start);
        let Some(panel) = place.and_then(|place| layout.panels.get(place)) else {
            // Its values still have their part in the limits.
            out.push(ScannedBody::hidden(grid, blocks, ask)?);
            continue;
        };
        let spec = &frame.panels[i];
        let request = BodyRequest {
            grid,
            columns: &panel.columns,
            rows: &panel.rows,
            is_part: spec.part_x.or(spec.part_y).is_some(),
            blocks,
            ask,
        };
        // A device holds f32: wider numbers stay exact on the CPU.
        let by = options.fold.as_deref_mut().filter(|_| !grid.kind().is_wide());
        let mut fold = by.map(|by| move |columns: &EdgeTable, rows: &EdgeTable| by(i, columns, rows));
        out.push(request.scan(&mut capacity, fold.as_mut().map(|f| f as &mut FoldOne<'_>))?);
    }
    Ok(out)
}

/// Bit [`State::index`] for every state.
fn bits(states: &[State]) -> u8 {
    states.iter().fold(0, |all, s| all | 1 << s.index())
}

/// The states of all cells of the panels that are drawn and of all panels, as bits, where the frame has keys for others.
fn unforeseen_states(
    figure: &Figure,
    frame: &Frame,
    grids: &[Grid],
    bodies: &[ScannedBody],
) -> Option<[u8; 2]> {
    let held = |(b, g): (&ScannedBody, &Grid)| keyed_states(figure, g, b.scan.stats.states_held());
    let all: Vec<u8> = bodies.iter().zip(grids).map(held).collect();
    let any = |panels: &[u8]| panels.iter().fold(0, |all, s| all | s);
    let met = [any(&all[frame.drawn_panels()]), any(&all)];
    let known = [bits(&frame.states), bits(&frame.states_of_all)];
    (met != known).then_some(met)
}

/// Whether the pixels of all bodies cover the same cells in both.
fn has_same_pixels(a: &Layout, b: &Layout) -> bool {
    let mut panels = a.panels.iter().zip(&b.panels);
    panels.all(|(a, b)| (&a.columns, &a.rows) == (&b.columns, &b.rows))
}

/// Hands over the facts about each body in the types of [`crate::resolve`].
fn with_folded<T>(
    frame: &Frame,
    layout: &Layout,
    grids: &[Grid],
    bodies: &[ScannedBody],
    take: impl FnOnce(&[Folded<'_>]) -> T,
) -> T {
    let first = frame.drawn_panels().start;
    let panel = |i: usize| layout.panels.get(i.checked_sub(first)?);
    let strips: Vec<_> = bodies
        .iter()
        .zip(grids)
        .enumerate()
        .map(|(i, (b, grid))| panel(i).and_then(|p| b.body.strips(grid, &p.columns, &p.rows)))
        .collect();
    let folded: Vec<Folded<'_>> = bodies
        .iter()
        .zip(&strips)
        .enumerate()
        .map(|(i, (b, strips))| Folded {
            scan: &b.scan,
            summaries: b.cover(),
            body: panel(i).filter(|p| p.reduces()).map(|p| (&p.columns, &p.rows)),
            strips: strips.as_deref(),
            later: false,
        })
        .collect();
    take(&folded)
}

fn missing_glyphs(scene: &Scene, fonts: &mut Fonts, lints: &mut Lints) {
    let texts = scene.all().filter_map(|i| if let Item::Text { text, .. } = i { Some(text) } else { None });
    let missing: u64 = texts.map(|t| fonts.missing(t) as u64).sum();
    if missing > 0 {
        let text = format!("{missing} characters have no glyph and appear as boxes");
        lints.add(LintName::MissingGlyphs, missing, text).hint("--font FILE, or --system-fonts");
    }
}

/// Folds a grid whose numbers are f32, by its index, over the pixel columns and rows of its body; gives their Summaries row
/// after row.
pub type FoldBy<'a> = dyn FnMut(usize, &EdgeTable, &EdgeTable) -> Result<Summaries, Error> + 'a;

/// Options of [`prepare_with`].
pub struct PrepareOptions<'a> {
    /// Folds the bodies of grids of f32 in place of the CPU: on a graphics device.
    pub fold: Option<&'a mut FoldBy<'a>>,
    /// The cells and pixels in memory at once; larger bodies are painted in strips.
    pub capacity: Capacity,
    /// The limits of the pictures before: automatic limits are no narrower.
    pub seen: Seen,
    /// May refuse the size of the picture before any cell is folded.
    pub check_size: &'a dyn Fn(PxSize) -> Result<(), Error>,
}

impl fmt::Debug for PrepareOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrepareOptions")
            .field("folds", &self.fold.is_some())
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

impl Default for PrepareOptions<'_> {
    fn default() -> Self {
        Self { fold: None, capacity: Capacity::default(), seen: Seen::new(), check_size: &|_| Ok(()) }
    }
}
