//! Limits of colour scales: how often each cell is read for them, and limits and counts against plain f64 arithmetic.

use crate::support::place::Place;
use crate::support::random::{Random, cases};
use gridscope::figure::{BarPlace, Figure, Ticks, TicksWord, Toggle};
use gridscope::grid::{Axis, Buffer, CellSource, Grid, Number, SourceError, Values};
use gridscope::input::{ReadOptions, open_bytes};
use gridscope::{Error, Fonts};
use gridscope_core::timing::Phases;
use gridscope_draw::raster;
use gridscope_draw::render::{Prepared, prepare};
use gridscope_draw::resolve::{Overrides, frame};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Numbers that are not in memory, and how often each was read.
#[derive(Debug)]
struct Counted {
    width: usize,
    values: Vec<f64>,
    is_wide: bool,
    reads: Vec<AtomicU32>,
}

impl Counted {
    fn new(width: usize, values: Vec<f64>, is_wide: bool) -> Arc<Self> {
        let reads = values.iter().map(|_| AtomicU32::new(0)).collect();
        Arc::new(Self { width, values, is_wide, reads })
    }

    fn buffer_of(&self, values: Vec<f64>) -> Buffer {
        if self.is_wide {
            return Buffer::F64(values);
        }
        Buffer::F32 { bits: values.into_iter().map(|v| (v as f32).to_bits()).collect(), integer: false }
    }

    /// How often each cell was read since the last call.
    fn take(&self) -> Vec<u32> {
        self.reads.iter().map(|n| n.swap(0, Ordering::Relaxed)).collect()
    }
}

impl CellSource for Counted {
    fn rows(&self) -> usize {
        self.values.len() / self.width
    }

    fn columns(&self) -> usize {
        self.width
    }

    fn buffer(&self) -> Buffer {
        self.buffer_of(Vec::new())
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        let places = rows.flat_map(|r| columns.clone().map(move |c| r * self.width + c));
        let read = |i: usize| {
            self.reads[i].fetch_add(1, Ordering::Relaxed);
            self.values[i]
        };
        *into = self.buffer_of(places.map(read).collect());
        Ok(())
    }
}

/// A figure of this text in 300 x 200 pixels, without colour bars, whose labels depend on the limits.
fn figure(text: &str) -> Figure {
    let mut figure: Figure = toml::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    figure.square = Some(Toggle::Off);
    figure.color.bar = Some(BarPlace::None);
    figure.size.width = Some("300px".parse().unwrap());
    figure.size.height = Some("200px".parse().unwrap());
    figure.size.dpi = Some(72.0);
    let none = Some(Ticks::Word(TicksWord::None));
    (figure.x.ticks, figure.y.ticks) = (none.clone(), none);
    figure
}

fn prepared(figure: &Figure, grids: &[Grid]) -> Result<Prepared, Error> {
    prepare(figure, grids, &mut Fonts::new(), &mut Phases::new())
}

/// Panels A, B … of these sources.
fn panels(sources: &[Arc<Counted>]) -> Vec<Grid> {
    let grid = |(i, source): (usize, &Arc<Counted>)| {
        let mut grid = Grid::stored(source.clone(), None).unwrap();
        grid.set_name(['A', 'B', 'C'][i].to_string());
        grid
    };
    sources.iter().enumerate().map(grid).collect()
}

/// Checks that a figure reads each cell once, and `more` times for the ranks of its values.
fn check_reads(text: &str, sources: &[Arc<Counted>], more: u32) {
    let figure = figure(text);
    let grids = panels(sources);
    // A few cells are read for the keys of their states before the pass.
    frame(&figure, &Overrides::default(), &grids).unwrap();
    let peeks: Vec<Vec<u32>> = sources.iter().map(|s| s.take()).collect();
    prepared(&figure, &grids).unwrap_or_else(|e| panic!("{text}: {e}"));
    for (source, peeked) in sources.iter().zip(peeks) {
        let read = source.take();
        let other = read.iter().zip(&peeked).position(|(read, peeked)| *read != peeked + 1 + more);
        let other = other.map(|i| (i, read[i], peeked[i]));
        assert_eq!(other, None, "{text}: place, reads, reads for its states; {more} more are for ranks");
    }
}

/// Numbers of -20 to 79.9, not in order.
fn wave(n: usize, shift: f64) -> Vec<f64> {
    (0..n).map(|i| (i * 7919 % 999) as f64 / 10.0 - 20.0 + shift).collect()
}

#[test]
fn limits_cost_no_pass_over_the_cells() {
    for is_wide in [false, true] {
        let one = [Counted::new(400, wave(120_000, 0.0), is_wide)];
        let two =
            [Counted::new(400, wave(120_000, 0.0), is_wide), Counted::new(300, wave(90_000, 10.0), is_wide)];
        for (text, ranks) in [
            ("", 0),
            ("[color]\nvmin = 3.0", 0),
            ("[color]\nvmax = 9.0", 0),
            ("[color]\nvmin = 3.0\nvmax = 9.0", 0),
            ("[color]\nrobust = true", 1),
            ("[color]\nrobust = true\nvmin = 3.0", 1),
            ("[color]\nrobust = true\nvmax = 3.0", 1),
            ("[color]\nrobust = true\nvmin = 3.0\nvmax = 9.0", 0),
            ("[color]\ncenter = 5.0\nvmin = 3.0", 0),
            ("[color]\ncenter = 5.0\nvmax = 9.0", 0),
            ("[color]\ncenter = 5.0\nrobust = true", 1),
            ("[color]\nnorm = \"log\"", 0),
            ("[color]\nnorm = \"log\"\nvmin = 3.0", 0),
            ("[color]\nnorm = \"log\"\nvmax = 9.0", 0),
            ("[color]\nnorm = \"log\"\nrobust = true", 1),
            ("[color]\nnorm = \"symlog:1\"\nvmax = 9.0", 0),
            ("[color]\nnorm = \"quantile\"", 1),
            ("[color]\nnorm = \"quantile\"\nvmin = 3.0", 1),
            ("[color]\nnorm = \"bounds:0,3,10\"", 0),
            ("[color]\nnorm = \"centered\"\ncenter = 5.0\nvmax = 9.0", 0),
            ("[color]\nnorm = \"centered:3\"\ncenter = 5.0", 0),
            ("[color]\nnorm = \"centered\"\ncenter = 5.0\nrobust = true", 1),
            ("[color]\nnorm = \"twoslope\"\ncenter = 5.0\nvmin = 3.0", 0),
        ] {
            check_reads(text, &one, ranks);
            check_reads(text, &two, ranks);
            let text = match text {
                "" => "[color]\nscale = \"panel\"".to_owned(),
                text => format!("{text}\nscale = \"panel\""),
            };
            check_reads(&text, &two, ranks);
        }
        for text in [
            // Only the first panel of a shared scale speaks for it.
            "[panels.A]\nvmin = 3.0",
            "[panels.B]\nvmax = 9.0",
            "[color]\nvmin = -5.0\n[panels.A]\nvmin = 3.0\nvmax = 30.0\n[panels.B]\nvmax = 9.0",
            "[color]\nscale = \"panel\"\n[panels.A]\nvmin = 3.0\n[panels.B]\nvmax = 9.0",
            "[color]\nscale = \"panel\"\n[panels.A]\nnorm = \"log\"\n[panels.B]\nvmax = 30.0",
        ] {
            check_reads(text, &two, 0);
        }
    }
}

#[test]
fn robust_limits_of_many_cells_cost_the_passes_of_their_ranks() {
    let cells = 1200 * 1000;
    let source = Counted::new(1200, wave(cells, 0.0), false);
    check_reads("[color]\nrobust = true", &[source], 2);
    let halves = [0.0, 30.0].map(|shift| Counted::new(1200, wave(cells / 2 + 1200, shift), false));
    check_reads("[color]\nrobust = true\nvmin = 3.0", &halves, 2);
}

/// Random values with now and then an infinity, a NaN and 1e300.
fn values(random: &mut Random, n: usize) -> Vec<f64> {
    let (shape, place) = (random.below(5), random.pick(&[0.0, 1e3, -40.0]));
    let mut values: Vec<f64> = (0..n)
        .map(|_| match shape {
            0 => place,
            1 => f64::from(random.below(6)) + place,
            2 => (random.unit() - 0.5) * 1e-3 + place,
            3 => 10f64.powf(random.unit() * 60.0 - 30.0),
            _ => (random.unit() * 100.0 - 50.0).round() / 4.0 + place,
        })
        .collect();
    for odd in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::NAN, 1e300, -1e30, -0.0] {
        if random.chance(0.2) {
            let i = random.below(n);
            values[i] = odd;
        }
    }
    if random.chance(0.05) {
        values.fill(f64::NAN);
    }
    values
}

/// numpy's `percentile` of sorted values.
fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let at = percent / 100.0 * (sorted.len() - 1) as f64;
    let (low, t) = (at as usize, at.fract());
    let (a, b) = (sorted[low], sorted[(low + 1).min(sorted.len() - 1)]);
    let span = b - a;
    if t < 0.5 { a + span * t } else { b - span * (1.0 - t) }
}

/// The limits of panels that share a scale, by plain arithmetic.
fn reference(panels: &[&Vec<f64>], given: [Option<f64>; 2], robust: bool, is_log: bool) -> [f64; 2] {
    let mut finite: Vec<f64> =
        panels.iter().flat_map(|p| p.iter().copied()).filter(|v| v.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    let found = match finite[..] {
        [] => [given[0].unwrap_or(0.0), given[0].unwrap_or(0.0) + 1.0],
        _ if robust => [percentile(&finite, 2.0), percentile(&finite, 98.0)],
        [least] => [least; 2],
        [least, .., greatest] => [least, greatest],
    };
    let positive = finite.iter().copied().find(|v| *v > 0.0).filter(|_| is_log);
    let [low, high] = [given[0].or(positive).unwrap_or(found[0]), given[1].unwrap_or(found[1])];
    match given {
        // An automatic limit gives way to the one that was given.
        [Some(given), None] | [None, Some(given)] if low > high => [given; 2],
        _ => [low, high],
    }
}

#[test]
fn limits_and_counts_are_those_of_plain_arithmetic() {
    let mut random = Random(20_261_126);
    let (mut drawn, mut refused) = (0, 0);
    for case in 0..cases(300) {
        let n = 1 + random.below(3);
        let is_f32 = random.chance(0.4);
        let all: Vec<Vec<f64>> = (0..n)
            .map(|_| {
                let count = 1 + random.below(60);
                let values = values(&mut random, count * 5);
                let stored = |v: f64| if is_f32 { f64::from(v as f32) } else { v };
                values.into_iter().map(stored).collect()
            })
            .collect();
        let in_file = random.chance(0.5);
        let grids: Vec<Grid> = all
            .iter()
            .enumerate()
            .map(|(i, values)| {
                let mut grid = if in_file {
                    Grid::stored(Counted::new(5, values.clone(), !is_f32), None).unwrap()
                } else {
                    let (rows, columns) = (Axis::index("", values.len() / 5), Axis::index("", 5));
                    let values = match is_f32 {
                        true => {
                            Values::F32 { data: values.iter().map(|v| *v as f32).collect(), integer: false }
                        }
                        false => Values::F64(values.clone()),
                    };
                    Grid::new(rows, columns, values, &[]).unwrap()
                };
                grid.set_name(['A', 'B', 'C'][i].to_string());
                grid
            })
            .collect();
        // Random limits, values among them, on either side or on both.
        let mut limit = || {
            let values = random.pick(&all);
            let own = Some(random.pick(&values)).filter(|v| v.is_finite());
            let any = Some((random.unit() - 0.3) * 50.0);
            random.pick(&[None, own, any, None])
        };
        let given = [limit(), limit()];
        let (robust, is_log) = (random.chance(0.4), random.chance(0.2));
        let is_shared = random.chance(0.6);
        let mut figure = figure("");
        let color = &mut figure.color;
        (color.vmin, color.vmax, color.robust) = (given[0], given[1], Some(robust));
        color.norm = is_log.then(|| "log".parse().unwrap());
        color.scale = Some(if is_shared { "shared" } else { "panel" }.to_owned());
        let groups: Vec<Vec<usize>> =
            if is_shared { vec![(0..n).collect()] } else { (0..n).map(|i| vec![i]).collect() };
        let wanted: Vec<[f64; 2]> = groups
            .iter()
            .map(|group| {
                reference(&group.iter().map(|&i| &all[i]).collect::<Vec<_>>(), given, robust, is_log)
            })
            .collect();
        let said = format!("case {case}: {given:?} robust {robust} log {is_log} shared {is_shared} {all:?}");
        let lacks_positive = |group: &Vec<usize>| {
            let finite = || group.iter().flat_map(|&i| &all[i]).filter(|v| v.is_finite());
            finite().next().is_some() && finite().all(|v| *v <= 0.0)
        };
        let has_values = |group: &Vec<usize>| group.iter().any(|&i| all[i].iter().any(|v| v.is_finite()));
        let is_refused = groups.iter().zip(&wanted).any(|(group, limits)| {
            let log = is_log && has_values(group);
            limits[0] > limits[1] || (log && (limits[0] <= 0.0 || lacks_positive(group)))
        });
        let made = match prepared(&figure, &grids) {
            Err(e) => {
                refused += 1;
                assert!(is_refused, "{said}: {e}");
                continue;
            }
            Ok(made) => made,
        };
        assert!(!is_refused, "{said}");
        drawn += 1;
        for ((group, limits), bar) in groups.iter().zip(&wanted).zip(&made.colours.bars) {
            let spec = bar.scale.spec();
            assert_eq!([spec.vmin, spec.vmax], *limits, "{said}");
            let mut sum = [0, 0];
            for &i in group {
                let below = all[i].iter().filter(|v| **v < limits[0]).count() as u64;
                let above = all[i].iter().filter(|v| **v > limits[1]).count() as u64;
                let panel = &made.colours.panels[i];
                assert_eq!([panel.below, panel.above], [below, above], "panel {i} of {said}");
                sum = [sum[0] + below, sum[1] + above];
            }
            assert_eq!([bar.below, bar.above], sum, "{said}");
        }
    }
    assert!(drawn > refused, "{drawn} {refused}");
}

/// The reduction `extreme` of two panels with different ranges, exported, against the colours of the picture.
#[test]
fn exported_extremes_are_those_of_the_picture() {
    let place = Place::empty();
    let mut table = "x,y,run,v\n".to_owned();
    for (run, low) in [("A", 0), ("B", 80)] {
        for (x, y) in (0..120).flat_map(|x| (0..90).map(move |y| (x, y))) {
            table.push_str(&format!("{x},{y},{run},{}\n", low + (x * 37 + y * 101) % 50));
        }
    }
    place.write("t.csv", &table);
    for (text, centres) in [
        ("", [64.5, 64.5]),
        ("[color]\nvmin = -100.0\n", [14.5, 14.5]),
        ("[color]\ncenter = 20.0\n", [20.0, 20.0]),
        ("[color]\nscale = \"panel\"\n", [24.5, 104.5]),
        ("[color]\nscale = \"panel\"\n[panels.A]\ncenter = 10.0\n[panels.B]\nvmax = 90.0\n", [10.0, 85.0]),
        ("[panels.A]\nvmin = 0.0\nvmax = 40.0\n", [20.0, 20.0]),
    ] {
        let text = format!(
            "square = \"off\"\n[data]\nfile = \"t.csv\"\nx = \"x\"\ny = \"y\"\nvalue = \"v\"\npanel = \"run\"\n\
             [reduce]\nby = \"extreme\"\n[size]\nwidth = \"240px\"\nheight = \"140px\"\ndpi = 40.0\n{text}"
        );
        place.write("f.toml", &text);
        let figure: Figure = toml::from_str(&text).unwrap();
        let needs = ReadOptions::default();
        let grids = open_bytes(table.clone().into_bytes(), "t.csv", &figure, &needs, 1 << 30).unwrap().grids;
        let (mut fonts, mut phases) = (Fonts::new(), Phases::new());
        let made = prepare(&figure, &grids, &mut fonts, &mut phases).unwrap();
        let picture = raster::draw(&made.scene, &grids, &mut fonts);
        for (i, name) in ["A", "B"].into_iter().enumerate() {
            let colours = &made.colours.panels[i];
            assert_eq!(colours.centre, centres[i], "{text}");
            let body = made.layout.panels[i].body;
            let flags = format!("--width {}px --height {}px -o e.csv", body.w, body.h);
            place.ends(0, &format!("export f.toml {flags}"));
            let exported = String::from_utf8(place.read(format!("e-{name}.csv"))).unwrap();
            let mut pixels = 0;
            for (row, line) in exported.lines().skip(1).enumerate() {
                for (column, text) in line.split(',').skip(1).enumerate() {
                    let at =
                        ((body.y as usize + row) * picture.width as usize + body.x as usize + column) * 4;
                    let shown = &picture.pixels[at..at + 4];
                    let value: f64 = text.parse().unwrap();
                    let wanted = colours.scale.lut()[colours.scale.index_of(Number::F64(value))];
                    assert_eq!(shown, &wanted.rgba()[..], "{name} {row} {column}: {text}");
                    pixels += 1;
                }
            }
            assert_eq!(pixels, body.w * body.h);
        }
    }
}
