//! A few extreme cells (pixels, where pixels cover several) that take more than half of the limits.

use super::limits::finite;
use super::notes::place_of;
use super::scheme::Folded;
use gridscope_core::grid::Grid;
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::scale::short;

/// In fewer cells than this one of them is not an exception.
const LEAST: usize = 10;
/// Values whose median is taken for that of all.
const SAMPLE: usize = 4096;

/// Warns where without the most extreme of all panels that share limits the rest would span under half of them.
pub(super) fn outliers(
    grids: &[Grid],
    folded: &[Folded<'_>],
    members: &[usize],
    (vmin, vmax): (f64, f64),
    out: &mut Lints,
) {
    let quarter = (vmax - vmin) / 4.0;
    let (mut n, mut bottom, mut top) = (0usize, 0usize, 0usize);
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    each(grids, folded, members, |low, high| {
        n += 1;
        range = (range.0.min(low), range.1.max(high));
        bottom += usize::from(low < vmin + quarter);
        top += usize::from(high > vmax - quarter);
    });
    let few = (n / 1000).max(1);
    // What spans under half of the limits leaves out the top quarter or the bottom one.
    if n < LEAST || range.0 >= range.1 || (bottom > few && top > few) {
        return;
    }
    let (mut lows, mut highs) = (Lowest::new(few + 1), Lowest::new(few + 1));
    let (mut sample, mut i) = (Vec::new(), 0usize);
    let step = n.div_ceil(SAMPLE);
    each(grids, folded, members, |low, high| {
        lows.push(low);
        highs.push(-high);
        if i.is_multiple_of(step) {
            sample.push(low / 2.0 + high / 2.0);
        }
        i += 1;
    });
    sample.sort_unstable_by(f64::total_cmp);
    let middle = sample[sample.len() / 2];
    let (lows, highs) = (lows.sorted(), highs.sorted());
    let (mut low, mut high) = (0, 0);
    for _ in 0..few {
        if middle - lows[low] > -highs[high] - middle {
            low += 1;
        } else {
            high += 1;
        }
    }
    let (rest_min, rest_max) = (lows[low], -highs[high]);
    if rest_max - rest_min >= (vmax - vmin) / 2.0 {
        return;
    }
    let hint = if rest_min > 0.0 && lows[0] > 0.0 && vmax > 100.0 * rest_max {
        "--norm log".to_owned()
    } else {
        let flag = |given: bool, word: &str, v: f64| given.then(|| format!("--{word} {}", short(v)));
        let flags = [flag(low > 0, "vmin", rest_min), flag(high > 0, "vmax", rest_max)];
        flags.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let stats = |i: usize| &folded[i].scan.stats;
    let far = |i: &&usize| stats(**i).range().map_or(f64::NAN, |(a, b)| if high > 0 { b } else { -a });
    let Some(&i) = members.iter().filter(|i| !far(i).is_nan()).max_by(|a, b| far(a).total_cmp(&far(b)))
    else {
        return;
    };
    let (g, s) = (&grids[i], stats(i));
    let (at, what) = if high > 0 { (s.max_cells.first(), s.max) } else { (s.min_cells.first(), s.min) };
    let place = at.map_or(String::new(), |&(r, c)| {
        format!(" ({} at {})", what.map_or(String::new(), |v| v.to_string()), place_of(g, r, c))
    });
    let word = if folded[i].body.is_some() { "pixel" } else { "cell" };
    let cells =
        if few == 1 { format!("the most extreme {word}") } else { format!("the {few} most extreme {word}s") };
    let text = format!("without {cells}{place} the rest spans under half of the limits");
    out.add_panel(LintName::OutlierLimits, g.name(), few as u64, text).hint(hint);
}

/// Least and greatest finite value of each pixel, or of each cell where a pixel shows one.
fn each(grids: &[Grid], folded: &[Folded<'_>], members: &[usize], mut take: impl FnMut(f64, f64)) {
    for &i in members {
        match folded[i].summaries {
            None => finite(&grids[i]).for_each(|v| take(v, v)),
            Some(pixels) => pixels.ranges(&mut take),
        }
    }
}

/// The least values of many.
struct Lowest {
    keep: usize,
    list: Vec<f64>,
    limit: f64,
}

impl Lowest {
    fn new(keep: usize) -> Self {
        Self { keep, list: Vec::new(), limit: f64::INFINITY }
    }

    fn push(&mut self, v: f64) {
        if v >= self.limit {
            return;
        }
        self.list.push(v);
        // Seldom enough that each value costs a comparison or two.
        if self.list.len() >= 4 * self.keep + 64 {
            self.list.select_nth_unstable_by(self.keep, f64::total_cmp);
            self.limit = self.list[self.keep];
            self.list.truncate(self.keep + 1);
        }
    }

    fn sorted(mut self) -> Vec<f64> {
        self.list.sort_unstable_by(f64::total_cmp);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_are_those_of_a_sort() {
        let values: Vec<f64> =
            (0..5000u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) % 3001)).collect();
        let mut lowest = Lowest::new(7);
        values.iter().for_each(|v| lowest.push(*v));
        let mut want = values;
        want.sort_unstable_by(f64::total_cmp);
        assert_eq!(lowest.sorted()[..7], want[..7]);
    }
}
