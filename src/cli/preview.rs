//! A preview of the figure in the terminal: in pixels where it shows them, otherwise as text in its colours, of which each
//! character shows two pixels, one above the other.

mod labels;
mod inline;
mod sixel;
mod pixels;
#[cfg(unix)]
mod answers;
#[cfg(unix)]
pub(super) mod ask;

use super::args::Preview;
use super::diagnostics::{Failure, line, print};
use super::load::Job;
#[cfg(unix)]
use ask::{ask, cell};
use gridscope_core::color::Color;
use gridscope_core::figure::{AxisName, Figure, Origin, Reduce, Reverse};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, State};
use gridscope_core::image::Image;
use gridscope_core::scale::{ColorScale, Fill, Pattern};
use gridscope_core::text::{Fonts, clean, one_line, spoken};
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::raster::draw;
use gridscope_draw::render::{Capacity, bare, prepare};
use gridscope_draw::resolve::{Overrides, PanelColours, frame};
use gridscope_draw::scene::Item;
use pixels::{Protocol, Screen};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;

/// Terminals of fewer columns show the cells alone.
const LEAST_COLUMNS: usize = 40;
/// The most panels of a preview.
const MOST_PANELS: usize = 4;
/// The fewest and the most lines of a panel, however high the terminal is.
const LINES: [usize; 2] = [16, 24];
/// The fewest pixels of a side; with fewer cells, the largest multiple of them up to this.
const LEAST_SIDE: usize = 16;

/// Prints the preview below `above` lines of text, or a note that says why there is none.
pub(super) fn show(job: &Job, how: Preview, above: usize, quiet: bool) -> Result<(), Failure> {
    if how == Preview::Never || how == Preview::Auto && !std::io::stdout().is_terminal() {
        return Ok(());
    }
    let terminal = Terminal::of_stdout();
    let made = match terminal.depth {
        Ok(depth) => drawn(job, how, &terminal, depth, above).map_err(|e| e.to_string()),
        Err(why) => Err(why.to_owned()),
    };
    match made {
        Ok(text) => print(&text)?,
        Err(why) if !quiet => line(&format!("note: no preview: {}", one_line(&why))),
        Err(_) => {}
    }
    Ok(())
}

/// The preview in pixels or as text.
fn drawn(job: &Job, how: Preview, terminal: &Terminal, depth: Depth, above: usize) -> Result<String, Error> {
    let chosen = |protocol| Some(Screen::new(protocol, cell()));
    let (screen, is_chosen) = match how {
        Preview::Kitty => (chosen(Protocol::Kitty), true),
        Preview::Iterm2 => (chosen(Protocol::Iterm2), true),
        Preview::Sixel => (chosen(Protocol::Sixel), true),
        Preview::Auto | Preview::Always => (ask(terminal), false),
        Preview::Blocks | Preview::Never => (None, false),
    };
    match screen.map(|screen| pixels::text(job, terminal, &screen)) {
        Some(made) if is_chosen || made.is_ok() => made,
        // Where a small terminal has no room for the figure, it has some for its cells.
        _ => text(job, terminal, depth, above),
    }
}

/// No terminal is asked on other systems.
#[cfg(not(unix))]
fn ask(_: &Terminal) -> Option<Screen> {
    None
}

/// The size of a character in pixels, which only the terminal knows here.
#[cfg(not(unix))]
fn cell() -> Option<[u32; 2]> {
    None
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
    let labelled = terminal.columns >= LEAST_COLUMNS;
    // Of labels below, and of the scale.
    let more = usize::from(labelled);
    let lines = terminal.lines.saturating_sub(above + 1 + more) / shown.max(1);
    let lines = lines.saturating_sub(more).clamp(LINES[0], LINES[1]);
    let mut out = String::new();
    for (i, (grid, panel)) in grids.iter().zip(&frame.panels).enumerate().take(shown) {
        if grids.len() > 1 {
            let title = if panel.title.is_empty() { clean(&panel.name) } else { spoken(&panel.title) };
            out.push_str(&format!("{title}\n"));
        }
        let room = if labelled { labels::room(&panel.rows) } else { 0 };
        let size = size((grid.width(), grid.height()), (terminal.columns - room, 2 * lines));
        let mut scene = bare(&figure, grid, size, Capacity::default(), None)?.scene;
        if let (Some(panel), [Item::Cells(cells)]) = (colours.get(i), scene.items.as_mut_slice()) {
            (cells.scale, cells.centre) = (Arc::new(own_scale(&figure, panel, grid)), panel.centre);
        }
        let blocks = half_blocks(&draw(&scene, std::slice::from_ref(grid), &mut fonts), depth);
        let [Item::Cells(cells)] = scene.items.as_slice() else { continue };
        if !labelled {
            out.push_str(&blocks);
            continue;
        }
        out.push_str(&labels::beside(&blocks, &panel.rows, cells.rows.spans(), room));
        out.push_str(&labels::below(&panel.columns, cells.columns.spans(), room));
        // Panels of one scale have it once, below the last of them.
        let next = frame.panels.get(i + 1).filter(|_| i + 1 < shown);
        if next.is_none_or(|next| next.scale != panel.scale) {
            let title = frame.bars.get(panel.scale).map_or("", |bar| bar.label.as_str());
            out.push_str(&labels::scale(&cells.scale, title, terminal.columns, depth));
        }
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

/// The colours that a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// 24 bits.
    True,
    /// The 256-colour palette: a cube of 6 x 6 x 6 and 24 greys.
    Palette,
}

/// The channel values of the palette's cube.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The picture as text, a line for two rows of pixels. Transparent pixels show the terminal's background, and every
/// line ends with the terminal's default colours.
fn half_blocks(image: &Image, depth: Depth) -> String {
    let mut out = String::new();
    for y in (0..image.height).step_by(2) {
        let mut pen = (None, None);
        for x in 0..image.width {
            let pixel = |y: u32| (y < image.height).then(|| image.at(x, y)).filter(|c| c.alpha() > 0);
            let (glyph, ink, ground) = match (pixel(y), pixel(y + 1)) {
                (Some(upper), lower) => ('▀', Some(upper), lower),
                (None, Some(lower)) => ('▄', Some(lower), None),
                (None, None) => (' ', None, None),
            };
            // A blank shows no ink, so the ink need not change.
            let new = (ink.or(pen.0), ground);
            let mut codes = Vec::new();
            if let Some(c) = new.0.filter(|_| new.0 != pen.0) {
                codes.push(format!("38;{}", code(c, depth)));
            }
            if new.1 != pen.1 {
                codes.push(ground.map_or("49".to_owned(), |c| format!("48;{}", code(c, depth))));
            }
            if !codes.is_empty() {
                let _ = write!(out, "\u{1b}[{}m", codes.join(";"));
            }
            out.push(glyph);
            pen = new;
        }
        out.push_str(if pen == (None, None) { "\n" } else { "\u{1b}[0m\n" });
    }
    out
}

/// The parameters of a colour after `38;` and `48;`. Translucent colours are blended with white, as in a picture.
fn code(color: Color, depth: Depth) -> String {
    let [r, g, b, _] = color.over(Color::WHITE).rgba();
    match depth {
        Depth::True => format!("2;{r};{g};{b}"),
        Depth::Palette => format!("5;{}", nearest([r, g, b])),
    }
}

/// The nearest colour of the palette by the sum of squared differences of the channels. The first 16 colours are left
/// out, because users change them.
fn nearest(rgb: [u8; 3]) -> u8 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    let level = |v: u8| (0..6u8).min_by_key(|&i| square(CUBE[usize::from(i)], v)).unwrap_or(0);
    let cube = rgb.map(level);
    let from_cube: u32 = cube.iter().zip(rgb).map(|(&i, v)| square(CUBE[usize::from(i)], v)).sum();
    let from_grey = |i: u8| rgb.iter().map(|&v| square(8 + 10 * i, v)).sum::<u32>();
    match (0..24).min_by_key(|&i| from_grey(i)) {
        Some(grey) if from_grey(grey) < from_cube => 232 + grey,
        _ => 16 + 36 * cube[0] + 6 * cube[1] + cube[2],
    }
}

/// The colours and the size of a terminal.
#[derive(Debug, PartialEq)]
pub(super) struct Terminal {
    /// The colours, or why none may be used.
    pub depth: Result<Depth, &'static str>,
    /// Characters per line.
    pub columns: usize,
    pub lines: usize,
}

impl Terminal {
    /// The terminal of standard output.
    pub(super) fn of_stdout() -> Self {
        let size = console::Term::stdout().size_checked();
        Self::new(|name| std::env::var(name).ok(), size)
    }

    /// Reads the environment. `size` is the number of lines and columns that the terminal reports; LINES and COLUMNS
    /// override it.
    fn new(var: impl Fn(&str) -> Option<String>, size: Option<(u16, u16)>) -> Self {
        let set = |name: &str| var(name).filter(|v| !v.is_empty());
        let number = |name: &str| set(name)?.parse::<usize>().ok().filter(|n| (1..=1000).contains(n));
        let depth = match (set("NO_COLOR"), set("TERM"), set("COLORTERM")) {
            (Some(_), _, _) => Err("NO_COLOR is set"),
            (_, Some(term), _) if term == "dumb" => Err("TERM is dumb"),
            (_, _, Some(c)) if c.contains("truecolor") || c.contains("24bit") => Ok(Depth::True),
            _ => Ok(Depth::Palette),
        };
        let own = |side: u16| Some(usize::from(side)).filter(|s| *s > 0);
        let columns = number("COLUMNS").or(size.and_then(|s| own(s.1))).unwrap_or(80);
        let lines = number("LINES").or(size.and_then(|s| own(s.0))).unwrap_or(24);
        Self { depth, columns, lines }
    }
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

    const RED: Color = Color::rgb(255, 0, 0);
    const BLUE: Color = Color::rgb(0, 0, 254);

    fn image(width: u32, colors: &[Color]) -> Image {
        let pixels = colors.iter().flat_map(Color::rgba).collect();
        Image { width, height: colors.len() as u32 / width, pixels }
    }

    #[test]
    fn two_pixels_share_a_character() {
        let four = image(2, &[RED, Color::BLACK, BLUE, Color::WHITE]);
        let want = "\u{1b}[38;2;255;0;0;48;2;0;0;254m▀\u{1b}[38;2;0;0;0;48;2;255;255;255m▀\u{1b}[0m\n";
        assert_eq!(half_blocks(&four, Depth::True), want);
        let want = "\u{1b}[38;5;196;48;5;21m▀\u{1b}[38;5;16;48;5;231m▀\u{1b}[0m\n";
        assert_eq!(half_blocks(&four, Depth::Palette), want);
    }

    #[test]
    fn a_colour_is_written_only_when_it_changes() {
        let two_lines = image(3, &[RED, RED, RED, BLUE, BLUE, RED, RED, RED, RED]);
        let want = "\u{1b}[38;2;255;0;0;48;2;0;0;254m▀▀\u{1b}[48;2;255;0;0m▀\u{1b}[0m\n\u{1b}[38;2;255;0;0m▀▀▀\u{1b}[0m\n";
        assert_eq!(half_blocks(&two_lines, Depth::True), want);
    }

    #[test]
    fn transparent_pixels_show_the_terminals_background() {
        let (none, half) = (Color::CLEAR, Color::rgba_of(0, 0, 0, 128));
        let mixed = image(4, &[none, RED, none, half, none, none, RED, none]);
        let want = " \u{1b}[38;2;255;0;0m▀▄\u{1b}[38;2;127;127;127m▀\u{1b}[0m\n";
        assert_eq!(half_blocks(&mixed, Depth::True), want);
        let after = image(2, &[RED, none, BLUE, none]);
        assert_eq!(half_blocks(&after, Depth::Palette), "\u{1b}[38;5;196;48;5;21m▀\u{1b}[49m \u{1b}[0m\n");
        assert_eq!(half_blocks(&image(3, &[none; 3]), Depth::True), "   \n");
    }

    #[test]
    fn the_palettes_nearest_colour_is_taken() {
        for (rgb, want) in [
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([9, 8, 8], 232),
            ([0x9e, 0x9e, 0x9e], 247),
            ([95, 135, 175], 67),
            ([68, 1, 84], 53),
            ([253, 231, 36], 220),
        ] {
            assert_eq!(nearest(rgb), want, "{rgb:?}");
        }
    }

    fn of(vars: &[(&str, &str)], size: Option<(u16, u16)>) -> Terminal {
        Terminal::new(|name| vars.iter().find(|v| v.0 == name).map(|v| v.1.to_owned()), size)
    }

    #[test]
    fn the_environment_decides_colours_and_size() {
        let depth = |vars: &[(&str, &str)]| of(vars, None).depth;
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("TERM", "xterm")]), Ok(Depth::True));
        assert_eq!(depth(&[("COLORTERM", "24bit")]), Ok(Depth::True));
        assert_eq!(depth(&[("COLORTERM", "yes"), ("NO_COLOR", "")]), Ok(Depth::Palette));
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), Err("NO_COLOR is set"));
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("TERM", "dumb")]), Err("TERM is dumb"));
        let size = |vars: &[(&str, &str)], own| Some(of(vars, own)).map(|t| (t.columns, t.lines));
        assert_eq!(size(&[], None), Some((80, 24)));
        assert_eq!(size(&[], Some((50, 132))), Some((132, 50)));
        assert_eq!(size(&[("COLUMNS", "40"), ("LINES", "many")], Some((50, 132))), Some((40, 50)));
        assert_eq!(size(&[("COLUMNS", "0")], Some((0, 0))), Some((80, 24)));
    }
}
