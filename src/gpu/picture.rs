//! Draws one picture on the device: groups the items of a scene into runs, prepares their buffers, submits them in strips.

use super::body_placement::Stores;
use super::cells::{Bodies, CellsPipeline, ShapesPipeline};
use super::context::Context;
use super::cpu_bodies::PaintedBodies;
use super::error::{GpuError, Moment};
use super::submission::{DRAW, Pace, Stopwatch};
use super::text::Texts;
use super::wire;
use super::wire::Shape;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use gridscope_core::grid::Grid;
use gridscope_core::text::{Fonts, GlyphAt};
use gridscope_draw::raster::{edges, line};
use gridscope_draw::scene::{Cells, Item, Scene};
use std::ops::Range;

/// The pipelines for one target format, each made when first needed.
pub(super) struct Pipelines {
    pub format: wgpu::TextureFormat,
    cells: Option<CellsPipeline>,
    shapes: Option<ShapesPipeline>,
    texts: Option<Texts>,
    painted: PaintedBodies,
    pace: Pace,
}

/// The pixels of the first strip that is painted: through lavapipe about 40 ms of the most expensive ones.
const FIRST_STRIP: u64 = 1 << 19;

/// The prepared data of a picture's steps.
pub(super) struct Prepared {
    bodies: Option<Bodies>,
    shapes: Option<wgpu::BindGroup>,
    /// For each step, the text renderers.
    texts: Vec<Range<usize>>,
}

/// The target of a picture.
pub(super) struct Onto<'a> {
    pub view: &'a wgpu::TextureView,
    pub size: PxSize,
    pub background: Option<Color>,
}

impl Onto<'_> {
    /// The target as the only attachment of a pass.
    fn attachment(&self, load: wgpu::LoadOp<wgpu::Color>) -> wgpu::RenderPassColorAttachment<'_> {
        wgpu::RenderPassColorAttachment {
            view: self.view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        }
    }
}

impl Pipelines {
    pub(super) fn new(format: wgpu::TextureFormat, software: bool) -> Self {
        Self {
            format,
            cells: None,
            shapes: None,
            texts: None,
            painted: PaintedBodies::default(),
            pace: Pace::of_pixels(if software { FIRST_STRIP } else { u64::MAX }),
        }
    }

    /// Forgets bodies that were painted from earlier grids.
    pub(super) fn forget(&mut self) {
        self.painted.forget();
    }

    /// Makes the pipelines that a plan needs.
    pub(super) fn ready(
        &mut self,
        context: &Context,
        bands: &wgpu::BindGroupLayout,
        sheet_masks: usize,
        plan: &Plan<'_>,
    ) {
        if !plan.bodies.is_empty() && self.cells.is_none() {
            self.cells = Some(CellsPipeline::new(context, bands, self.format));
        }
        if !plan.shapes.is_empty() && self.shapes.is_none() {
            self.shapes = Some(ShapesPipeline::new(context, self.format));
        }
        if !plan.glyphs.is_empty() && self.texts.is_none() {
            self.texts = Some(Texts::new(context, self.format, sheet_masks));
        }
    }

    /// Uploads the buffers of a plan's steps.
    pub(super) fn prepare(
        &mut self,
        context: &Context,
        stores: Stores<'_>,
        plan: &Plan<'_>,
        grids: &[Grid],
        fonts: &Fonts,
        size: PxSize,
    ) -> Result<Prepared, GpuError> {
        let canvas = wire::Canvas { size: [size.w as f32, size.h as f32] };
        let mut out = Prepared { bodies: None, shapes: None, texts: vec![0..0; plan.steps.len()] };
        if let Some(cells) = self.cells.as_ref().filter(|_| !plan.bodies.is_empty()) {
            out.bodies = Some(cells.prepare(context, stores, &plan.bodies, grids, canvas)?);
        }
        self.painted.prepare(&plan.painted, grids, self.format)?;
        if let Some(shapes) = self.shapes.as_ref().filter(|_| !plan.shapes.is_empty()) {
            out.shapes = Some(shapes.prepare(context, plan, canvas)?);
        }
        if let Some(texts) = &mut self.texts {
            texts.begin(context, size);
            for (step, range) in plan.steps.iter().zip(&mut out.texts) {
                if let Step::Glyphs(glyphs) = step {
                    *range = texts.prepare(context, fonts, &plan.glyphs[glyphs.clone()])?;
                }
            }
        }
        Ok(out)
    }

    /// Submits a picture, strip by strip.
    pub(super) fn submit(
        &self,
        context: &Context,
        plan: &Plan<'_>,
        prepared: &Prepared,
        onto: &Onto<'_>,
        watch: &mut Option<Stopwatch>,
    ) -> Result<(), GpuError> {
        let [r, g, b, a] = onto.background.map_or([0; 4], |c| c.rgba()).map(|v| f64::from(v) / 255.0);
        let size = onto.size;
        if !plan.painted.is_empty() {
            self.begin(context, onto, wgpu::Color { r, g, b, a })?;
        }
        let mut top = 0;
        while top < size.h {
            // Strips prevent a slow device from being busy with one submission for long.
            let rows = (self.pace.budget() as u32 / size.w).clamp(1, size.h - top);
            let load = if top == 0 && plan.painted.is_empty() {
                wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a })
            } else {
                wgpu::LoadOp::Load
            };
            let mut encoder = context.encoder("picture");
            let marks = watch.as_mut().map(|w| w.marks(DRAW));
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("picture"),
                color_attachments: &[Some(onto.attachment(load))],
                timestamp_writes: marks.map(|m| wgpu::RenderPassTimestampWrites {
                    query_set: m.queries,
                    beginning_of_pass_write_index: m.begin,
                    end_of_pass_write_index: m.end,
                }),
                ..Default::default()
            });
            let strip = PxRect { x: 0, y: top as i32, w: size.w, h: rows };
            self.paint(context, (&mut pass, strip), plan, prepared)?;
            drop(pass);
            let start = context.submit(Moment::Paint, encoder)?;
            top += rows;
            // A software device paints on the cores that would wait; a GPU is never so slow that a strip takes long.
            if top < size.h && context.adapter_info().software {
                let cost = u64::from(rows) * u64::from(size.w);
                self.pace.observe(cost, context.done(start)?);
            }
        }
        Ok(())
    }

    /// Clears a picture and copies the bodies that the CPU has painted.
    fn begin(&self, context: &Context, onto: &Onto<'_>, color: wgpu::Color) -> Result<(), GpuError> {
        let mut encoder = context.encoder("background");
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("background"),
            color_attachments: &[Some(onto.attachment(wgpu::LoadOp::Clear(color)))],
            ..Default::default()
        }));
        context.submit(Moment::Paint, encoder)?;
        self.painted.copy(context, onto.view.texture());
        Ok(())
    }

    fn paint(
        &self,
        context: &Context,
        (pass, strip): (&mut wgpu::RenderPass<'_>, PxRect),
        plan: &Plan<'_>,
        prepared: &Prepared,
    ) -> Result<(), GpuError> {
        let limit = |pass: &mut wgpu::RenderPass<'_>, to: PxRect| {
            pass.set_scissor_rect(to.x as u32, to.y as u32, to.w, to.h);
        };
        limit(pass, strip);
        for (step, texts) in plan.steps.iter().zip(&prepared.texts) {
            match step {
                Step::Within(part) => {
                    limit(pass, part.map_or(strip, |part| common(part, strip)));
                }
                Step::Bodies(range) => {
                    if let (Some(cells), Some(bodies)) = (&self.cells, &prepared.bodies) {
                        cells.draw(context, pass, bodies, range.clone());
                    }
                }
                Step::Shapes(range) => {
                    if let (Some(shapes), Some(group)) = (&self.shapes, &prepared.shapes) {
                        shapes.draw(pass, group, range.clone());
                    }
                }
                Step::Glyphs(_) => {
                    if let Some(painter) = &self.texts {
                        painter.draw(pass, texts.clone())?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Intersection of two rectangles; without pixels, within the second one, where they do not meet.
fn common(a: PxRect, b: PxRect) -> PxRect {
    let end = |start: i32, length: u32| i64::from(start) + i64::from(length);
    let side = |(a, w): (i32, u32), (b, v): (i32, u32)| {
        let start = a.clamp(b, end(b, v) as i32);
        let length = end(a, w).min(end(b, v)) - i64::from(start);
        (start, length.max(0) as u32)
    };
    let ((x, w), (y, h)) = (side((a.x, a.w), (b.x, b.w)), side((a.y, a.h), (b.y, b.h)));
    PxRect { x, y, w, h }
}

/// With more waiting texts than this, the next item is not tested against each of them.
const MOST_WAITING: usize = 256;

/// Bodies of fewer pixels, as the legend's swatches, overlap other items and are not worth a copy.
const LARGE: u32 = 4096;

/// Whether a body can be copied to the canvas: it lies within it, and nothing of the canvas would show through it.
fn paintable(c: &Cells, scene: &Scene) -> bool {
    let canvas = scene.size;
    let fits =
        |from: i32, size: u32, most: u32| from >= 0 && i64::from(from) + i64::from(size) <= i64::from(most);
    let covers = c.background.alpha() == 255 || scene.background.is_none();
    covers
        && c.body.w.saturating_mul(c.body.h) >= LARGE
        && fits(c.body.x, c.body.w, canvas.w)
        && fits(c.body.y, c.body.h, canvas.h)
}

/// A glyph's mask at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Glyph {
    pub at: GlyphAt,
    pub color: Color,
}

/// A run of items of one kind: ranges of [`Plan::bodies`], [`Plan::shapes`] and [`Plan::glyphs`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Bodies(Range<usize>),
    Shapes(Range<u32>),
    Glyphs(Range<usize>),
    /// Further items are painted on this rectangle alone; `None`: on all of the canvas again.
    Within(Option<PxRect>),
}

/// A scene divided into runs.
#[derive(Debug, Default)]
pub(super) struct Plan<'a> {
    pub steps: Vec<Step>,
    /// Cells and ramps.
    pub bodies: Vec<&'a Item>,
    /// Bodies that the CPU paints, under everything else.
    pub painted: Vec<&'a Cells>,
    pub shapes: Vec<Shape>,
    pub edges: Vec<[f32; 4]>,
    pub glyphs: Vec<Glyph>,
    /// Bounds of the texts that are not in `steps` yet.
    waiting: Vec<Rect>,
    placed: usize,
}

impl<'a> Plan<'a> {
    /// Divides a scene; with `cpu_paints`, large bodies are left to the CPU.
    pub(super) fn of(scene: &'a Scene, fonts: &mut Fonts, cpu_paints: bool) -> Self {
        let mut plan = Plan::default();
        plan.items(&scene.base, scene, fonts, cpu_paints);
        if let Some(inset) = &scene.inset {
            plan.flush();
            plan.steps.push(Step::Within(Some(inset.rect)));
            // What the CPU paints lies under everything else, and this does not.
            plan.items(&inset.items, scene, fonts, false);
            plan.flush();
            plan.steps.push(Step::Within(None));
        }
        plan.items(&scene.items, scene, fonts, cpu_paints);
        plan.flush();
        plan
    }

    fn items(&mut self, items: &'a [Item], scene: &Scene, fonts: &mut Fonts, cpu_paints: bool) {
        let plan = self;
        let mut glyphs = Vec::new();
        for item in items {
            match item {
                Item::Text { text, font_size, at, degrees, color } => {
                    glyphs.clear();
                    fonts.place(text, *font_size, at.x, at.y, *degrees, &mut glyphs);
                    plan.text(&glyphs, *color, fonts, scene.size);
                }
                Item::Rect { rect, color } => plan.rect(rect, *color, scene.size),
                Item::Line { from, to, width, color } => {
                    plan.polygon(&line(*from, *to, *width), *color, scene.size);
                }
                Item::Polygon { points, color } => plan.polygon(points, *color, scene.size),
                Item::Cells(c) if cpu_paints && paintable(c, scene) => plan.painted.push(c),
                Item::Cells(c) => plan.body(item, &c.body.rect()),
                Item::Ramp { rect, .. } => plan.body(item, &rect.rect()),
            }
        }
    }

    /// Defers a text, so that all texts up to the next item that touches one are drawn at once.
    fn text(&mut self, glyphs: &[GlyphAt], color: Color, fonts: &Fonts, size: PxSize) {
        let canvas = Rect::new(0.0, 0.0, f64::from(size.w), f64::from(size.h));
        let mut bounds: Option<Rect> = None;
        for g in glyphs {
            let m = fonts.mask(g.mask);
            let r = Rect::new(f64::from(g.x), f64::from(g.y), f64::from(m.width), f64::from(m.height));
            if r.overlaps(&canvas) {
                self.glyphs.push(Glyph { at: *g, color });
                bounds = Some(bounds.map_or(r, |b| b.union(&r)));
            }
        }
        self.waiting.extend(bounds);
    }

    fn flush(&mut self) {
        if !self.waiting.is_empty() {
            self.steps.push(Step::Glyphs(self.placed..self.glyphs.len()));
            self.placed = self.glyphs.len();
            self.waiting.clear();
        }
    }

    /// Adds the deferred texts before an item that would cover one.
    fn before(&mut self, next: &Rect) {
        if self.waiting.len() > MOST_WAITING || self.waiting.iter().any(|w| w.overlaps(next)) {
            self.flush();
        }
    }

    fn body(&mut self, item: &'a Item, at: &Rect) {
        if at.w == 0.0 || at.h == 0.0 {
            return;
        }
        self.before(at);
        let n = self.bodies.len();
        self.bodies.push(item);
        match self.steps.last_mut() {
            Some(Step::Bodies(r)) => r.end = n + 1,
            _ => self.steps.push(Step::Bodies(n..n + 1)),
        }
    }

    fn rect(&mut self, r: &Rect, color: Color, size: PxSize) {
        let whole = [r.x, r.y, r.w, r.h].iter().all(|v| v.fract() == 0.0);
        if whole && color.alpha() == 255 {
            return self.shape([r.x, r.y, r.right(), r.bottom()], &[], color, size);
        }
        let points = [(r.x, r.y), (r.right(), r.y), (r.right(), r.bottom()), (r.x, r.bottom())]
            .map(|(x, y)| Point { x, y });
        self.polygon(&points, color, size);
    }

    fn polygon(&mut self, points: &[Point], color: Color, size: PxSize) {
        let (mut x0, mut y0, mut x1, mut y1) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
        for p in points {
            (x0, y0, x1, y1) = (x0.min(p.x), y0.min(p.y), x1.max(p.x), y1.max(p.y));
        }
        let bounds = [(x0 - 0.5).floor(), (y0 - 0.5).floor(), (x1 + 0.5).ceil(), (y1 + 0.5).ceil()];
        self.shape(bounds, &edges(points), color, size);
    }

    fn shape(&mut self, bounds: [f64; 4], edges: &[[f32; 3]], color: Color, size: PxSize) {
        let on = |v: f64, most: u32| (v.clamp(0.0, f64::from(most)) as u32) as f32;
        let low = [on(bounds[0], size.w), on(bounds[1], size.h)];
        let high = [on(bounds[2], size.w), on(bounds[3], size.h)];
        if low[0] >= high[0] || low[1] >= high[1] {
            return;
        }
        self.before(&Rect::new(bounds[0], bounds[1], bounds[2] - bounds[0], bounds[3] - bounds[1]));
        let n = self.shapes.len() as u32;
        let color = u32::from_le_bytes(color.rgba());
        self.shapes.push(Shape {
            low,
            high,
            color,
            first: self.edges.len() as u32,
            count: edges.len() as u32,
            pad: 0,
        });
        self.edges.extend(edges.iter().map(|e| [e[0], e[1], e[2], 0.0]));
        match self.steps.last_mut() {
            Some(Step::Shapes(r)) => r.end = n + 1,
            _ => self.steps.push(Step::Shapes(n..n + 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_strip_stays_within_it() {
        let px = |x, y, w, h| PxRect { x, y, w, h };
        let strip = px(0, 100, 640, 50);
        assert_eq!(common(px(20, 90, 100, 500), strip), px(20, 100, 100, 50));
        assert_eq!(common(px(-20, 120, 100, 10), strip), px(0, 120, 80, 10));
        assert_eq!(common(px(20, 300, 100, 5), strip), px(20, 150, 100, 0));
        assert_eq!(common(px(900, 110, 10, 5), strip), px(640, 110, 0, 5));
    }

    fn scene(items: Vec<Item>) -> Scene {
        Scene::new(PxSize { w: 200, h: 100 }, Some(Color::WHITE), items)
    }

    fn text(x: f64) -> Item {
        Item::Text {
            text: "ab".to_owned(),
            font_size: 12.0,
            at: Point { x, y: 50.0 },
            degrees: 0,
            color: Color::BLACK,
        }
    }

    fn rect(x: f64) -> Item {
        Item::Rect { rect: Rect::new(x, 30.0, 20.0, 30.0), color: Color::BLACK }
    }

    #[test]
    fn texts_are_drawn_together_unless_something_lies_over_one() {
        let mut fonts = Fonts::new();
        let apart = scene(vec![text(10.0), rect(100.0), text(50.0), rect(150.0)]);
        assert_eq!(Plan::of(&apart, &mut fonts, false).steps, [Step::Shapes(0..2), Step::Glyphs(0..4)]);
        let over = scene(vec![text(10.0), rect(10.0), text(50.0)]);
        assert_eq!(
            Plan::of(&over, &mut fonts, false).steps,
            [Step::Glyphs(0..2), Step::Shapes(0..1), Step::Glyphs(2..4)]
        );
    }

    #[test]
    fn what_lies_off_the_canvas_is_left_out() {
        let off = scene(vec![text(500.0), rect(300.0), rect(-20.0)]);
        let mut fonts = Fonts::new();
        let plan = Plan::of(&off, &mut fonts, false);
        assert!(plan.steps.is_empty() && plan.glyphs.is_empty() && plan.shapes.is_empty());
    }
}
