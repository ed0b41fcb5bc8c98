//! Random commands on figures of several kinds, devices destroyed and data replaced in between: after each storm the picture
//! is what `render` draws of the state's own description.
#![cfg(feature = "window")]

use crate::support::random::Random;
use gridscope::Fonts;
use gridscope::Image;
use gridscope::figure::{Figure, Origin, Reduce, Toggle};
use gridscope::gpu::{AdapterPreference, Context, GpuError, Painter, PainterOptions, Worker};
use gridscope::grid::{Axis, State, Summaries, Values};
use gridscope::input::{Format, read_figure};
use gridscope::{Grid, render};
use gridscope::{Point, PxSize};
use gridscope_core::view::{EdgeTable, Part, View};
use gridscope_draw::raster;
use gridscope_draw::scene::Scene;
use gridscope_window::{
    Action, Colors, Command, Data, DeviceFolds, Drag, Effect, Entry, Erased, Reach, Session, Typing,
};
use std::sync::Arc;

/// Commands of one storm.
const COMMANDS: usize = 50;
/// Storms in a short run; STORMS sets another number, `STORM_SEED` runs one alone.
const SHORT: u64 = 64;

/// Random commands.
trait Commands {
    fn share(&mut self) -> f64;
    fn is(&mut self, in_ten: u64) -> bool;
}

impl Commands for Random {
    fn share(&mut self) -> f64 {
        f64::from(self.below(1 << 20)) / f64::from(1 << 20)
    }

    fn is(&mut self, in_ten: u64) -> bool {
        self.below(10) < in_ten
    }
}

/// A grid of f32, which the device folds.
fn narrow(rows: usize, columns: usize, values: impl Iterator<Item = f64>) -> Grid {
    let values = Values::F32 { data: values.map(|v| v as f32).collect(), integer: false };
    Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap()
}

/// A matrix, a table with names and a nested axis, panels, hard values under a log norm; some `rows` shorter or longer, all
/// values times `scale`.
fn figures(rows: usize, scale: f64) -> Vec<(&'static str, Figure, Vec<Grid>)> {
    let noise = |i: usize| ((i * 7919 + i / 7 * 104_729) % 100_003) as f64 / 1000.0 * scale;
    let small = |mut f: Figure| {
        // What is saved whole is drawn at this size.
        (f.size.width, f.size.height) = (Some("300px".parse().unwrap()), Some("240px".parse().unwrap()));
        f
    };
    let value = |i: usize| if i % 1009 == 5 { f64::NAN } else { noise(i) };
    let matrix = narrow(rows, 900, (0..rows * 900).map(value));
    let labels = |n: usize, of: &str| (0..n).map(|i| format!("{of} {i}")).collect::<Vec<_>>();
    let mut named = Grid::from_rows(14, 12, (0..168).map(|i| noise(i) - 40.0).collect()).unwrap();
    named.set_rows(Axis::category("method", labels(14, "method"))).unwrap();
    let outer = (0..12).map(|i| if i < 5 { "short" } else { "long" }.to_owned()).collect();
    named.set_columns(Axis::nested("length,seed", vec![outer, labels(12, "s")])).unwrap();
    let mut table = Figure { title: Some("A table".to_owned()), ..Figure::default() };
    (table.annotations.mark, table.square) = ("max".parse().ok(), Some(Toggle::Off));
    let panels = (0..3).map(|p| {
        let mut g =
            Grid::from_rows(9, 11, (0..99).map(|i| noise(i * (p + 2)) * (p + 1) as f64).collect()).unwrap();
        g.set_name(format!("panel {p}"));
        g
    });
    let mut several = Figure { origin: Some(Origin::Lower), columns: Some(2), ..Figure::default() };
    several.color.scale = Some("panel".to_owned());
    let mut hard = narrow(60, 80, (0..4800).map(|i| noise(i).powi(3) - 5.0));
    for (i, state) in State::ALL.into_iter().enumerate() {
        (0..30).for_each(|k| hard.set_state(k, i * 9 + k % 7, state));
    }
    let infinite = (0..4800).map(|i| match i % 97 {
        0 => f64::INFINITY,
        _ => noise(i).powi(3) - 5.0,
    });
    let mut other = narrow(60, 80, infinite);
    hard.set_name("hard");
    other.set_name("infinite");
    let mut log = Figure::default();
    log.color.norm = Some("log".parse().unwrap());
    vec![
        ("matrix", small(Figure::default()), vec![matrix]),
        ("table", small(table), vec![named]),
        ("panels", small(several), panels.collect()),
        ("log", small(log), vec![hard, other]),
    ]
}

/// A place: on a body, a bar, an axis, now and then anywhere.
fn place(r: &mut Random, session: &Session) -> Point {
    let geometry = session.geometry();
    let (w, h) = (f64::from(geometry.size.w), f64::from(geometry.size.h));
    let within =
        |r: &mut Random, x: f64, y: f64, w: f64, h: f64| Point { x: x + w * r.share(), y: y + h * r.share() };
    let body = geometry.panels.get(r.below(geometry.panels.len() as u64) as usize).map(|p| p.body.rect());
    let bar = geometry
        .bars
        .get(r.below(geometry.bars.len() as u64) as usize)
        .and_then(|b| b.as_ref())
        .map(|b| b.ramp.rect());
    match (r.below(12), body, bar) {
        (0..=6, Some(b), _) => within(r, b.x, b.y, b.w, b.h),
        (7, Some(b), _) => within(r, b.x, b.bottom(), b.w, 20.0),
        (8, Some(b), _) => within(r, b.x - 20.0, b.y, 20.0, b.h),
        (9..=10, _, Some(b)) => within(r, b.x, b.y, b.w, b.h),
        (11, _, _) if r.is(1) => Point { x: f64::INFINITY, y: -1e300 },
        _ => within(r, -50.0, -50.0, w + 100.0, h + 100.0),
    }
}

/// Any command but the end.
fn command(r: &mut Random, session: &Session) -> Command {
    let at = place(r, session);
    let alone = r.is(2);
    let cells = |r: &mut Random, n: usize| {
        let a = r.below(n as u64 + 3) as usize;
        a..a + 1 + r.below(5) as usize
    };
    match r.below(40) {
        0 => Command::Point(at),
        1 => Command::Leave,
        2..=6 => {
            Command::Zoom { at, factor: r.pick(&[1.15, 1.15, 1.15, 1.0 / 1.15, 3.0, 0.2, 1e6, 1e-6]), alone }
        }
        7..=8 => Command::Pan {
            at,
            by: Point { x: 200.0 * r.share() - 100.0, y: 200.0 * r.share() - 100.0 },
            alone,
        },
        9..=10 => {
            Command::Begin { drag: r.pick(&[Drag::Pan, Drag::Box, Drag::Select, Drag::Limits]), at, alone }
        }
        11..=14 => Command::Move(at),
        15..=16 => Command::End(at),
        17 => Command::Do(Action::Cancel),
        18 => Command::Fit { at, alone },
        19 => {
            let far = r.pick(&[1, 1, 3, i32::MAX]);
            let reach = r.pick(&[Reach::Step, Reach::Page, Reach::Edge]);
            Command::Step { right: far * r.pick(&[-1, 0, 1]), down: far * r.pick(&[-1, 0, 1]), reach }
        }
        20 => Command::Nearer(r.pick(&[1.5, 1.0 / 1.5, 40.0])),
        21 => r.pick(&[
            Command::Do(Action::Home),
            Command::Do(Action::Actual),
            Command::Do(Action::Back),
            Command::Do(Action::Forward),
        ]),
        22 => Command::Do(Action::Square),
        23 => {
            let mut part = |n: f64| {
                let from = (r.share() * 1.2 - 0.1) * n;
                Part { from, to: from + r.share() * n + 1e-9 }
            };
            Command::Show(View { x: part(12.0), y: part(10.0) })
        }
        24 => Command::Click { at, extend: alone },
        25 => Command::Select { panel: r.below(4) as usize, rows: cells(r, 15), columns: cells(r, 15) },
        26 => Command::Do(Action::NextMaximum),
        27 => Command::Type(r.pick(&[
            Typing::Open(Entry::Search),
            Typing::Open(Entry::Prompt),
            Typing::Text("s 7".to_owned()),
            Typing::Text("m".to_owned()),
            Typing::Erase(Erased::Before),
            Typing::Enter { back: false },
        ])),
        28 => Command::Reduce(None),
        29 => Command::Reduce(Some(r.pick(&[
            Reduce::Mean,
            Reduce::Min,
            Reduce::Max,
            Reduce::Extreme,
            Reduce::Count,
        ]))),
        30 => Command::Colors(Colors::Turn(r.pick(&[1, -1, 7]))),
        31 => Command::Colors(Colors::Map(
            r.pick(&["viridis", "tab10", "RdBu_r", "#a00,#0f0,white"]).to_owned(),
        )),
        32 => Command::Colors(r.pick(&[
            Colors::Invert,
            Colors::Auto,
            Colors::Center(Some(0.0)),
            Colors::Center(Some(20.5)),
            Colors::Center(None),
            Colors::InView,
            Colors::Percentiles(2.0, 98.0),
            Colors::Low(1.0),
            Colors::High(50.0),
        ])),
        33 => Command::Colors(Colors::NextNorm),
        34 => Command::Colors(Colors::Norm(
            r.pick(&["linear", "log", "symlog:0.5,2", "twoslope", "bounds:0,10,50", "power:0.5"]).to_owned(),
        )),
        35 => Command::Colors(r.pick(&[
            Colors::Limits(2.0, 60.0),
            Colors::Limits(-5.0, 5.0),
            Colors::Limits(1e-3, 1e5),
        ])),
        36 => r.pick(&[
            Command::Do(Action::Annotations),
            Command::Do(Action::Borders),
            Command::Do(Action::Labels),
        ]),
        37 => r.pick(&[
            Command::Effect(Effect::Copy),
            Command::Effect(Effect::CopyPicture),
            Command::Effect(Effect::Save),
            Command::Effect(Effect::SaveFigure),
            Command::Effect(Effect::Write),
        ]),
        _ => r.pick(&[
            Command::Do(Action::Keys),
            Command::Do(Action::Frames),
            Command::Effect(Effect::FullScreen),
        ]),
    }
}

/// A body as it was read back, or as it is wanted.
struct Read {
    grid: usize,
    columns: EdgeTable,
    rows: EdgeTable,
    all: Option<Arc<Summaries>>,
}

/// The folds of a window's device.
struct Folds<'a> {
    painter: &'a mut Painter,
    reads: &'a mut Vec<Read>,
    grids: Arc<Vec<Grid>>,
}

impl DeviceFolds for Folds<'_> {
    fn known(&mut self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Option<Arc<Summaries>> {
        let is = |r: &&Read| r.grid == grid && r.columns == *columns && r.rows == *rows;
        if let Some(read) = self.reads.iter().find(is) {
            return read.all.clone();
        }
        self.reads.retain(|r| r.grid != grid);
        self.reads.push(Read { grid, columns: columns.clone(), rows: rows.clone(), all: None });
        None
    }

    fn fold(
        &mut self,
        grid: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
    ) -> Result<Arc<Summaries>, gridscope::Error> {
        let ahead = self.painter.fold_ahead(grid, columns, rows);
        Ok(Arc::new(match ahead.and_then(|()| self.painter.fold(grid, columns, rows)) {
            Ok(folded) => folded.into(),
            Err(_) => self.grids[grid].fold(columns.spans(), rows.spans())?,
        }))
    }
}

/// A session on a device of its own, drawn as in a window.
struct Window {
    session: Session,
    context: Context,
    painter: Painter,
    sizes: PainterOptions,
    held: bool,
    reads: Vec<Read>,
}

impl Window {
    fn new(figure: &Figure, grids: &[Grid], worker: Worker) -> Self {
        let sizes = PainterOptions { worker, ..PainterOptions::default() };
        let session = Session::new(figure.clone(), Data::new(grids.to_vec()).unwrap(), Fonts::new()).unwrap();
        let context = Context::open(&AdapterPreference::default()).unwrap();
        let painter = Painter::with_options(&context, sizes).unwrap();
        let mut window = Self { session, context, painter, sizes, held: false, reads: Vec::new() };
        window.hold();
        window
    }

    /// Nothing is uploaded to a software device: the CPU folds and paints.
    fn hold(&mut self) {
        self.reads.clear();
        self.held = self.sizes.worker == Worker::Device
            && self.painter.upload(self.session.grids_and_fonts().0, &mut |_, _| ()).is_ok();
    }

    fn recover(&mut self) {
        self.context = Context::open(&AdapterPreference::default()).unwrap();
        self.painter = Painter::with_options(&self.context, self.sizes).unwrap();
        self.hold();
    }

    /// The scene of a frame.
    fn scene(&mut self) -> Scene {
        let grids = self.session.geometry().grids.clone();
        if self.held {
            let (painter, reads) = (&mut self.painter, &mut self.reads);
            self.session.draw(Some(&mut Folds { painter, reads, grids }))
        } else {
            self.session.draw(None)
        }
        .unwrap()
    }

    /// The scene of a view at rest, once the Summaries that it was drawn without are there.
    fn complete(&mut self) -> Scene {
        let scene = self.scene();
        self.paint(&scene);
        let arrived = self.reads.iter_mut().filter(|r| r.all.is_none()).map(|r| {
            let coming = self.painter.read_fold(r.grid, &r.columns, &r.rows).ok().flatten();
            let grid = &self.session.geometry().grids[r.grid];
            let of_cpu = || grid.fold(r.columns.spans(), r.rows.spans()).unwrap();
            let all = coming.and_then(|c| c.take().ok()).map(Summaries::from);
            r.all = Some(Arc::new(all.unwrap_or_else(of_cpu)));
        });
        if arrived.count() > 0 {
            self.session.summaries_arrived();
        }
        self.scene()
    }

    /// A scene on the device; a lost one is replaced once.
    fn paint(&mut self, scene: &Scene) -> Image {
        for _ in 0..2 {
            let (grids, fonts) = self.session.grids_and_fonts();
            match self.painter.draw(scene, grids, fonts) {
                Ok(image) => return image,
                Err(GpuError::Lost(_)) => self.recover(),
                Err(e) => panic!("{e}"),
            }
        }
        panic!("two devices in a row were lost");
    }

    /// Applies a command and its effect, without files and clipboard.
    fn apply(&mut self, command: &Command) {
        match self.session.apply(command) {
            Some(Effect::Copy) => drop(self.session.cells_as_tsv()),
            Some(Effect::CopyPicture | Effect::Save) => drop(self.session.picture()),
            Some(Effect::SaveFigure) => drop(self.session.whole_figure()),
            // Without a figure there is nothing to write or save.
            Some(Effect::Write) => {
                assert!(self.session.figure_file().is_ok() || self.session.picture().is_err());
            }
            Some(_) | None => {}
        }
    }
}

/// The number of pixels that differ by more than 1 in a channel, and of all pixels.
fn wrong(a: &Image, b: &Image) -> (usize, usize) {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let pixels = a.pixels.chunks_exact(4).zip(b.pixels.chunks_exact(4));
    (pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 1)).count(), a.pixels.len() / 4)
}

/// Means that the device sums in another order may be a colour off in a pixel of 1,000.
fn check(what: &str, (wrong, all): (usize, usize), folds: bool) {
    assert!(if folds { wrong * 1000 <= all } else { wrong == 0 }, "{what}: {wrong} of {all} pixels differ");
}

/// Tells its story as it goes, for where it ends early.
fn storm(seed: u64, (name, figure, grids): &(&str, Figure, Vec<Grid>), others: &[Grid], story: &mut String) {
    let r = &mut Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x9e37_79b9);
    let worker = if seed % 8 < 4 { Worker::Cpu } else { Worker::Device };
    let mut window = Window::new(figure, grids, worker);
    let lost = (seed / 8).is_multiple_of(4).then(|| r.below(COMMANDS as u64));
    let replaced = (seed / 8 % 4 == 1).then(|| r.below(COMMANDS as u64));
    let unit = r.pick(&[1.0, 1.0, 1.0, 2.0]);
    let size = PxSize { w: (400.0 * unit) as u32, h: (300.0 * unit) as u32 };
    window.session.resize(size, unit);
    window.scene();
    *story +=
        &format!("# {name}, {} x {} at scale {unit}, folded and painted by {worker:?}\n", size.w, size.h);
    for i in 0..COMMANDS as u64 {
        if r.is(1) && r.is(5) {
            let size = PxSize { w: r.pick(&[0, 1, 60, 250, 800]), h: r.pick(&[0, 1, 60, 250, 600]) };
            *story += &format!("size {} {}\n", size.w, size.h);
            window.session.resize(size, unit);
        } else {
            let command = command(r, &window.session);
            *story += &format!("{command}\n");
            window.apply(&command);
        }
        if lost == Some(i) {
            *story += "lose-device\n";
            window.context.device().destroy();
        }
        if replaced == Some(i) {
            *story += "# other data\n";
            window.session.replace(figure.clone(), Data::new(others.to_vec()).unwrap()).unwrap();
            window.hold();
        }
        // Commands that come together share a frame.
        if r.is(5) {
            let scene = window.scene();
            if r.is(2) {
                window.paint(&scene);
            }
        }
        if r.is(1) {
            window.session.rest();
        }
    }
    window.session.resize(size, unit);
    window.scene();
    window.session.rest();
    let scene = window.complete();
    assert!(!window.session.is_damaged() && !window.session.is_moving());
    let folds = window.held;
    let (shown, (all, fonts)) = (window.paint(&scene), window.session.grids_and_fonts());
    check("overlay and all", wrong(&shown, &raster::draw(&scene, all, fonts)), folds);
    let grids = if replaced.is_some() { others } else { grids };
    let (scene, _) = window.session.picture().unwrap();
    let shown = window.paint(&scene);
    let written = window.session.figure_file().unwrap();
    *story += &written;
    let figure = read_figure(written.as_bytes(), "", Format::Toml).unwrap();
    let (all, fonts) = window.session.grids_and_fonts();
    let saved = raster::draw(&scene, all, fonts);
    for (of, figure) in [("described", window.session.figure()), ("written", figure)] {
        let drawn = render(&figure, grids).unwrap_or_else(|e| panic!("{of}: {e}")).picture;
        // The picture ends above the status line.
        let part = |of: &Image| Image {
            width: drawn.width,
            height: drawn.height,
            pixels: of.pixels[..drawn.pixels.len()].to_vec(),
        };
        check(of, wrong(&part(&shown), &drawn), folds);
        assert!(part(&saved) == drawn, "{of}: a saved picture has the CPU's bytes");
    }
}

#[test]
fn after_a_storm_of_commands_the_picture_is_what_render_draws() {
    if crate::support::adapter::context().is_none() {
        return;
    }
    let number = |name| std::env::var(name).ok().and_then(|s| s.parse::<u64>().ok());
    let seeds = match number("STORM_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("STORMS").unwrap_or(SHORT),
    };
    let (figures, others) = (figures(700, 1.0), figures(650, 0.5));
    let mut failed = Vec::new();
    for seed in seeds {
        let at = (seed % 4) as usize;
        let mut story = String::new();
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            storm(seed, &figures[at], &others[at].2, &mut story);
        }));
        if let Err(e) = run {
            let text = e
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| e.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            failed.push(format!("STORM_SEED={seed}: {}\n{story}", text.unwrap_or_default()));
        }
    }
    assert!(failed.is_empty(), "{} storms:\n{}", failed.len(), failed.join("\n"));
}
