//! The files that a figure names beside its data.

use super::{Annotate, AxisLabels, Figure, Mark, Mask, Masks};

/// Use of a file beside the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideFile {
    /// Hides cells.
    Mask,
    /// Lists marked cells.
    Mark,
    /// The texts of cells.
    Texts,
    /// Coordinates of an axis: a range, a file, or the name of an array.
    Values,
    /// Labels of an axis.
    Labels,
    /// Draws texts.
    Font,
}

impl Figure {
    /// Hands over the path of each file beside the data, which may be changed.
    pub fn each_side_file(&mut self, mut each: impl FnMut(SideFile, &mut String)) {
        self.data.mask.iter_mut().flat_map(Masks::files).for_each(|path| each(SideFile::Mask, path));
        for panel in &mut self.panel {
            let is_file = |mask: &&mut String| matches!(mask.parse(), Ok(Mask::File(..)));
            panel.mask_mut().filter(is_file).into_iter().for_each(|path| each(SideFile::Mask, path));
        }
        for mark in self.all_marks_mut() {
            if let Some(mut path) = Mark::file(mark).map(str::to_owned) {
                each(SideFile::Mark, &mut path);
                mark.set_file(path);
            }
        }
        if let Some(Annotate::File(path)) = self.annotations.show.as_deref() {
            let mut path = path.clone();
            each(SideFile::Texts, &mut path);
            self.annotations.show = Some(Annotate::File(path).into());
        }
        for axis in [&mut self.x, &mut self.y] {
            axis.values.iter_mut().for_each(|path| each(SideFile::Values, path));
            if let AxisLabels::File(path) = &mut axis.labels {
                each(SideFile::Labels, path);
            }
        }
        self.font.iter_mut().for_each(|path| each(SideFile::Font, path));
    }
}
