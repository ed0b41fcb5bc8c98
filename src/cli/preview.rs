//! A preview of the figure's cells in the terminal, with the colours, limits and reduction of the picture.

use super::args::When;
use super::diagnostics::{Failure, line, print};
use super::half_blocks::{Depth, half_blocks};
use super::load::Job;
use super::terminal::Terminal;
use gridscope_core::color::Color;
use gridscope_core::figure::{AxisName, Figure, Origin, Reduce, Reverse};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, State};
use gridscope_core::scale::{ColorScale, Fill, Pattern};
use gridscope_core::text::{Fonts, clean, one_line, spoken};
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::raster::draw;
use gridscope_draw::render::{Capacity, bare, prepare};
use gridscope_draw::resolve::{Overrides, PanelColours, frame};
use gridscope_draw::scene::Item;
use std::io::IsTerminal;
use std::sync::Arc;

/// The most panels of a preview.
const MOST_PANELS: usize = 4;
/// The fewest and the most lines of a panel, however high the terminal is.
const LINES: [usize; 2] = [16, 24];
/// The fewest pixels of a side; with fewer cells, the largest multiple of them up to this.
const LEAST_SIDE: usize = 16;

/// Prints the preview below `above` lines of text, or a note that says why there is none.
pub(super) fn show(job: &Job, when: When, above: usize, quiet: bool) -> Result<(), Failure> {
    let wanted = match when {
        When::Auto => std::io::stdout().is_terminal(),
        When::Always => true,
        When::Never => false,
    };
    if !wanted {
        return Ok(());
    }
    let terminal = Terminal::of_stdout();
    let made = match terminal.depth {
        Ok(depth) => text(job, &terminal, depth, above).map_err(|e| e.to_string()),
        Err(why) => Err(why.to_owned()),
    };
    match made {
        Ok(text) => print(&text)?,
        Err(why) if !quiet => line(&format!("note: no preview: {}", one_line(&why))),
        Err(_) => {}
    }
    Ok(())
}

/// The panels one below the other, each with its title if there are several.
fn text(job: &Job, terminal: &Terminal, depth: Depth, above: usize) -> Result<String, Error> {
    let grids = &job.loaded.grids;
    let frame = frame(&job.figure, &Overrides::default(), grids)?;
    let origin = if frame.lower { Origin::Lower } else { Origin::Upper };
    let figure = Figure {
        origin: Some(origin),
        reverse: frame.leftward.then(|| Reverse(vec![AxisName::X])),
        ..job.figure.clone()
    };
    // Cells have no text, and no scale depends on a font.
    let mut fonts = Fonts::new();
    let shared = figure.reduce.by != Some(Reduce::Count) && frame.bars.iter().any(|b| b.panels.len() > 1);
    let colours = if shared {
        prepare(&figure, grids, &mut fonts, &mut Phases::new())?.colours.panels
    } else {
        Vec::new()
    };
    let shown = grids.len().min(MOST_PANELS);
    let lines = (terminal.lines.saturating_sub(above + 1) / shown.max(1)).clamp(LINES[0], LINES[1]);
    let mut out = String::new();
    for (i, (grid, panel)) in grids.iter().zip(&frame.panels).enumerate().take(shown) {
        if grids.len() > 1 {
            let title = if panel.title.is_empty() { clean(&panel.name) } else { spoken(&panel.title) };
            out.push_str(&format!("{title}\n"));
        }
        let size = size((grid.width(), grid.height()), (terminal.columns, 2 * lines));
        let mut scene = bare(&figure, grid, size, Capacity::default(), None)?.scene;
        if let (Some(panel), [Item::Cells(cells)]) = (colours.get(i), scene.items.as_mut_slice()) {
            (cells.scale, cells.centre) = (Arc::new(own_scale(&figure, panel, grid)), panel.centre);
        }
        out.push_str(&half_blocks(&draw(&scene, std::slice::from_ref(grid), &mut fonts), depth));
    }
    if grids.len() > shown {
        out.push_str(&format!("… {shown} of {} panels\n", grids.len()));
    }
    Ok(out)
}

/// The scale of a panel as in the picture, but with transparent absent cells, unless the figure gives them a colour.
fn own_scale(figure: &Figure, panel: &PanelColours, grid: &Grid) -> ColorScale {
    let mut spec = panel.scale.spec().clone();
    if figure.color.absent.is_none() {
        spec.fills[State::Absent.index()] =
            Fill { color: Color::CLEAR, pattern: Pattern::Solid, ink: Color::CLEAR };
    }
    ColorScale::new(&spec, grid.kind())
}

/// The size in pixels of `cells` (columns, rows) on at most `most` pixels: cells are square unless a side would nearly
/// vanish.
fn size(cells: (usize, usize), most: (usize, usize)) -> PxSize {
    let scale = (most.0 as f64 / cells.0 as f64).min(most.1 as f64 / cells.1 as f64);
    let side = |cells: usize, most: usize| {
        let square =
            if scale >= 1.0 { cells * scale as usize } else { (cells as f64 * scale).round() as usize };
        let least = if cells < LEAST_SIDE { LEAST_SIDE / cells.max(1) * cells } else { LEAST_SIDE };
        square.max(least).clamp(1, most) as u32
    };
    PxSize { w: side(cells.0, most.0), h: side(cells.1, most.1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_square_and_no_side_vanishes() {
        let on = |cells| Some(size(cells, (80, 48))).map(|s| (s.w, s.h));
        assert_eq!(on((3000, 4000)), Some((36, 48)));
        assert_eq!(on((4, 5)), Some((36, 45)));
        assert_eq!(on((4, 29)), Some((16, 29)));
        assert_eq!(on((1000, 4)), Some((80, 16)));
        assert_eq!(on((1000, 100)), Some((80, 16)));
        assert_eq!(on((1, 1)), Some((48, 48)));
        assert_eq!(Some(size((10_000_000, 1), (1, 2))).map(|s| (s.w, s.h)), Some((1, 2)));
    }
}
