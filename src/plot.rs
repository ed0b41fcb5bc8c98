//! Figure built key by key, from its data to its pictures.

use crate::embedding::{DrawOptions, Held, Picture, PictureAs, draw, figure_of_file, needs};
use gridscope_core::figure::{Annotate, Figure, Length, List};
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use gridscope_core::lint::Lints;
use gridscope_core::output::Output;
use gridscope_draw::error::Error;
use gridscope_draw::picture::PictureFormat;
use gridscope_draw::rendered::Rendering;
use gridscope_read::{Budget, InputError, Loaded, assign, expand, open_within};
use std::path::Path;

/// Builder of a figure and its pictures: data, keys of a [`Figure`], then [`png`](Self::png), [`svg`](Self::svg), `pdf`,
/// [`image`](Self::image) or [`save`](Self::save). They draw what the program draws, with the same bytes.
///
/// A key that cannot be set is reported by the call that draws.
///
/// ```
/// use gridscope::{Grid, Plot};
///
/// let grid = Grid::from_rows(3, 4, (0..12).map(f64::from).collect())?;
/// let png = Plot::new([grid]).cmap("magma").vmin(3.0).title("Accuracy").png()?;
/// assert!(png.picture.starts_with(b"\x89PNG"));
/// assert!(Plot::new([]).cmap("magm").png().unwrap_err().to_string().contains("magma"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Plot {
    figure: Figure,
    source: Source,
    options: DrawOptions,
    wrong: Option<InputError>,
}

#[derive(Debug)]
enum Source {
    Grids(Held),
    Files(Vec<String>),
}

impl Plot {
    /// Plot of grids, each a panel.
    pub fn new(grids: impl IntoIterator<Item = Grid>) -> Self {
        Self::loaded(Loaded { grids: grids.into_iter().collect(), ..Loaded::default() })
    }

    /// Plot of data that were read by a function of [`input`](crate::input).
    pub fn loaded(loaded: Loaded) -> Self {
        Self::of(Source::Grids(Held { loaded, files: Vec::new(), budget: Budget::usual() }))
    }

    /// Plot of a file of data, of a pattern of files such as `runs/*.csv`, or of a figure file, whose keys are then set. The data
    /// are read by the calls that draw.
    ///
    /// # Errors
    /// A figure file that cannot be read, and a pattern that no file meets.
    pub fn open(path: &str) -> Result<Self, Error> {
        Ok(match figure_of_file(path)? {
            Some((figure, files)) => Self::of(Source::Files(files)).figure(figure),
            None => Self::of(Source::Files(expand(&[path.to_owned()])?)),
        })
    }

    fn of(source: Source) -> Self {
        Self { figure: Figure::default(), source, options: DrawOptions::default(), wrong: None }
    }

    /// Replaces all keys that are set so far.
    pub fn figure(self, figure: Figure) -> Self {
        Self { figure, ..self }
    }

    /// Sets any key of a [figure file](crate::figure), such as `x.rotate` to `45`, by its text.
    pub fn set(mut self, key: &str, value: impl std::fmt::Display) -> Self {
        let setting = format!("{key}={value}");
        match assign(&self.figure, std::slice::from_ref(&setting)) {
            Ok(figure) => self.figure = figure,
            Err(e) => self.wrong = self.wrong.or(Some(InputError { file: setting, ..e })),
        }
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Figure)) -> Self {
        change(&mut self.figure);
        self
    }

    /// Column of a table, for the horizontal axis.
    pub fn x(self, column: &str) -> Self {
        self.with(|f| f.data.x = Some(List::from(column)))
    }

    /// Column of a table, for the vertical axis.
    pub fn y(self, column: &str) -> Self {
        self.with(|f| f.data.y = Some(List::from(column)))
    }

    /// Column of a table, for the colours.
    pub fn value(self, column: &str) -> Self {
        self.with(|f| f.data.value = Some(List::from(column)))
    }

    /// Column of a table, each of whose values is a panel.
    pub fn panel(self, column: &str) -> Self {
        self.with(|f| f.data.panel = Some(List::from(column)))
    }

    /// Colormap: a name (`_r` reverses), or colours `#a,#b,…`.
    pub fn cmap(self, name: &str) -> Self {
        self.set("color.cmap", name)
    }

    /// Norm: `log`, `symlog:1`, `bounds:0,10,50`.
    pub fn norm(self, norm: &str) -> Self {
        self.set("color.norm", norm)
    }

    /// Value at the low end of the colours.
    pub fn vmin(self, vmin: f64) -> Self {
        self.with(|f| f.color.vmin = Some(vmin))
    }

    /// Value at the high end of the colours.
    pub fn vmax(self, vmax: f64) -> Self {
        self.with(|f| f.color.vmax = Some(vmax))
    }

    /// Value at the middle of the colours.
    pub fn center(self, center: f64) -> Self {
        self.with(|f| f.color.center = Some(center))
    }

    /// Title of the figure.
    pub fn title(self, title: &str) -> Self {
        self.with(|f| f.title = Some(title.to_owned()))
    }

    /// Title of the horizontal axis.
    pub fn xlabel(self, title: &str) -> Self {
        self.with(|f| f.x.label = Some(title.to_owned()))
    }

    /// Title of the vertical axis.
    pub fn ylabel(self, title: &str) -> Self {
        self.with(|f| f.y.label = Some(title.to_owned()))
    }

    /// Title of the colour bar.
    pub fn label(self, title: &str) -> Self {
        self.with(|f| f.color.label = Some(title.to_owned()))
    }

    /// Writes the values into the cells.
    pub fn annotate(self) -> Self {
        self.with(|f| f.annotations.show = Some(Annotate::On.into()))
    }

    /// Width and height of the picture, in inches.
    pub fn inches(self, width: f64, height: f64) -> Self {
        self.with(|f| {
            f.size.width = Some(Length::inches(width).into());
            f.size.height = Some(Length::inches(height).into());
        })
    }

    /// Pixels per inch.
    pub fn dpi(self, dpi: f64) -> Self {
        self.with(|f| f.size.dpi = Some(dpi))
    }

    /// Leaves out of pictures the description of how they were made.
    pub fn without_metadata(mut self) -> Self {
        self.options.metadata = false;
        self
    }

    /// Draws the pixels.
    ///
    /// # Errors
    /// A key that was refused, data that cannot be read, a figure that does not fit its data, and more than
    /// [`MOST_PIXELS`](crate::MOST_PIXELS).
    pub fn image(&self) -> Result<Rendering<Image>, Error> {
        let Picture { bytes, size, lints } = self.draw(PictureAs::Rgba)?;
        Ok(Rendering { picture: Image { width: size.w, height: size.h, pixels: bytes }, lints })
    }

    /// Draws the bytes of a PNG file. A large picture is encoded while it is drawn: only its file is in memory as a whole.
    ///
    /// # Errors
    /// As [`image`](Self::image) but for the size.
    pub fn png(&self) -> Result<Rendering<Vec<u8>>, Error> {
        self.file(PictureFormat::Png)
    }

    /// Draws the text of an SVG file.
    ///
    /// # Errors
    /// As [`render_svg`](crate::render_svg).
    pub fn svg(&self) -> Result<Rendering<String>, Error> {
        self.file(PictureFormat::Svg)?.text()
    }

    /// Draws the bytes of a PDF file.
    ///
    /// # Errors
    /// As `render_pdf`.
    #[cfg(feature = "pdf")]
    pub fn pdf(&self) -> Result<Rendering<Vec<u8>>, Error> {
        self.file(PictureFormat::Pdf)
    }

    /// Writes a picture in the format of the path's extension and returns the warnings. The file appears when it is complete.
    ///
    /// # Errors
    /// As [`svg`](Self::svg); an extension that is not `png`, `svg` or `pdf`; a file that cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Lints, Error> {
        let path = path.as_ref();
        let format = PictureFormat::of_path(path)?;
        let wrong = |e| Error::output(path, e);
        let output = Output::open(path).map_err(wrong)?;
        let Rendering { picture, lints } = self.file(format)?;
        output.put(&picture).map_err(wrong)?;
        Ok(lints)
    }

    fn file(&self, format: PictureFormat) -> Result<Rendering<Vec<u8>>, Error> {
        let Picture { bytes, lints, .. } = self.draw(PictureAs::File(format))?;
        Ok(Rendering { picture: bytes, lints })
    }

    fn draw(&self, result: PictureAs) -> Result<Picture, Error> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone().into());
        }
        let read;
        let held = match &self.source {
            Source::Grids(held) => held,
            Source::Files(files) => {
                let budget = Budget::usual();
                let loaded = open_within(files, &self.figure, &needs(&self.figure), &budget)?;
                read = Held { loaded, files: files.clone(), budget };
                &read
            }
        };
        let drawn = draw(&self.figure, held, result, self.options)?;
        let mut lints = held.loaded.lints.clone();
        lints.append(drawn.lints);
        Ok(Picture { lints, ..drawn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid::from_rows(2, 3, vec![0.1, 0.4, 0.2, 0.9, f64::NAN, 0.3]).unwrap()
    }

    #[test]
    fn keys_are_those_of_a_figure() {
        let plot =
            Plot::new([grid()]).cmap("magma").vmin(0.2).norm("power:2").set("x.rotate", 45).title("a=b");
        let text = "title = 'a=b'\nx.rotate = 45\ncolor = { cmap = 'magma', vmin = 0.2, norm = 'power:2' }";
        let figure: Figure = toml::from_str(text).unwrap();
        let drawn = crate::render(&figure, &[grid()]).unwrap();
        assert_eq!(plot.image().unwrap(), drawn);
        assert_eq!(plot.png().unwrap().lints, drawn.lints);
        // The description alone is more than `render_png` writes.
        assert_eq!(plot.without_metadata().png().unwrap(), crate::render_png(&figure, &[grid()]).unwrap());
    }

    #[test]
    fn the_first_key_that_is_refused_is_reported() {
        let wrong = Plot::new([grid()]).set("x.rotat", 45).cmap("none of them").svg().unwrap_err();
        assert!(wrong.to_string().starts_with("x.rotat=45: ") && wrong.exit_code() == 2, "{wrong}");
        assert!(Plot::new([]).png().is_err());
        assert!(Plot::new([grid()]).vmin(f64::NAN).png().is_err());
    }

    #[test]
    fn files_are_read_and_pictures_saved() {
        let folder = tempfile::tempdir().unwrap();
        let [table, figure, picture] = ["a.csv", "a.toml", "a.svg"].map(|name| folder.path().join(name));
        std::fs::write(&table, "x,y,v\n1,a,0.5\n2,a,0.75\n").unwrap();
        std::fs::write(&figure, "[data]\nfile = 'a.csv'\nx = 'x'\ny = 'y'\nvalue = 'v'").unwrap();
        let open = |path: &Path| Plot::open(path.to_str().unwrap()).unwrap();
        let by_key = open(&table).x("x").y("y").value("v").annotate();
        by_key.save(&picture).unwrap();
        assert!(std::fs::read_to_string(&picture).unwrap().contains(">0.75<"));
        assert_eq!(by_key.image().unwrap(), open(&figure).annotate().image().unwrap());
        assert_eq!(by_key.save(folder.path().join("a.gif")).unwrap_err().exit_code(), 2);
        assert!(Plot::open(folder.path().join("none-*.csv").to_str().unwrap()).is_err());
        let wrong = by_key.set("panels.none.title", "t").png().unwrap_err();
        assert!(wrong.to_string().contains("the data have no such panel"), "{wrong}");
    }

    #[test]
    fn warnings_of_reading_are_among_those_of_the_picture() {
        let mut lints = Lints::default();
        lints.add(crate::LintName::MergedSpellings, 2, "noticed while reading");
        let loaded = Loaded { grids: vec![grid()], lints: lints.clone(), ..Loaded::default() };
        let drawn = Plot::loaded(loaded).image().unwrap().lints;
        lints.append(Plot::new([grid()]).image().unwrap().lints);
        assert_eq!(drawn, lints);
    }
}
