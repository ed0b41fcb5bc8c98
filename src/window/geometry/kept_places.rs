//! Where things are when other data come: until the next frame, they are where a person sees them.

use super::WindowGeometry;

impl WindowGeometry {
    /// Takes over the places of what `painted` shows and this window has, too.
    pub(crate) fn keep_places(&mut self, painted: &WindowGeometry) {
        for (now, was) in self.panels.iter_mut().zip(&painted.panels) {
            (now.body, now.range) = (was.body, was.range);
            // Other cells have pixels of their own.
            if (now.x.length(), now.y.length()) == (was.x.length(), was.y.length()) {
                (now.columns, now.rows) = (was.columns.clone(), was.rows.clone());
            }
        }
        (self.toolbar, self.menu) = (painted.toolbar, painted.menu.clone());
        self.tools.clone_from(&painted.tools);
        if self.panels.len() == painted.panels.len() {
            (self.minimap, self.strip) = (painted.minimap, painted.strip.clone());
            (self.large, self.swipe) = (painted.large, painted.swipe);
            self.titles.clone_from(&painted.titles);
        }
        if self.scale_of == painted.scale_of {
            self.bars.clone_from(&painted.bars);
            self.distribution.clone_from(&painted.distribution);
        }
        if self.slices.len() == painted.slices.len() {
            self.sliders.clone_from(&painted.sliders);
        }
    }
}
