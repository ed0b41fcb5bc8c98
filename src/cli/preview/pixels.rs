//! The whole figure in pixels of the terminal, as `render` draws it.

use super::Terminal;
use super::inline::{iterm2, kitty};
use super::sixel::{MOST_COLOURS, sixel};
use crate::load::Job;
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, Length, Side, Size, Unit};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::fonts::fonts;
use gridscope_draw::layout::layout;
use gridscope_draw::picture::Picture;
use gridscope_draw::png::{Effort, Texts, encode};
use gridscope_draw::render::{Capacity, PrepareOptions, prepare_with};
use gridscope_draw::resolve::{Overrides, frame};
use std::ops::RangeInclusive;

/// A character in pixels where the terminal does not say it: that of a DEC VT340, and of Windows Terminal to its programs.
const USUAL_CELL: [u32; 2] = [10, 20];
/// Pixels of a side of a character that are believed.
const CELL: RangeInclusive<u32> = 4..=256;
/// The largest picture: that of an 8K screen. kitty refuses sides of more than 10,000 pixels.
const MOST: [u32; 2] = [7680, 4320];
/// Part of a character's height that is the size of its font.
const EM: f64 = 0.8;
/// Lines that stay free above the picture or for the prompt.
const FREE_LINES: usize = 2;
/// Lines that a picture may take in any terminal that has them, and the part that it may take of higher ones.
const LINES: (usize, f64) = (22, 2.0 / 3.0);
/// A figure's size of text in inches, unless it gives one.
const TEXT: f64 = 9.0 / 72.0;
/// Its resolution, by which it gives pixels.
const DPI: f64 = 200.0;
/// How often a wider figure is tried; each halves what is left of the room beside it.
const WIDENINGS: usize = 6;
/// The resolutions that figures may have.
const ALLOWED_DPI: [f64; 2] = [1.0, 10_000.0];

/// How a terminal takes pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Kitty,
    Iterm2,
    Sixel,
}

/// What is known of a terminal that shows pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen {
    pub protocol: Protocol,
    /// Width and height of a character in pixels.
    pub cell: [u32; 2],
    /// The most colours of a sixel picture.
    pub colours: usize,
    /// The largest picture: width and height.
    pub most: [u32; 2],
}

impl Screen {
    /// A terminal that nothing but the size of a character is known of, if that is.
    pub(super) fn new(protocol: Protocol, cell: Option<[u32; 2]>) -> Self {
        Self { protocol, cell: cell.filter(is_cell).unwrap_or(USUAL_CELL), colours: MOST_COLOURS, most: MOST }
    }

    /// The pixels that a picture may have: whole characters, all columns and part of the lines.
    fn room(&self, terminal: &Terminal) -> PxSize {
        let part = (terminal.lines as f64 * LINES.1) as usize;
        let lines = terminal.lines.saturating_sub(FREE_LINES).min(LINES.0).max(part);
        let [w, h] = [(terminal.columns, 0), (lines, 1)].map(|(cells, i)| {
            let cells = (cells as u32).min(self.most[i] / self.cell[i]).max(1);
            cells.saturating_mul(self.cell[i])
        });
        PxSize { w, h }
    }
}

/// Whether a character can have this width and height in pixels.
pub(super) fn is_cell(cell: &[u32; 2]) -> bool {
    cell.iter().all(|side| CELL.contains(side))
}

/// The figure, with the cursor on the line below it.
pub(super) fn text(job: &Job, terminal: &Terminal, screen: &Screen) -> Result<String, Error> {
    let (grids, left) = (&job.loaded.grids, job.budget.left());
    let room = screen.room(terminal);
    let mut fonts = fonts(&job.figure, grids, left)?;
    let figure = fitted(&job.figure, grids, room, EM * f64::from(screen.cell[1]), &mut fonts)?;
    let fits = |size: PxSize| match size.w <= room.w && size.h <= room.h {
        true => Ok(()),
        false => Err(Error::limit("the figure is larger than the terminal")),
    };
    let options =
        PrepareOptions { capacity: Capacity::within(left), check_size: &fits, ..PrepareOptions::default() };
    let prepared = prepare_with(&figure, grids, &mut fonts, &mut Phases::new(), options)?;
    let image = Picture { memory: left, ..prepared.picture(grids) }.image(&mut fonts)?;
    let ground = prepared.scene.background.unwrap_or(Color::CLEAR);
    let (image, cells) = in_whole_cells(&image, ground, screen.cell);
    let png = || encode(&image, prepared.frame.dpi, Effort::Auto, Texts::default()).map_err(Error::from);
    let picture = match screen.protocol {
        Protocol::Kitty => kitty(&png()?, cells),
        Protocol::Iterm2 => iterm2(&png()?, cells),
        Protocol::Sixel => sixel(&image, screen.colours),
    };
    // Terminals differ in where a picture leaves the cursor, and in whether they scroll: so its lines are made first, and the
    // cursor returns to the place that it had.
    let lines = cells[1];
    Ok(format!("{}\u{1b}[{lines}A\u{1b}7{picture}\u{1b}8\u{1b}[{lines}B", "\n".repeat(lines as usize)))
}

/// What a figure says of its size, at the scale of a terminal.
struct Wanted {
    /// The sides that it gives, in inches.
    sides: [Option<f64>; 2],
    /// Size of its text in inches.
    font: f64,
    /// Pixels per inch.
    dpi: f64,
}

impl Wanted {
    /// With text of `em` pixels, or smaller where a side that is given is longer than `room`. None if the figure's resolution is
    /// not allowed.
    fn new(size: &Size, room: PxSize, em: f64) -> Option<Self> {
        let own = size.dpi.unwrap_or(DPI);
        if !(ALLOWED_DPI[0]..=ALLOWED_DPI[1]).contains(&own) {
            return None;
        }
        let inches = |length: &Length, bare: Unit| length.pixels(own, bare) / own;
        let sides = [&size.width, &size.height].map(|side| {
            let length = side.as_ref().and_then(Side::length).map(|l| inches(l, Unit::Pixel));
            length.filter(|l| *l > 0.0)
        });
        let font = size.font_size.as_ref().map_or(TEXT, |l| inches(l, Unit::Point));
        let fits =
            sides.into_iter().zip([room.w, room.h]).filter_map(|(side, most)| Some(f64::from(most) / side?));
        let dpi = fits.fold(em / font, f64::min).clamp(ALLOWED_DPI[0], ALLOWED_DPI[1]);
        Some(Self { sides, font, dpi })
    }

    /// The figure of this scale. A side of `pixels` goes over its own.
    fn figure(&self, figure: &Figure, pixels: [Option<u32>; 2]) -> Figure {
        let side = |i: usize| {
            let pixels = pixels[i].map(|n| Length::new(f64::from(n), Unit::Pixel));
            pixels.or_else(|| self.sides[i].map(Length::inches)).map(Side::Length)
        };
        let (width, height, font_size) = (side(0), side(1), Some(Length::inches(self.font)));
        Figure { size: Size { width, height, dpi: Some(self.dpi), font_size }, ..figure.clone() }
    }
}

/// The figure at a size that fits `room`, whose text has `em` pixels. A side and a size of text that the figure gives keep their
/// proportion; without them it is as large as it can be in its own shape.
fn fitted(
    figure: &Figure,
    grids: &[Grid],
    room: PxSize,
    em: f64,
    fonts: &mut Fonts,
) -> Result<Figure, Error> {
    let Some(wanted) = Wanted::new(&figure.size, room, em) else {
        // Drawing it reports what is wrong.
        return Ok(figure.clone());
    };
    let mut measured = |width: Option<u32>| -> Result<PxSize, Error> {
        let figure = wanted.figure(figure, [width, None]);
        Ok(layout(&frame(&figure, &Overrides::default(), grids)?, fonts)?.size)
    };
    let mut width = None;
    let mut size = measured(width)?;
    if wanted.sides[0].is_none() && size.w > room.w {
        width = Some(room.w);
        size = measured(width)?;
    } else if wanted.sides == [None; 2] && size.h < room.h {
        let (mut fits, mut beyond) = (size.w, room.w + 1);
        for _ in 0..WIDENINGS {
            let tried = fits.midpoint(beyond);
            match measured(Some(tried)) {
                Ok(taller) if taller.h <= room.h => (fits, size) = (tried, taller),
                _ => beyond = tried,
            }
        }
        width = Some(fits);
    }
    let is_high = wanted.sides[1].is_none() && size.h > room.h;
    Ok(wanted.figure(figure, [width, is_high.then_some(room.h)]))
}

/// The picture on a ground that covers whole characters, and their number: columns and lines.
fn in_whole_cells(image: &Image, ground: Color, cell: [u32; 2]) -> (Image, [u32; 2]) {
    let cells = [image.width.div_ceil(cell[0]), image.height.div_ceil(cell[1])];
    let mut whole = Image::filled(cells[0] * cell[0], cells[1] * cell[1], ground);
    let (from, to) = (image.width as usize * 4, whole.width as usize * 4);
    for (own, row) in image.pixels.chunks_exact(from).zip(whole.pixels.chunks_exact_mut(to)) {
        row[..from].copy_from_slice(own);
    }
    (whole, cells)
}
