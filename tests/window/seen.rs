//! Compares a window with the figure file that it writes, as drawn by `render`.

use super::viewer::Viewer;
use crate::support::image::{decode, differing};
use crate::support::program::bare;
use gridscope::Fonts;
use gridscope::Image;
use gridscope::Literal;
use gridscope::figure::Figure;
use gridscope::input::{ReadOptions, open, open_figure};
use gridscope_core::geom::Rect;
use gridscope_core::timing::Phases;
use gridscope_core::view::Part;
use gridscope_draw::render::prepare;
use gridscope_draw::scene::Item;
use std::path::Path;

/// Height of the toolbar above the figure, in pixels.
pub const TOOLBAR: u32 = 30;
/// Height of the status line below it.
pub const STATUS: u32 = 24;
/// Height of the slider of an axis above that.
const SLIDER: f64 = 22.0;

/// The window's figure as described by the file that the key `w` writes; places are in pixels of the window.
pub struct Seen {
    pub figure: Figure,
    /// Its cells, panel by panel.
    pub bodies: Vec<Rect>,
    /// The ramps of its bars.
    pub ramps: Vec<Rect>,
    /// Where histograms may be: beside the ramps.
    histograms: Vec<Rect>,
}

impl Seen {
    /// Reads a figure file and lays it out as in a window of scale factor 1.
    pub fn read(path: &Path) -> Self {
        Self::below(path, TOOLBAR)
    }

    /// The same below a toolbar of this height.
    fn below(path: &Path, toolbar: u32) -> Self {
        let figure = open_figure(path.to_str().unwrap()).unwrap().unwrap();
        let files = figure.data.file.clone().unwrap().0;
        let grids = open(&files, &figure, &ReadOptions::default(), 1 << 32).unwrap().grids;
        let prepared = prepare(&figure, &grids, &mut Fonts::new(), &mut Phases::new()).unwrap();
        let down = f64::from(toolbar);
        let bodies = prepared.layout.panels.iter().map(|p| p.body.rect().moved(0.0, down)).collect();
        let ramp = |i: &Item| {
            if let Item::Ramp { rect, horizontal, .. } = i {
                Some((rect.rect().moved(0.0, down), *horizontal))
            } else {
                None
            }
        };
        let ramps: Vec<(Rect, bool)> = prepared.scene.items.iter().filter_map(ramp).collect();
        let deep = 0.9 * prepared.frame.font_size;
        let before = |(r, horizontal): &(Rect, bool)| match horizontal {
            true => Rect::new(r.x, r.y - deep, r.w, deep),
            false => Rect::new(r.x - deep, r.y, deep, r.h),
        };
        Self {
            figure,
            bodies,
            histograms: ramps.iter().map(before).collect(),
            ramps: ramps.into_iter().map(|r| r.0).collect(),
        }
    }

    /// The view's ends along x and along y, in cells.
    pub fn view(&self) -> [[f64; 2]; 2] {
        let ends = |part: &Option<Literal<Part>>| {
            let part = part.as_deref().unwrap();
            [part.from, part.to]
        };
        [ends(&self.figure.view.x), ends(&self.figure.view.y)]
    }

    /// The pixel at shares of the first body.
    pub fn at(&self, x: f64, y: f64) -> (i32, i32) {
        let b = self.bodies[0];
        ((b.x + x * b.w) as i32, (b.y + y * b.h) as i32)
    }

    /// The position of a pixel along the first body, 0 to 1.
    pub fn share(&self, (x, y): (i32, i32)) -> [f64; 2] {
        let b = self.bodies[0];
        [(f64::from(x) - b.x) / b.w, (f64::from(y) - b.y) / b.h]
    }

    /// Limits as the first scale's words.
    pub fn limits(&self) -> (Option<f64>, Option<f64>) {
        (self.figure.color.vmin, self.figure.color.vmax)
    }
}

impl Viewer<'_> {
    /// The heights of toolbar and status line in this window.
    fn strips(&self) -> (u32, u32) {
        let scaled = |height: u32| (f64::from(height) * self.display.scale).round() as u32;
        (scaled(TOOLBAR), scaled(STATUS))
    }

    /// The window's figure as the window describes it.
    pub fn seen(&mut self) -> Seen {
        let path = self.new_file("w");
        Seen::below(&path, self.strips().0)
    }

    /// Writes the state, saves the view and draws the state by `render`: the same pixels.
    pub fn keeps_what_render_draws(&mut self) -> (Seen, Image) {
        // A size that the display gave meanwhile belongs to neither: the state is the same before and after the picture.
        let said = |path: &Path| std::fs::read_to_string(path).unwrap();
        let (words, saved) = loop {
            let (words, saved) = (self.new_file("w"), self.new_file("s"));
            if said(&words) == said(&self.new_file("w")) {
                break (words, saved);
            }
        };
        let drawn = self.folder().join("drawn.png");
        let run = bare()
            .arg("render")
            .arg(&words)
            .arg("-o")
            .arg(&drawn)
            .current_dir(self.folder())
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let [drawn, saved] = [drawn, saved].map(|p| decode(&std::fs::read(p).unwrap()));
        assert!(drawn == saved, "{}", std::fs::read_to_string(words).unwrap());
        (Seen::below(&words, self.strips().0), drawn)
    }

    /// The display shows what `render` draws, except for toolbar, sliders, status line and histograms.
    pub fn shows_what_render_draws(&mut self, size: (u32, u32)) -> Seen {
        self.point_away();
        // A script runs to its end, and sizes that were asked for are taken.
        self.rests();
        let (seen, drawn) = self.keeps_what_render_draws();
        let (toolbar, status) = self.strips();
        let sliders = seen.figure.data.slice.as_ref().map_or(0, |slices| slices.0.len());
        let sliders = (sliders as f64 * SLIDER * self.display.scale).round() as u32;
        assert_eq!((drawn.width, drawn.height), (size.0, size.1 - sliders - status - toolbar));
        let masked = |x: f64, y: f64| {
            let covers = |r: &Rect| x >= r.x - 1.0 && x < r.right() && y >= r.y - 1.0 && y < r.bottom() + 1.0;
            seen.histograms.iter().any(covers)
        };
        // A driver may pass a frame to the display in a thread of its own.
        self.wait_for("the picture that render draws", |v| {
            let mut shot = v.still(size);
            shot.pixels.drain(..(toolbar * size.0 * 4) as usize);
            shot.pixels.truncate(drawn.pixels.len());
            shot.height = drawn.height;
            let mut wrong = differing(&drawn, &shot, 1);
            wrong.retain(|(x, y)| !masked(f64::from(*x), f64::from(y + toolbar)));
            wrong.first().is_none_or(|at| {
                println!("{size:?}: {} pixels differ, the first at {at:?}", wrong.len());
                false
            })
        });
        seen
    }
}
