//! Figures between a caller and the readers: what a figure needs to be read, and which figures the same data serve.

use gridscope_core::figure::{AxisSpec, ColorSpec, Figure, LintSpec, Size};
use gridscope_draw::error::Error;
use gridscope_draw::metadata::{figure_toml, pruned};
use gridscope_read::{ReadOptions, expand, files_of_panels, open_figure};

/// Data that a figure needs besides the shown values: the aggregates and columns of its annotations and scales. Files are hashed,
/// for the description of pictures.
pub fn needs(figure: &Figure) -> ReadOptions {
    ReadOptions { fingerprints: true, ..ReadOptions::default() }.of_figure(figure)
}

/// The figure of a figure file and its files of data; `None` where the file holds data.
///
/// # Errors
/// As [`open_figure`], and patterns of files that no file meets.
pub fn figure_of_file(path: &str) -> Result<Option<(Figure, Vec<String>)>, Error> {
    let Some(figure) = open_figure(path)? else {
        return Ok(None);
    };
    let files = if figure.panel.is_empty() {
        expand(figure.data.file.as_ref().map_or(&[], |list| &list.0))?
    } else {
        files_of_panels(&figure).map_err(|e| Error::from(e).of_file(path))?
    };
    Ok(Some((figure, files)))
}

/// The figure as a JSON object with the keys of a figure file, without keys that say nothing.
pub fn figure_json(figure: &Figure) -> String {
    pruned(figure).to_string()
}

/// The figure as the text of a figure file in TOML.
///
/// # Errors
/// A figure that TOML cannot hold.
pub fn toml_of_figure(figure: &Figure) -> Result<String, Error> {
    figure_toml(figure).map_err(|e| Error::encode(e.to_string()))
}

/// Whether data that were read for a figure serve another one: these differ only in what is decided when they are drawn.
pub fn serves(read: &Figure, figure: &Figure) -> bool {
    of_reading(read) == of_reading(figure)
}

/// The figure without keys that are decided when it is drawn.
fn of_reading(figure: &Figure) -> Figure {
    let template = figure.annotations.show.as_ref().filter(|show| show.is_own());
    let mut out = Figure {
        panel_order: figure.panel_order.clone(),
        data: figure.data.clone(),
        panel: figure.panel.clone(),
        x: axis(&figure.x),
        y: axis(&figure.y),
        view: figure.view.clone(),
        cluster: figure.cluster.clone(),
        strip: figure.strip.clone(),
        color: ColorSpec { scale: figure.color.scale.clone(), ..ColorSpec::default() },
        lints: LintSpec::default(),
        size: Size::default(),
        ..Figure::default()
    };
    // Parts that are shown of what was read.
    (out.view.x, out.view.y) = (None, None);
    out.annotations.show = template.cloned();
    // Marks may be files, which are read with the data.
    out.annotations.mark.clone_from(&figure.annotations.mark);
    for (name, panel) in &figure.panels {
        if panel.mark.is_some() {
            out.panels.entry(name.clone()).or_default().mark.clone_from(&panel.mark);
        }
    }
    out
}

fn axis(axis: &AxisSpec) -> AxisSpec {
    AxisSpec { label: None, ticks: None, fmt: None, rotate: None, ..axis.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_serve_figures_that_are_read_alike() {
        let mut read = Figure::default();
        read.data.agg = Some(gridscope_core::figure::Agg::Mean);
        let with = |edit: &dyn Fn(&mut Figure)| {
            let mut other = read.clone();
            edit(&mut other);
            serves(&read, &other)
        };
        assert!(with(&|f| f.color.vmin = Some(1.0)) && with(&|f| f.title = Some("t".to_owned())));
        assert!(
            with(&|f| f.x.rotate = Some(90)) && with(&|f| f.annotations.show = Some("on".parse().unwrap()))
        );
        assert!(with(&|f| f.view.x = Some("0:3".parse().unwrap())));
        assert!(!with(&|f| f.data.agg = None) && !with(&|f| f.color.scale = Some("model".to_owned())));
        assert!(!with(&|f| f.annotations.show = Some("{std}".parse().unwrap())));
        assert!(!with(&|f| f.view.rows = Some("0:3".parse().unwrap())));
        assert!(!with(&|f| f.y.keep = std::num::NonZeroU32::new(3)));
    }
}
