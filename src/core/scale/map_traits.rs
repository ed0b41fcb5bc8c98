//! What colormaps are good for: their use, whether readers of all kinds of eyes tell their colours apart, and whether they print in
//! grey.

use super::colormap::{Colormap, MAP_GROUPS};
use crate::color::Color;
use crate::notation::words;
use crate::vision::Vision;

words! {
    /// The use of a colormap.
    MapKind {
        /// From low to high.
        #[default] Sequential = "sequential",
        /// From a middle to two sides.
        Diverging = "diverging",
        /// Its ends are alike: for angles and hours.
        Cyclic = "cyclic",
        /// A colour for each category.
        Categories = "categories",
        /// None of these.
        Other = "other",
    }
}

/// What a colormap is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapTraits {
    /// Its use.
    pub kind: MapKind,
    /// Readers who lack a kind of cones tell its colours apart.
    pub is_safe: bool,
    /// Its lightness alone orders its colours.
    pub is_grey: bool,
}

/// Colours that are compared, from one end to the other.
const SAMPLES: usize = 9;
/// The least distance (CIE76) of two of them that are seen as two.
const APART: f64 = 5.0;
/// A step of lightness (L*) against the others that is not seen.
const TURN: f64 = 1.0;
/// The least step of lightness (L*) that is seen in print.
const STEP: f64 = 2.0;

impl MapTraits {
    /// Those of a map.
    pub fn of(map: &Colormap) -> Self {
        let base = map.name.strip_suffix("_r").unwrap_or(&map.name);
        let group = MAP_GROUPS.iter().find(|(_, names)| names.contains(&base)).map_or("", |group| group.0);
        let kind = match group {
            _ if group.starts_with("Sequential") => MapKind::Sequential,
            "Diverging" => MapKind::Diverging,
            "Cyclic" => MapKind::Cyclic,
            "Categories" => MapKind::Categories,
            _ => MapKind::Other,
        };
        let n = map.entries.len();
        let some: Vec<Color> = match kind {
            MapKind::Categories => map.entries.clone(),
            // The ends of a cycle are one colour.
            MapKind::Cyclic => (0..SAMPLES).map(|i| map.entries[i * n / SAMPLES]).collect(),
            _ => (0..SAMPLES).map(|i| map.entries[i * (n - 1) / (SAMPLES - 1)]).collect(),
        };
        let are_apart = |vision: Vision| {
            let seen: Vec<Color> = some.iter().map(|c| vision.seen(*c)).collect();
            let pairs = (0..seen.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
            let is_apart = pairs.into_iter().all(|(a, b)| seen[a].difference(seen[b]) >= APART);
            // From low to high, what is as light as another one is taken for it.
            let is_line = matches!(kind, MapKind::Sequential | MapKind::Other);
            let steps = || seen.windows(2).map(|c| c[1].lightness() - c[0].lightness());
            is_apart && (!is_line || steps().all(|s| s >= -TURN) || steps().all(|s| s <= TURN))
        };
        let steps: Vec<f64> = some.windows(2).map(|c| c[1].lightness() - c[0].lightness()).collect();
        Self {
            kind,
            is_safe: Vision::ALL.into_iter().all(are_apart),
            is_grey: kind != MapKind::Categories
                && (steps.iter().all(|s| *s >= STEP) || steps.iter().all(|s| *s <= -STEP)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_maps_are_what_they_are_known_for() {
        let of = |name: &str| MapTraits::of(&Colormap::named(name).unwrap());
        for name in ["viridis", "cividis", "magma", "inferno", "Greys", "viridis_r", "Blues"] {
            let found = of(name);
            assert!(found.kind == MapKind::Sequential && found.is_safe && found.is_grey, "{name}: {found:?}");
        }
        for name in ["jet", "hsv", "RdYlGn", "rainbow", "tab20"] {
            assert!(!of(name).is_safe, "{name}: {:?}", of(name));
        }
        for name in ["jet", "RdBu", "twilight", "tab10"] {
            assert!(!of(name).is_grey, "{name}");
        }
        for (name, kind) in
            [("RdBu", MapKind::Diverging), ("twilight", MapKind::Cyclic), ("Set1", MapKind::Categories)]
        {
            assert_eq!(of(name).kind, kind, "{name}");
        }
        assert!(of("RdBu").is_safe && of("PuOr").is_safe && of("okabe_ito").is_safe);
    }
}
