//! Colormaps: matplotlib's and seaborn's tables, their reversals, lists of colours, and the groups to choose from.

use crate::color::Color;
use crate::notation::{Notation, ParseError};
use crate::text::nearest;
use std::fmt;
use std::str::FromStr;

/// One line a map: name, then its entries in hex. Licences and sources are at its top.
const TABLES: &str = include_str!("../../../assets/colormaps.txt");

/// Prefix of a list of colours that do not run into each other.
const LISTED: &str = "listed:";
/// The most colours of such a list.
const MOST_LISTED: usize = 1024;

/// A table of colours from low to high.
#[derive(Clone, Debug, PartialEq)]
pub struct Colormap {
    /// Its name, or the colours it was made of.
    pub name: String,
    /// The colours, at least one.
    pub entries: Vec<Color>,
}

impl Colormap {
    /// A map by name; `_r` at its end reverses it.
    ///
    /// # Errors
    /// An unknown name, with the nearest that exists if one is near.
    pub fn named(name: &str) -> Result<Self, ParseError> {
        let base = name.strip_suffix("_r").unwrap_or(name);
        let Some(hex) = lines().find(|(n, _)| *n == base).map(|(_, hex)| hex) else {
            let reason = "'gridscope colormaps' lists them";
            return Err(ParseError::new(Notation::Colormap, name, reason).near(nearest(base, Self::names())));
        };
        let digits: Vec<u8> = hex.bytes().map(|b| (b as char).to_digit(16).unwrap_or(0) as u8).collect();
        let byte = |d: &[u8]| d[0] << 4 | d[1];
        let mut entries: Vec<Color> = digits
            .chunks_exact(6)
            .map(|d| Color::rgb(byte(&d[..2]), byte(&d[2..4]), byte(&d[4..])))
            .collect();
        if base.len() != name.len() {
            entries.reverse();
        }
        Ok(Self { name: name.to_owned(), entries })
    }

    /// 256 colours through the given ones at equal distances: matplotlib's `LinearSegmentedColormap.from_list`.
    ///
    /// # Errors
    /// When there is no colour.
    pub fn from_colors(colors: &[Color]) -> Result<Self, ParseError> {
        const N: usize = 256;
        let Some(last) = colors.len().checked_sub(1) else {
            return Err(ParseError::new(Notation::Colormap, "", "it needs at least one colour"));
        };
        let entry = |i: usize| {
            let x = i as f64 / (N - 1) as f64 * last as f64;
            let k = (x as usize).min(last.saturating_sub(1));
            let (a, b) = (colors[k].rgba(), colors[(k + 1).min(last)].rgba());
            let mix = |c: usize| {
                let (a, b) = (f64::from(a[c]) / 255.0, f64::from(b[c]) / 255.0);
                // matplotlib turns floats to bytes by cutting off.
                ((a + (b - a) * (x - k as f64)) * 255.0 + 1e-9) as u8
            };
            Color::rgba_of(mix(0), mix(1), mix(2), mix(3))
        };
        let name = colors.iter().map(Color::to_string).collect::<Vec<_>>().join(",");
        Ok(Self { name, entries: (0..N).map(entry).collect() })
    }

    /// The given colours and no other, each for an equal part of the scale: matplotlib's `ListedColormap`.
    ///
    /// # Errors
    /// When there are less than two colours, or more than 1,024.
    pub fn listed(colors: Vec<Color>) -> Result<Self, ParseError> {
        let name = colors.iter().map(Color::to_string).collect::<Vec<_>>().join(",");
        let name = format!("{LISTED}{name}");
        if !(2..=MOST_LISTED).contains(&colors.len()) {
            let reason = format!("{} colours, and 2 to {MOST_LISTED} can be listed", colors.len());
            return Err(ParseError::new(Notation::Colormap, &name, reason));
        }
        Ok(Self { name, entries: colors })
    }

    /// All names without their reversals, in the order of the file.
    pub fn names() -> impl Iterator<Item = &'static str> {
        lines().map(|(name, _)| name)
    }

    /// Whether it is a list of distinct colours for categories.
    pub fn is_qualitative(&self) -> bool {
        self.entries.len() < 64
    }
}

/// Reads a name, or at least two colours separated by commas; after `listed:`, they do not run into each other.
impl FromStr for Colormap {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let colors = |list: &str| list.split(',').map(str::parse).collect::<Result<Vec<Color>, _>>();
        if let Some(list) = text.strip_prefix(LISTED) {
            return Self::listed(colors(list)?);
        }
        if !text.contains(',') {
            return Self::named(text);
        }
        Self::from_colors(&colors(text)?)
    }
}

/// Writes its name.
impl fmt::Display for Colormap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLES.split('\n').filter(|l| !l.starts_with('#')).filter_map(|l| l.split_once(' '))
}

/// The maps by their use, common ones first; with matplotlib's groups. Every map is in one of them.
pub const MAP_GROUPS: &[(&str, &[&str])] = &[
    (
        "Sequential, even to the eye",
        &["viridis", "plasma", "inferno", "magma", "cividis", "rocket", "mako", "flare", "crest"],
    ),
    (
        "Sequential",
        &[
            "Greys",
            "Grays",
            "Purples",
            "Blues",
            "Greens",
            "Oranges",
            "Reds",
            "YlOrBr",
            "YlOrRd",
            "OrRd",
            "PuRd",
            "RdPu",
            "BuPu",
            "GnBu",
            "PuBu",
            "YlGnBu",
            "PuBuGn",
            "BuGn",
            "YlGn",
            "binary",
            "gray",
            "grey",
            "gist_gray",
            "gist_grey",
            "gist_yarg",
            "gist_yerg",
            "bone",
            "pink",
            "spring",
            "summer",
            "autumn",
            "winter",
            "cool",
            "Wistia",
            "hot",
            "afmhot",
            "gist_heat",
            "copper",
        ],
    ),
    (
        "Diverging",
        &[
            "RdBu", "coolwarm", "vlag", "icefire", "bwr", "seismic", "RdYlBu", "Spectral", "PiYG", "PRGn",
            "BrBG", "PuOr", "RdGy", "RdYlGn", "berlin", "managua", "vanimo",
        ],
    ),
    ("Cyclic", &["twilight", "twilight_shifted", "hsv"]),
    (
        "Categories",
        &[
            "tab10",
            "tab20",
            "tab20b",
            "tab20c",
            "okabe_ito",
            "Set1",
            "Set2",
            "Set3",
            "Paired",
            "Accent",
            "Dark2",
            "Pastel1",
            "Pastel2",
        ],
    ),
    (
        "Others",
        &[
            "turbo",
            "jet",
            "rainbow",
            "cubehelix",
            "gnuplot",
            "gnuplot2",
            "CMRmap",
            "ocean",
            "terrain",
            "gist_earth",
            "gist_stern",
            "gist_rainbow",
            "gist_ncar",
            "nipy_spectral",
            "brg",
            "flag",
            "prism",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::Colormap;

    #[test]
    fn known_entries_and_reversals() {
        let v = Colormap::named("viridis").unwrap();
        assert_eq!(
            (v.entries.len(), v.entries[0], v.entries[255]),
            (256, Color::rgb(68, 1, 84), Color::rgb(253, 231, 36))
        );
        assert_eq!(Colormap::named("viridis_r").unwrap().entries[0], v.entries[255]);
        assert_eq!(Colormap::named("tab10").unwrap().entries.len(), 10);
        let wrong = |name: &str| Colormap::named(name).unwrap_err();
        assert_eq!(wrong("virids").hint.unwrap(), "did you mean 'viridis'?");
        assert_eq!(wrong("ylgnbu_r").hint.unwrap(), "did you mean 'YlGnBu'?");
        assert_eq!(
            wrong("nonsense").to_string(),
            "'nonsense' is not a colormap: 'gridscope colormaps' lists them"
        );
    }

    #[test]
    fn every_line_is_a_whole_table() {
        for name in Colormap::names() {
            let m = Colormap::named(name).unwrap();
            assert!(m.entries.len() >= 8 && m.entries.len() <= 1024, "{name}: {}", m.entries.len());
        }
        assert!(Colormap::names().count() >= 80);
    }

    #[test]
    fn lists_of_colours_run_evenly() {
        let m: Colormap = "white,#ff0000".parse().unwrap();
        assert_eq!((m.entries[0], m.entries[255]), (Color::WHITE, Color::rgb(255, 0, 0)));
        assert_eq!(m.entries[51], Color::rgb(255, 204, 204));
        assert_eq!(m.to_string().parse(), Ok(m));
        let m: Colormap = "listed:white,#ff0000,k".parse().unwrap();
        assert_eq!(m.entries, [Color::WHITE, Color::rgb(255, 0, 0), Color::BLACK]);
        assert_eq!(m.to_string(), "listed:#ffffff,#ff0000,#000000");
        assert_eq!(m.to_string().parse(), Ok(m));
        assert!("listed:white".parse::<Colormap>().is_err());
        assert_eq!("white,nocolour".parse::<Colormap>().unwrap_err().kind, Notation::Color);
        assert_eq!(Colormap::from_colors(&[]).unwrap_err().kind, Notation::Colormap);
        assert!(Colormap::from_colors(&[Color::BLACK]).unwrap().entries.iter().all(|e| *e == Color::BLACK));
    }

    #[test]
    fn every_map_is_in_one_group() {
        let mut grouped: Vec<&str> = MAP_GROUPS.iter().flat_map(|g| g.1).copied().collect();
        let mut all: Vec<&str> = Colormap::names().collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}
