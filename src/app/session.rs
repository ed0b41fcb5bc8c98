//! A figure in a window: state and data to what is painted.

use super::command::Command;
use super::input::keys;
use super::overlay::{FrameTimes, KeyGroup, Notice, OverlayInput, Progress, overlay, status_height};
use super::reading::Readings;
use super::readout::view_text;
use super::state::{Damage, Effect, State};
use super::world::{BarAt, PanelAt, World};
use crate::color::Color;
use crate::error::Error;
use crate::figure::{Figure, Length, Reduce, TickLabels, Ticks, TicksWord};
use crate::geom::PxSize;
use crate::grid::{Ask, Digest, Grid, Stats, Summary};
use crate::layout::{Layout, Plan, track};
use crate::render::FoldBy;
use crate::resolve::{Annotate, Colours, Folded, Frame, Palette, ResolveError, frame, limits, notes, remember, rings, scales, states_of};
use crate::scene::{Item, Scene, compose};
use crate::text::Fonts;
use crate::view::{Part, View};
use std::sync::Arc;

/// A figure and its data, looked at through a window.
pub struct Session {
    /// As the user described it.
    figure: Figure,
    world: World,
    state: State,
    fonts: Fonts,
    digests: Vec<Digest>,
    damage: Damage,
    /// What was resolved for the last frame.
    shown: Option<Shown>,
    /// The figure as it was painted last, without any overlay.
    scene: Scene,
    /// The last frame had no rings, since the view moved.
    unrest: bool,
    /// Bodies that move are folded by the device that paints them.
    device_folds: bool,
    /// Texts and histograms of the overlay.
    readings: Readings,
    /// A file that is still being read: its name and how far.
    progress: Option<(String, Option<f64>)>,
    /// Why there is no figure in the window.
    trouble: Option<String>,
    times: Option<FrameTimes>,
    keys: Vec<KeyGroup>,
}

/// Grids all of whose cells were looked at once.
pub struct Data {
    grids: Vec<Grid>,
    digests: Vec<Digest>,
}

impl Data {
    /// Looks at all cells.
    ///
    /// # Errors
    /// When a source does not give its cells.
    pub fn new(grids: Vec<Grid>) -> Result<Self, Error> {
        let ask = Ask { positive: true, ..Ask::default() };
        let digests = grids.iter().map(|g| g.digest(&ask)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { grids, digests })
    }
}

/// A figure resolved; what a frame does not change is taken from the one before.
struct Shown {
    figure: Figure,
    frame: Frame,
    plan: Plan,
    colours: Option<Colours>,
}

impl Session {
    /// A figure in a window that has no size yet.
    ///
    /// # Errors
    /// When the figure does not fit its data.
    pub fn new(figure: Figure, data: Data, fonts: Fonts) -> Result<Self, Error> {
        let Data { grids, digests } = data;
        let stats: Vec<Stats> = digests.iter().map(|d| d.stats.clone()).collect();
        let world = World { grids: Arc::new(grids), stats: Arc::new(stats), unit: 1.0, ..World::default() };
        let scene = Scene { size: PxSize { w: 0, h: 0 }, background: None, items: Vec::new() };
        let (state, damage) = (State::default(), Damage { layout: true, ..Damage::default() });
        let mut session = Self {
            figure,
            world,
            state,
            fonts,
            digests,
            damage,
            shown: None,
            scene,
            unrest: false,
            device_folds: false,
            readings: Readings::default(),
            progress: None,
            trouble: None,
            times: None,
            keys: key_groups(),
        };
        // A figure that cannot be drawn at any size is refused before there is a window.
        session.place(PxSize { w: 4000, h: 3000 }, 1.0);
        session.resolve()?;
        Ok(session)
    }

    /// The same figure with its data as they are now: views and limits that a person set stay, automatic limits only widen.
    /// Gives how many values are new.
    ///
    /// # Errors
    /// As [`Session::new`]; the session then stays as it was.
    pub fn replace(&mut self, mut figure: Figure, data: Data) -> Result<u64, Error> {
        let values = |stats: &[Stats]| stats.iter().map(|s| s.values).sum::<u64>();
        let before = values(&self.world.stats);
        if let Some(colours) = self.shown.as_ref().and_then(|s| s.colours.as_ref()) {
            remember(&mut figure, &limits(&self.world.grids, colours));
        }
        let fonts = std::mem::take(&mut self.fonts);
        let mut next = match Self::new(figure, data, fonts) {
            Ok(next) => next,
            Err(e) => {
                self.fonts = Fonts::new();
                return Err(e);
            }
        };
        next.adopt(self);
        next.state = std::mem::take(&mut self.state);
        next.state.settle(&next.world);
        *self = next;
        Ok(values(&self.world.stats).saturating_sub(before))
    }

    /// Takes the place of another session of the same figure whose grids were coarser: the same parts are looked at.
    pub fn succeed(&mut self, before: &Session) {
        self.adopt(before);
        let (tracks, olds) = (&self.world.panels, &before.world.panels);
        for (((view, old), at), was) in self.state.views.iter_mut().zip(&before.state.views).zip(tracks).zip(olds) {
            let scaled = |p: Part, from: f64, to: f64| Part { from: p.from * to / from, to: p.to * to / from };
            view.x = scaled(old.x, was.x.length(), at.x.length());
            view.y = scaled(old.y, was.y.length(), at.y.length());
        }
        self.state.look = before.state.look.clone();
        (self.state.pointer, self.state.keys, self.state.frames) = (before.state.pointer, before.state.keys, before.state.frames);
        self.state.settle(&self.world);
    }

    /// The window is the same.
    fn adopt(&mut self, before: &Session) {
        self.place(before.world.size, before.world.unit);
        (self.device_folds, self.times) = (before.device_folds, before.times);
        self.damage.layout = true;
    }

    /// The window's size in pixels and its scale factor.
    pub fn place(&mut self, size: PxSize, unit: f64) {
        if (size, unit) != (self.world.size, self.world.unit) {
            (self.world.size, self.world.unit) = (size, unit);
            self.damage.layout = true;
        }
    }

    /// Whether moving bodies come without Summaries, for a device to fold.
    pub fn fold_on_device(&mut self, on: bool) {
        self.device_folds = on;
    }

    /// Does what a command asks; gives what is to be done outside.
    pub fn apply(&mut self, command: &Command) -> Option<Effect> {
        let linked = self.is_linked();
        let outcome = self.state.apply(command, &self.world);
        self.damage |= outcome.damage;
        self.damage.layout |= linked != self.is_linked();
        outcome.effect
    }

    /// Whether a frame is due.
    pub fn is_damaged(&self) -> bool {
        self.damage.any()
    }

    /// Whether the last frame left out what only a view at rest shows.
    pub fn is_unrest(&self) -> bool {
        self.unrest
    }

    /// Asks for that.
    pub fn settle(&mut self) {
        self.damage.view |= std::mem::take(&mut self.unrest);
    }

    /// What the state is asked about.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The data.
    pub fn grids(&self) -> &Arc<Vec<Grid>> {
        &self.world.grids
    }

    /// The fonts.
    pub fn fonts(&mut self) -> &mut Fonts {
        &mut self.fonts
    }

    /// The figure of the last frame, without any overlay.
    pub fn picture(&self) -> &Scene {
        &self.scene
    }

    /// Tells that a file is still being read, and how far.
    pub fn reads(&mut self, progress: Option<(String, Option<f64>)>) {
        self.damage.overlay |= self.progress != progress;
        self.progress = progress;
    }

    /// Tells a person something.
    pub fn say(&mut self, message: String) {
        self.state.message = Some(message);
        self.damage.overlay = true;
    }

    /// Tells the times of the frames before.
    pub fn time(&mut self, times: FrameTimes) {
        self.times = Some(times);
    }

    /// The figure's part of the window.
    fn canvas(&self) -> PxSize {
        let size = self.world.size;
        PxSize { w: size.w, h: size.h.saturating_sub(status_height(self.world.unit)).max(1) }
    }

    /// The figure with all that the state changes, at the window's size; `render` draws the same picture of it.
    pub fn described(&self) -> Figure {
        let mut figure = self.figure.clone();
        let names: Vec<(String, usize)> = self.world.grids.iter().zip(&self.world.scale_of).map(|(g, s)| (g.name.clone(), *s)).collect();
        self.state.look.onto(&mut figure, &names);
        let (size, px) = (self.canvas(), |v: u32| Some(Length(format!("{v}px"))));
        (figure.size.width, figure.size.height, figure.size.dpi) = (px(size.w), px(size.h), Some(96.0 * self.world.unit));
        self.views(&mut figure);
        figure
    }

    /// Whether all panels show the same part.
    fn is_linked(&self) -> bool {
        self.state.views.windows(2).all(|p| p[0] == p[1])
    }

    fn views(&self, figure: &mut Figure) {
        let text = |p: crate::view::Part| Some(format!("{}:{}", p.from, p.to));
        let Some(first) = self.state.views.first() else {
            // The parts come when the axes are known; bodies must leave their labels room.
            figure.view.x.get_or_insert_with(|| "0:1".to_owned());
            return;
        };
        (figure.view.x, figure.view.y) = (text(first.x), text(first.y));
        if !self.is_linked() {
            // Labels beside one panel would not be true of the others.
            figure.tick_labels = Some(TickLabels::Each);
        }
        for (g, v) in self.world.grids.iter().zip(&self.state.views) {
            if let Some(p) = figure.panels.get_mut(&g.name) {
                (p.view_x, p.view_y) = (None, None);
            }
            if v != first {
                let p = figure.panels.entry(g.name.clone()).or_default();
                (p.view_x, p.view_y) = (text(v.x), text(v.y));
            }
        }
    }

    /// Resolves figure and layout, unless they stand.
    fn resolve(&mut self) -> Result<(), Error> {
        if self.shown.is_some() && !self.damage.layout && !self.damage.colors {
            return Ok(());
        }
        let first = self.world.panels.is_empty() && self.state.views.is_empty();
        let figure = self.described();
        let grids = self.world.grids.clone();
        let mut frame = frame(&figure, &grids)?;
        let states = self.digests.iter().map(|d| d.stats.states_held()).fold(0, |all, s| all | s);
        frame.states = states_of(states);
        let stands = if self.damage.layout { None } else { self.shown.take().map(|s| s.plan) };
        let plan = match stands {
            Some(plan) => plan,
            None => Plan::new(&frame, &mut self.fonts)?,
        };
        self.world.scale_of = frame.panels.iter().map(|p| p.scale).collect();
        self.world.reduce = figure.reduce.by.unwrap_or_default();
        self.world.annotations = !matches!(frame.annotate, Annotate::Off);
        self.world.borders = frame.cell_lines.is_some();
        self.world.labels = [&frame.x, &frame.y].iter().any(|a| a.ticks != Ticks::Word(TicksWord::None));
        self.world.square = frame.square;
        self.shown = Some(Shown { figure, frame, plan, colours: None });
        if first {
            self.open()?;
        }
        Ok(())
    }

    /// The first state: the views that the figure asks for, else all of the data.
    fn open(&mut self) -> Result<(), Error> {
        let Some(shown) = &mut self.shown else { return Ok(()) };
        let own = self.figure.view.x.is_some() || self.figure.panels.values().any(|p| p.view_x.is_some());
        let parts: Vec<_> = shown.frame.panels.iter().map(|p| (p.part_x.filter(|_| own), p.part_y)).collect();
        let layout = shown.plan.layout(&shown.frame, &mut self.fonts);
        self.world.panels = panels(&shown.frame, &layout);
        let folded: Vec<Folded<'_>> = self.digests.iter().map(|digest| Folded { digest, body: None, strips: None }).collect();
        let colours = scales(&shown.figure, &shown.frame, &self.world.grids, &folded)?;
        self.world.scales = colours.bars.iter().map(|b| b.scale.clone()).collect();
        let square = self.world.square;
        self.state = State::new(&self.world);
        // Zooms keep cells square where the figure does.
        self.state.look.square = square.then_some(true);
        self.state.settle(&self.world);
        for (view, (x, y)) in self.state.views.iter_mut().zip(parts) {
            *view = View { x: x.unwrap_or(view.x), y: y.unwrap_or(view.y) };
        }
        // The description now knows its views.
        self.shown = None;
        self.damage.layout = true;
        self.resolve()
    }

    /// The scene of the whole window, overlay included. While the view `moves`, what only a view at rest shows may be missing.
    ///
    /// # Errors
    /// When a source does not give its cells, or `fold` fails.
    pub fn draw(&mut self, moves: bool, fold: Option<&mut FoldBy<'_>>) -> Result<Scene, Error> {
        let damage = std::mem::take(&mut self.damage);
        let anew = damage.view || damage.colors || damage.layout;
        if damage.view || damage.colors || damage.layout {
            self.damage = damage;
            let done = self.resolve().and_then(|()| self.paint(moves, fold));
            self.damage = Damage::default();
            match done {
                Ok(()) => (self.unrest, self.trouble) = (moves, None),
                // A window too small for its labels says so, and grows again.
                Err(Error::Figure(ResolveError::Size(what))) => {
                    self.trouble = Some(what);
                    self.shown = None;
                    self.scene.items.clear();
                }
                Err(e) => return Err(e),
            }
        }
        let mut items = self.scene.items.clone();
        items.extend(self.overlay(anew));
        Ok(Scene { size: self.world.size, background: Some(self.palette().background), items })
    }

    /// What lies over the figure; `anew` where the figure was just painted.
    fn overlay(&mut self, anew: bool) -> Vec<Item> {
        if anew {
            self.readings.forget_pointer();
        }
        let palette = self.palette();
        let view = view_text(&self.world, &self.state, self.world.reduce);
        let (pointer, selection) = self.readings.texts(&self.world, &self.state);
        let (pointer, selection) = (pointer.to_owned(), selection.to_owned());
        let input = OverlayInput {
            world: &self.world,
            state: &self.state,
            palette,
            em: self.shown.as_ref().map_or(12.0 * self.world.unit, |s| s.frame.font_size),
            pointer: &pointer,
            selection: &selection,
            view: &view,
            progress: self.progress.as_ref().map(|(file, share)| Progress { file, share: *share }),
            times: self.times,
            histograms: &self.readings.histograms,
            notice: self.trouble.as_deref().map(Notice::Error),
            keys: &self.keys,
        };
        overlay(&input, &mut self.fonts)
    }

    fn palette(&self) -> Palette {
        let light = Palette { background: Color::WHITE, ink: Color::rgb(0x14, 0x14, 0x14) };
        self.shown.as_ref().map_or(light, |s| s.frame.palette)
    }

    fn paint(&mut self, moves: bool, mut fold: Option<&mut FoldBy<'_>>) -> Result<(), Error> {
        let grids = self.world.grids.clone();
        let Some(shown) = &mut self.shown else { return Ok(()) };
        for (panel, view) in shown.frame.panels.iter_mut().zip(&self.state.views) {
            (panel.part_x, panel.part_y) = (Some(view.x), Some(view.y));
        }
        let layout = shown.plan.layout(&shown.frame, &mut self.fonts);
        let counts = shown.figure.reduce.by == Some(Reduce::Count);
        let mut summaries: Vec<Option<Arc<Vec<Summary>>>> = Vec::with_capacity(grids.len());
        for (i, (p, g)) in layout.panels.iter().zip(grids.iter()).enumerate() {
            let reduces = p.columns.reduces() || p.rows.reduces();
            let on_device = self.device_folds && moves && !counts;
            summaries.push(match &mut fold {
                _ if on_device || !reduces && g.is_held() => None,
                Some(fold) if reduces => Some(Arc::new(fold(i, &p.columns, &p.rows)?)),
                _ => Some(Arc::new(g.fold(p.columns.spans(), p.rows.spans())?)),
            });
        }
        self.world.panels = panels(&shown.frame, &layout);
        // Another layout may ask for other views: square cells stay square.
        if self.state.settle(&self.world).view {
            for (panel, view) in shown.frame.panels.iter_mut().zip(&self.state.views) {
                (panel.part_x, panel.part_y) = (Some(view.x), Some(view.y));
            }
            return self.paint(moves, fold);
        }
        if counts {
            shown.colours = None;
        }
        let taken: Vec<Vec<Summary>> = summaries.iter_mut().map(|s| s.take().and_then(Arc::into_inner).unwrap_or_default()).collect();
        let known: Vec<bool> = taken.iter().map(|t| !t.is_empty()).collect();
        for (digest, taken) in self.digests.iter_mut().zip(taken) {
            digest.summaries = taken;
        }
        let folded: Vec<Folded<'_>> = self
            .digests
            .iter()
            .zip(&layout.panels)
            .map(|(digest, p)| {
                let reduces = p.columns.reduces() || p.rows.reduces();
                Folded { digest, body: reduces.then_some((&p.columns, &p.rows)), strips: None }
            })
            .collect();
        let mut colours = match shown.colours.take() {
            Some(c) => c,
            None => scales(&shown.figure, &shown.frame, &grids, &folded)?,
        };
        colours.panels.iter_mut().for_each(|p| p.rings.clear());
        if !moves {
            rings(&shown.figure, &folded, &mut colours)?;
        }
        colours.notes = notes(&shown.frame, &grids, &folded, &colours);
        drop(folded);
        let summaries: Vec<_> =
            self.digests.iter_mut().zip(known).map(|(d, known)| known.then(|| Arc::new(std::mem::take(&mut d.summaries)))).collect();
        let (scene, _) = compose(&shown.frame, &layout, &colours, &grids, &self.world.stats, &summaries, &mut self.fonts)
            .map_err(|e| ResolveError::Key("fmt".to_owned(), e))?;
        self.world.scales = colours.bars.iter().map(|b| b.scale.clone()).collect();
        self.world.bars = bars(&layout, &colours, &scene);
        if !moves {
            self.readings.count(&self.world, &layout.panels, &colours, &summaries);
        }
        shown.colours = Some(colours);
        self.scene = scene;
        Ok(())
    }
}

/// All keys in their groups, as the overlay lists them.
fn key_groups() -> Vec<KeyGroup> {
    let mut out: Vec<KeyGroup> = Vec::new();
    for row in keys() {
        let line = (row.to_string(), row.text.to_owned());
        match out.last_mut() {
            Some((group, lines)) if group == row.group => lines.push(line),
            _ => out.push((row.group.to_owned(), vec![line])),
        }
    }
    out
}

fn panels(frame: &Frame, layout: &Layout) -> Vec<PanelAt> {
    let at = |(panel, at): (&crate::resolve::PanelFrame, &crate::layout::PanelLayout)| PanelAt {
        body: at.body,
        columns: at.columns.clone(),
        rows: at.rows.clone(),
        x: track(&panel.columns, frame.x.true_spacing),
        y: track(&panel.rows, frame.y.true_spacing),
        lower: frame.lower,
    };
    frame.panels.iter().zip(&layout.panels).map(at).collect()
}

/// The bars where their ramps are painted.
fn bars(layout: &Layout, colours: &Colours, scene: &Scene) -> Vec<Option<BarAt>> {
    let mut ramps = scene.items.iter().filter_map(|i| match i {
        Item::Ramp { rect, horizontal, .. } => Some(BarAt { ramp: *rect, horizontal: *horizontal }),
        _ => None,
    });
    // A bar without any value has no ramp.
    layout.bars.iter().zip(&colours.bars).map(|(at, bar)| at.as_ref().filter(|_| !bar.empty).and_then(|_| ramps.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: usize, columns: usize) -> Grid {
        let value = |i: usize| if i % 97 == 5 { f64::NAN } else { (i * 7919 % 1000) as f64 / 8.0 };
        Grid::from_rows(rows, columns, (0..rows * columns).map(value).collect()).unwrap()
    }

    #[test]
    fn the_window_shows_what_render_draws() {
        let labels = |n: usize| (0..n).map(|i| format!("method number {i}")).collect();
        let mut named = grid(40, 12);
        named.rows = crate::grid::Axis::category("method", labels(40));
        named.columns =
            crate::grid::Axis::nested("a,b", vec![vec!["one", "two"].iter().flat_map(|t| vec![(*t).to_owned(); 6]).collect(), labels(12)]);
        let mut twin = named.clone();
        (named.name, twin.name) = ("first".to_owned(), "second".to_owned());
        let mut wide = Figure { square: Some(crate::figure::Toggle::Off), ..Figure::default() };
        wide.annotations.mark = Some(crate::figure::Mark::Max);
        for (figure, grids) in [(Figure::default(), vec![grid(1500, 2200)]), (wide.clone(), vec![grid(9, 14)]), (wide, vec![named, twin])] {
            let mut session = Session::new(figure, Data::new(grids.clone()).unwrap(), Fonts::new()).unwrap();
            for (size, unit, zoom) in [((900, 640), 1.0, 1.0), ((1280, 720), 1.0, 3.0), ((1500, 1100), 2.0, 7.7), ((900, 640), 1.0, 60.0)] {
                session.place(PxSize { w: size.0, h: size.1 }, unit);
                let whole = View { x: session.world.panels[0].x.whole(), y: session.world.panels[0].y.whole() };
                let near = |p: Part| p.zoom_about(p.at(0.3), zoom);
                session.state.views[0] = View { x: near(whole.x), y: near(whole.y) };
                session.damage.layout = true;
                session.draw(false, None).unwrap();
                let image = crate::raster::draw(&session.scene, &grids, &mut session.fonts);
                let want = crate::render::render(&session.described(), &grids).unwrap();
                assert!(image == want, "{size:?}, {zoom} times nearer");
            }
        }
    }

    #[test]
    fn speed() {
        let grids = vec![grid(4096, 4096)];
        let mut session =
            Session::new(Figure { square: Some(crate::figure::Toggle::Off), ..Figure::default() }, Data::new(grids).unwrap(), Fonts::new())
                .unwrap();
        session.place(PxSize { w: 1280, h: 720 }, 1.0);
        session.draw(false, None).unwrap();
        for zoom in [1.0, 2.0, 4.0, 16.0, 100.0] {
            let whole = View::whole(4096.0, 4096.0);
            let mut times = Vec::new();
            for k in 0..30 {
                let near = |p: Part| p.zoom_about(p.at(0.3 + k as f64 * 0.01), zoom);
                session.state.views[0] = View { x: near(whole.x), y: near(whole.y) };
                session.damage.view = true;
                let t = std::time::Instant::now();
                session.draw(true, None).unwrap();
                times.push(t.elapsed().as_secs_f64() * 1e3);
            }
            times.sort_by(f64::total_cmp);
            println!("{zoom}: median {:.2} max {:.2}", times[15], times[29]);
        }
    }
}
