//! Grids that are folded in parts beside one pass over all of their cells.

use super::super::{Axis, MarginRequest, ScanRequest, ScanResult, State, Values};
use super::*;
use gridscope_random::{Random, cases};

fn grid(rows: usize, columns: usize, values: Values, states: &[Option<State>]) -> Grid {
    Grid::new(Axis::index("", rows), Axis::index("", columns), values, states).unwrap()
}

/// The cells of some rows and columns as a grid of their own.
fn cut(whole: &Grid, rows: &Range<usize>, columns: &Range<usize>) -> Grid {
    let places: Vec<usize> =
        rows.clone().flat_map(|r| columns.clone().map(move |c| r * whole.width() + c)).collect();
    let loaded = whole.loaded();
    let states: Vec<Option<State>> = places.iter().map(|i| State::of_bits(loaded.cells()[*i])).collect();
    grid(rows.len(), columns.len(), loaded.values().gathered(&places), &states)
}

/// A grid of numbers of some kind, some of them odd.
fn random_grid(random: &mut Random, rows: usize, columns: usize) -> Grid {
    let n = rows * columns;
    let odd = random.below(4) == 0;
    let float = |random: &mut Random| match random.below(if odd { 12 } else { 200 }) {
        0 => f64::INFINITY,
        1 => f64::NEG_INFINITY,
        2 => f64::NAN,
        3 => 1e300,
        4 => -1.7e308,
        5 => 5e-324,
        _ => (random.below(2_000_001) as f64 - 1e6) / 7.0,
    };
    let values = match random.below(4) {
        0 => Values::F64((0..n).map(|_| float(random)).collect()),
        1 => Values::F32 { data: (0..n).map(|_| float(random) as f32).collect(), integer: false },
        2 => Values::I64((0..n).map(|_| (1 << 53) + 1 - 2 * random.below(9) as i64).collect()),
        _ => Values::U64((0..n).map(|_| u64::MAX - random.below(99) as u64).collect()),
    };
    let state = |random: &mut Random| match random.below(if odd { 6 } else { 90 }) {
        0 => Some(State::Masked),
        1 => Some(State::Absent),
        _ => None,
    };
    let states: Vec<Option<State>> = (0..n).map(|_| state(random)).collect();
    grid(rows, columns, values, &states)
}

/// Some spans of `pixels` pixels over `cells` cells.
fn spans(random: &mut Random, cells: usize) -> Vec<[u32; 2]> {
    let pixels = 1 + random.below(12);
    match random.below(3) {
        0 => (0..pixels).map(|i| [i * cells / pixels, (i + 1) * cells / pixels].map(|n| n as u32)).collect(),
        1 => (0..pixels).map(|i| ((2 * i + 1) * cells / (2 * pixels)) as u32).map(|n| [n, n + 1]).collect(),
        _ => (0..pixels)
            .map(|_| {
                let first = random.below(cells);
                [first as u32, (first + random.below(cells - first + 1)) as u32]
            })
            .collect(),
    }
}

/// Ranges that part so many cells.
fn parts(random: &mut Random, cells: usize) -> Vec<Range<usize>> {
    let mut bounds: Vec<usize> =
        (0..random.below(4)).map(|_| random.below(cells)).chain([0, cells]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds.windows(2).map(|w| w[0]..w[1]).collect()
}

/// Count, states, least and greatest value and mean of a pixel.
type PixelFacts = (u64, u8, Option<f64>, Option<f64>, f64);

/// Whether two numbers are the same but for a few roundings of sums of magnitude `size`.
fn near(a: f64, b: f64, size: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || a.is_finite() && (a - b).abs() <= 1e-12 * size.max(a.abs())
}

fn compare(found: &ScanResult, wanted: &ScanResult, what: &str) {
    let size = [wanted.stats.min, wanted.stats.max]
        .into_iter()
        .flatten()
        .map(|v| v.as_f64().abs())
        .fold(0.0, f64::max);
    assert!(
        near(found.stats.mean, wanted.stats.mean, size),
        "{what}: {} {}",
        found.stats.mean,
        wanted.stats.mean
    );
    let without_mean = |result: &ScanResult| super::super::Stats { mean: 0.0, ..result.stats.clone() };
    assert_eq!(without_mean(found), without_mean(wanted), "{what}");
    assert_eq!(found.beyond, wanted.beyond, "{what}");
    assert_eq!(
        (&found.empty_rows, &found.empty_columns),
        (&wanted.empty_rows, &wanted.empty_columns),
        "{what}"
    );
    assert_eq!(found.summaries.len(), wanted.summaries.len(), "{what}");
    let facts = |summaries: &Summaries| -> Vec<PixelFacts> {
        match summaries {
            Summaries::Stored(list) => list
                .iter()
                .map(|s| (s.count(), s.states(), Some(s.min.into()), Some(s.max.into()), s.mean()))
                .collect(),
            Summaries::Wide(list) => list
                .iter()
                .map(|s| {
                    let of = |v: Option<super::super::Number>| v.map(super::super::Number::as_f64);
                    (s.count(), s.states(), of(s.min()), of(s.max()), s.mean().as_f64())
                })
                .collect(),
        }
    };
    for (a, b) in facts(&found.summaries).into_iter().zip(facts(&wanted.summaries)) {
        assert_eq!((a.0, a.1, a.2, a.3), (b.0, b.1, b.2, b.3), "{what}");
        assert!(near(a.4, b.4, size), "{what}: mean {} {}", a.4, b.4);
    }
    for (a, b) in
        [(&found.margins.rows, &wanted.margins.rows), (&found.margins.columns, &wanted.margins.columns)]
    {
        assert_eq!(a.len(), b.len(), "{what}");
        for (a, b) in a.iter().zip(b) {
            assert_eq!(
                (a.count(), a.min().to_bits(), a.max().to_bits()),
                (b.count(), b.min().to_bits(), b.max().to_bits())
            );
            assert!(near(a.mean(), b.mean(), size), "{what}: {} {}", a.mean(), b.mean());
            let (found, wanted) = (a.std(), b.std());
            // Squares of distances lose more digits than sums.
            let is_near = near(found, wanted, size) || (found - wanted).abs() <= 1e-9 * size;
            assert!(is_near, "{what}: standard deviation {found} {wanted}, size {size}, {} cells", a.count());
        }
    }
}

#[test]
fn parts_in_any_order_are_one_pass() {
    for case in 0..cases(300) {
        let mut random = Random(case + 1);
        let (rows, columns) = (1 + random.below(40), 1 + random.below(40));
        let whole = random_grid(&mut random, rows, columns);
        let (pixel_columns, pixel_rows) = (spans(&mut random, columns), spans(&mut random, rows));
        let margins = MarginRequest {
            rows: random.below(2) == 0,
            columns: random.below(2) == 0,
            spread: random.below(2) == 0,
        };
        let ask = ScanRequest {
            body: (random.below(4) > 0).then_some((&pixel_columns[..], &pixel_rows[..])),
            limits: [(random.below(2) == 0).then_some(-5.0), (random.below(2) == 0).then_some(5.0)],
            positive: random.below(2) == 0,
            margins,
        };
        // A number that some cell holds may mark masked ones.
        let some = whole.at(random.below(rows), random.below(columns)).value();
        let nodata = some.map(super::super::Number::as_f64).filter(|_| random.below(3) == 0);
        let wanted = nodata.map_or_else(|| whole.clone(), |nodata| masked(&whole, nodata));
        let plan = ScanPlan::new((rows, columns), &ask, nodata).unwrap();
        let plan = ScanPlan::from_bytes(&plan.to_bytes()).unwrap();
        let mut folded = Vec::new();
        let across = parts(&mut random, columns);
        for r in parts(&mut random, rows) {
            for c in &across {
                let part = plan.fold(&cut(&whole, &r, c), (r.start, c.start)).unwrap();
                folded.push(PartialScan::from_bytes(&part.to_bytes()).unwrap());
            }
        }
        // Joined in any order, by groups of any size.
        while folded.len() > 1 {
            let mut first = folded.swap_remove(random.below(folded.len()));
            let n = 1 + random.below(folded.len());
            first.merge(&folded.split_off(folded.len() - n)).unwrap();
            folded.push(first);
        }
        let found = folded.remove(0).finish().unwrap();
        compare(&found, &wanted.scan(&ask).unwrap(), &format!("case {case}"));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let whole = grid(4, 4, Values::I64((0..16).collect()), &[]);
    let ask = ScanRequest { body: Some((&[[0, 2], [2, 4]], &[[0, 4]])), ..ScanRequest::default() };
    let plan = ScanPlan::new((4, 4), &ask, None).unwrap();
    let part = |rows: Range<usize>| plan.fold(&cut(&whole, &rows, &(0..4)), (rows.start, 0)).unwrap();
    assert!(part(0..3).finish().unwrap_err().to_string().contains("12 of 16 cells"));
    let mut twice = part(0..3);
    assert!(twice.merge(&[part(1..4)]).unwrap_err().to_string().contains("folded twice"));
    assert!(plan.fold(&whole, (1, 0)).is_err());
    let other = ScanPlan::new((4, 4), &ScanRequest::default(), None).unwrap();
    let mut mixed = part(0..2);
    assert!(mixed.merge(&[other.fold(&cut(&whole, &(2..4), &(0..4)), (2, 0)).unwrap()]).is_err());
    let floats = grid(2, 4, Values::F32 { data: vec![1.0; 8], integer: false }, &[]);
    assert!(
        part(0..2).merge(&[plan.fold(&floats, (2, 0)).unwrap()]).unwrap_err().to_string().contains("kinds")
    );
    assert!(ScanPlan::new((0, 4), &ScanRequest::default(), None).is_err());
    assert!(ScanPlan::new((4, 1), &ask, None).is_err());
}

#[test]
fn damaged_bytes_are_refused_or_harmless() {
    let whole = grid(6, 5, Values::F64((0..30).map(f64::from).collect()), &[]);
    let margins = MarginRequest { rows: true, columns: true, spread: true };
    let ask =
        ScanRequest { body: Some((&[[0, 3], [3, 5]], &[[0, 2], [2, 6]])), margins, ..ScanRequest::default() };
    let plan = ScanPlan::new((6, 5), &ask, None).unwrap();
    let (bytes, of_plan) = (plan.fold(&whole, (0, 0)).unwrap().to_bytes(), plan.to_bytes());
    for n in 0..bytes.len() {
        assert!(PartialScan::from_bytes(&bytes[..n]).is_err());
    }
    let mut random = Random(1);
    for _ in 0..cases(2000) {
        for bytes in [&bytes, &of_plan] {
            let mut bytes = bytes.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            let _ = ScanPlan::from_bytes(&bytes);
            if let Ok(mut part) = PartialScan::from_bytes(&bytes) {
                let again = part.clone();
                let _ = part.merge(&[again]);
                let _ = part.finish();
            }
        }
    }
}

#[test]
fn equal_numbers_near_the_end_of_f64_have_no_spread() {
    let margins = MarginRequest { rows: false, columns: true, spread: true };
    for n in 2..40 {
        let column = grid(n, 1, Values::F64(vec![-1.7e308; n]), &[]);
        let found = column.scan(&ScanRequest { margins, ..ScanRequest::default() }).unwrap();
        assert_eq!(found.margins.columns[0].std(), 0.0, "{n}");
    }
}
