//! Text through glyphon, with our own glyph masks, upright or rotated.

use super::context::Context;
use super::error::{GpuError, Moment};
use super::picture::Glyph;
use glyphon::{
    Buffer, Cache, ColorMode, ContentType, CustomGlyph, FontSystem, Metrics, PrepareError,
    RasterizedCustomGlyph, Resolution, SwashCache, TextArea, TextAtlas, TextBounds, TextRenderer, Viewport,
    fontdb,
};
use gridscope_core::geom::PxSize;
use gridscope_core::text::{Fonts, Mask};
use std::collections::HashMap;
use std::ops::Range;

/// The most masks on one atlas.
pub(super) const SHEET_MASKS: usize = 1 << 16;

/// An atlas with its masks, which it requests again whenever it grows.
struct Sheet {
    atlas: TextAtlas,
    ids: HashMap<u32, u16>,
    masks: Vec<Mask>,
    /// Whether it has a glyph of the picture being drawn.
    drawn: bool,
}

/// All text of one target format.
pub(super) struct Texts {
    format: wgpu::TextureFormat,
    cache: Cache,
    viewport: Viewport,
    sheets: Vec<Sheet>,
    renderers: Vec<TextRenderer>,
    /// The sheet of each renderer that the picture being drawn uses.
    taken: Vec<usize>,
    /// The sheet that takes new masks.
    sheet: usize,
    most: usize,
    // glyphon requires these for text that it shapes; we shape all text ourselves.
    system: FontSystem,
    swash: SwashCache,
    empty: Buffer,
}

impl Sheet {
    /// The glyph of a mask; `None` if the sheet has no room for another mask.
    fn glyph(&mut self, glyph: &Glyph, fonts: &Fonts, most: usize) -> Option<CustomGlyph> {
        let mask = fonts.mask(glyph.at.mask);
        // Other `Fonts` may use the same number for another mask.
        let known = self.ids.get(&glyph.at.mask).copied().filter(|id| self.masks[usize::from(*id)] == *mask);
        let id = match known {
            Some(id) => id,
            None if self.masks.len() >= most => return None,
            None => {
                let id = u16::try_from(self.masks.len()).ok()?;
                self.masks.push(mask.clone());
                self.ids.insert(glyph.at.mask, id);
                id
            }
        };
        let [r, g, b, a] = glyph.color.rgba();
        Some(CustomGlyph {
            id,
            left: glyph.at.x as f32,
            top: glyph.at.y as f32,
            width: mask.width as f32,
            height: mask.height as f32,
            color: Some(glyphon::Color::rgba(r, g, b, a)),
            snap_to_physical_pixel: true,
            metadata: 0,
        })
    }
}

impl Texts {
    /// `most`: the most masks on a sheet, [`SHEET_MASKS`] except in tests.
    pub(super) fn new(context: &Context, format: wgpu::TextureFormat, most: usize) -> Self {
        context.at(Moment::Text);
        let cache = Cache::new(context.device());
        let viewport = Viewport::new(context.device(), &cache);
        Self {
            format,
            cache,
            viewport,
            sheets: Vec::new(),
            renderers: Vec::new(),
            taken: Vec::new(),
            sheet: 0,
            most,
            system: FontSystem::new_with_locale_and_db("en-US".to_owned(), fontdb::Database::new()),
            swash: SwashCache::new(),
            empty: Buffer::new_empty(Metrics::new(1.0, 1.0)),
        }
    }

    /// Begins a picture; the previous one must have been submitted.
    pub(super) fn begin(&mut self, context: &Context, size: PxSize) {
        // A full sheet may be full of masks that are not drawn any more.
        if self.sheets.len() > 1 || self.sheets.iter().any(|s| s.masks.len() >= self.most) {
            self.sheets.clear();
        }
        for s in &mut self.sheets {
            s.atlas.trim();
            s.drawn = false;
        }
        self.taken.clear();
        self.sheet = 0;
        context.at(Moment::Text);
        self.viewport.update(context.queue(), Resolution { width: size.w, height: size.h });
    }

    /// Prepares glyphs, and returns the renderers to pass to [`Texts::draw`].
    pub(super) fn prepare(
        &mut self,
        context: &Context,
        fonts: &Fonts,
        glyphs: &[Glyph],
    ) -> Result<Range<usize>, GpuError> {
        let first = self.taken.len();
        let mut rest = glyphs;
        while !rest.is_empty() {
            let done = self.some(context, fonts, rest)?;
            if done == 0 {
                self.sheet += 1;
            }
            rest = &rest[done..];
        }
        Ok(first..self.taken.len())
    }

    /// Prepares as many glyphs as the sheet has room for, and returns their number.
    fn some(&mut self, context: &Context, fonts: &Fonts, glyphs: &[Glyph]) -> Result<usize, GpuError> {
        let (device, queue) = (context.device(), context.queue());
        context.at(Moment::Text);
        if self.sheet == self.sheets.len() {
            let atlas = TextAtlas::with_color_mode(device, queue, &self.cache, self.format, ColorMode::Web);
            self.sheets.push(Sheet { atlas, ids: HashMap::new(), masks: Vec::new(), drawn: false });
        }
        let sheet = &mut self.sheets[self.sheet];
        let custom: Vec<CustomGlyph> =
            glyphs.iter().map_while(|g| sheet.glyph(g, fonts, self.most)).collect();
        if self.taken.len() == self.renderers.len() {
            let plain = wgpu::MultisampleState::default();
            self.renderers.push(TextRenderer::new(&mut sheet.atlas, device, plain, None));
        }
        let renderer = &mut self.renderers[self.taken.len()];
        let masks = &sheet.masks;
        let mut take = custom.len();
        while take > 0 {
            let area = TextArea {
                buffer: &self.empty,
                left: 0.0,
                top: 0.0,
                scale: 1.0,
                bounds: TextBounds::default(),
                default_color: glyphon::Color::rgb(0, 0, 0),
                custom_glyphs: &custom[..take],
            };
            let image = |r: glyphon::RasterizeCustomGlyphRequest| {
                masks
                    .get(usize::from(r.id))
                    .map(|m| RasterizedCustomGlyph { data: m.data.clone(), content_type: ContentType::Mask })
            };
            let (atlas, view) = (&mut sheet.atlas, &self.viewport);
            match renderer.prepare_with_custom(
                device,
                queue,
                &mut self.system,
                atlas,
                view,
                [area],
                &mut self.swash,
                image,
            ) {
                Ok(()) => {
                    sheet.drawn = true;
                    self.taken.push(self.sheet);
                    return Ok(take);
                }
                Err(PrepareError::AtlasFull) => take /= 2,
            }
        }
        if sheet.drawn || custom.is_empty() {
            return Ok(0);
        }
        let mask = fonts.mask(glyphs[0].at.mask);
        Err(GpuError::Text(format!(
            "a glyph of {} x {} pixels is larger than any texture",
            mask.width, mask.height
        )))
    }

    /// Draws the texts of [`Texts::prepare`].
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        renderers: Range<usize>,
    ) -> Result<(), GpuError> {
        for i in renderers {
            let atlas = &self.sheets[self.taken[i]].atlas;
            self.renderers[i]
                .render(atlas, &self.viewport, pass)
                .map_err(|e| GpuError::Text(e.to_string()))?;
        }
        Ok(())
    }
}
