//! Grids that stay in their files have the same pictures and numbers as grids in memory, whatever their shape.

use crate::support::image::decode;
use crate::support::npy::array;
use crate::support::place::Place;
use crate::support::required;
use std::fs;
use std::path::Path;

impl Place {
    /// Standard output and errors of a run that succeeds.
    fn done(&self, args: &str) -> String {
        let ran = self.ends(0, args);
        ran.text() + &ran.err
    }

    /// The report of a run that succeeds.
    fn report(&self, args: &str) -> serde_json::Value {
        self.done(&format!("{args} --json=report.json"));
        self.json("report.json")
    }
}

fn npy(path: &Path, descr: &str, fortran: bool, shape: (usize, usize), data: impl IntoIterator<Item = u8>) {
    fs::write(path, array(descr, fortran, &[shape.0, shape.1], data)).unwrap();
}

fn value(r: usize, c: usize) -> f32 {
    match (r * 31 + c * 17) % 4001 {
        7 => f32::NAN,
        8 if c.is_multiple_of(3) => f32::INFINITY,
        n => (n as f32 - 2000.0) / 8.0 + (r as f32 / 40.0).sin() * 300.0,
    }
}

const ROWS: usize = 700;
const COLUMNS: usize = 500;

#[test]
fn order_and_type_of_the_file_do_not_change_the_picture() {
    let p = Place::empty();
    let cells = || (0..ROWS).flat_map(|r| (0..COLUMNS).map(move |c| value(r, c)));
    let turned = || (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| value(r, c)));
    npy(&p.path("c.npy"), "<f4", false, (ROWS, COLUMNS), cells().flat_map(f32::to_le_bytes));
    npy(&p.path("f.npy"), "<f4", true, (ROWS, COLUMNS), turned().flat_map(f32::to_le_bytes));
    npy(&p.path("d.npy"), ">f8", false, (ROWS, COLUMNS), cells().flat_map(|v| f64::from(v).to_be_bytes()));
    npy(&p.path("t.npy"), "<f4", false, (COLUMNS, ROWS), turned().flat_map(f32::to_le_bytes));
    let rows = (0..ROWS)
        .map(|r| (0..COLUMNS).map(|c| format!("{:?}", f64::from(value(r, c)))).collect::<Vec<_>>().join(","))
        .collect::<Vec<_>>();
    fs::write(p.path("m.csv"), rows.join("\n")).unwrap();
    for (more, numbers) in [
        ("--width 300 --height 400 --origin lower", "--width 91 --height 113"),
        ("--rows 17:640 --reduce max", ""),
    ] {
        let sha = |file: &str, flags: &str| {
            let report = p.report(&format!("render {file} {flags}{more} --no-metadata -o a.png"));
            (report["output"]["sha256"].clone(), report["panels"][0]["max"].clone(), report["lints"].clone())
        };
        // The same table in memory.
        let want = sha("m.csv", "--table matrix --header none ");
        for (file, flags) in [("c.npy", ""), ("f.npy", ""), ("d.npy", ""), ("t.npy", "--transpose ")] {
            assert_eq!(sha(file, flags), want, "{file} {more}");
        }
        if !numbers.is_empty() {
            let list = |file: &str, flags: &str| {
                p.done(&format!("export {file} {flags}{numbers} --reduce extreme --center 0 -o e.csv"));
                fs::read_to_string(p.path("e.csv")).unwrap()
            };
            let want = list("m.csv", "--table matrix --header none ");
            assert!(
                list("c.npy", "") == want
                    && list("f.npy", "") == want
                    && list("t.npy", "--transpose ") == want
            );
        }
    }
    let info = |file: &str, flags: &str| p.done(&format!("info {file} {flags}--top 3"));
    assert_eq!(
        info("f.npy", "").lines().skip(1).collect::<Vec<_>>(),
        info("c.npy", "").lines().skip(1).collect::<Vec<_>>()
    );
}

#[test]
fn percentiles_and_counted_limits_need_no_grid_in_memory() {
    let p = Place::empty();
    let cells = || (0..ROWS).flat_map(|r| (0..COLUMNS).map(move |c| value(r, c)));
    npy(&p.path("c.npy"), "<f4", false, (ROWS, COLUMNS), cells().flat_map(f32::to_le_bytes));
    let scale = |flags: &str| {
        p.report(&format!("render c.npy -o a.png --width 400 --height 300 {flags}"))["scales"][0].clone()
    };
    let mut finite: Vec<f64> = cells().filter(|v| v.is_finite()).map(f64::from).collect();
    finite.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let x = share * (finite.len() - 1) as f64;
        let (a, b) = (finite[x as usize], finite[(x as usize + 1).min(finite.len() - 1)]);
        a + (b - a) * x.fract()
    };
    let robust = scale("--robust");
    assert!(
        (robust["vmin"].as_f64().unwrap() - at(0.02)).abs() < 1e-9
            && (robust["vmax"].as_f64().unwrap() - at(0.98)).abs() < 1e-9
    );
    let count = |f: &dyn Fn(f32) -> bool| cells().filter(|v| f(*v)).count() as u64;
    assert_eq!(robust["above"].as_u64(), Some(count(&|v| f64::from(v) > at(0.98))));
    let limits = scale("--vmin -100 --vmax 250");
    assert_eq!(
        (limits["below"].as_u64(), limits["above"].as_u64()),
        (Some(count(&|v| v < -100.0)), Some(count(&|v| v > 250.0)))
    );
    let log = scale("--norm log");
    let least = finite.iter().copied().find(|v| *v > 0.0).unwrap();
    assert_eq!((log["vmin"].as_f64(), log["below"].as_u64()), (Some(least), Some(count(&|v| v <= 0.0))));
}

#[test]
fn one_state_that_no_peek_meets_still_gets_its_key() {
    let p = Place::empty();
    let clean = |r: usize, c: usize| (r + c) as f32;
    let cells = |hole: bool| {
        (0..ROWS).flat_map(move |r| {
            (0..COLUMNS).map(move |c| if hole && (r, c) == (351, 333) { f32::NAN } else { clean(r, c) })
        })
    };
    npy(&p.path("hole.npy"), "<f4", false, (ROWS, COLUMNS), cells(true).flat_map(f32::to_le_bytes));
    npy(&p.path("whole.npy"), "<f4", false, (ROWS, COLUMNS), cells(false).flat_map(f32::to_le_bytes));
    let hole = p.report("render hole.npy -o a.png --width 400");
    let whole = p.report("render whole.npy -o b.png --width 400");
    assert_eq!(hole["panels"][0]["counts"]["nan"], 1);
    // The key takes a line.
    assert!(hole["output"]["height"].as_u64() > whole["output"]["height"].as_u64(), "{}", hole["output"]);
}

#[test]
fn long_rows_and_columns_keep_every_cell() {
    let p = Place::empty();
    for n in [(1usize << 23) + 1, (1 << 24) + 1] {
        let peak = n - 2;
        let cells = || {
            (0..n).map(move |i| {
                if i == peak {
                    3e38f32
                } else if i == n / 2 {
                    f32::NAN
                } else {
                    (i % 100) as f32
                }
            })
        };
        for (rows, columns) in [(1, n), (n, 1)] {
            let words: Vec<u8> = cells().flat_map(f32::to_le_bytes).collect();
            fs::write(p.path("n.raw"), words).unwrap();
            let raw = format!("--raw f32le {columns}x{rows}");
            let report = p.report(&format!("render n.raw {raw} -o a.png --width 400 --height 300 -q"));
            let panel = &report["panels"][0];
            assert_eq!(
                (panel["counts"]["nan"].as_u64(), panel["counts"]["value"].as_u64()),
                (Some(1), Some(n as u64 - 1))
            );
            let (cell, axis) = (&panel["max"]["cells"][0], if rows == 1 { "column" } else { "row" });
            assert_eq!((cell[axis].as_u64(), panel["max"]["ties"].as_u64()), (Some(peak as u64), Some(1)));
            let size = if rows == 1 { "--width 1000 --height 1" } else { "--width 1 --height 1000" };
            p.done(&format!("export n.raw {raw} {size} --reduce count -o c.npy"));
            let bytes = fs::read(p.path("c.npy")).unwrap();
            let counts = bytes[bytes.len() - 8000..]
                .chunks_exact(8)
                .map(|b| i64::from_le_bytes(b.try_into().unwrap()));
            assert_eq!(counts.sum::<i64>(), n as i64 - 1);
        }
    }
}

#[test]
fn pictures_beyond_memory_are_drawn_in_strips() {
    let p = Place::empty();
    let cells = (0..600usize).flat_map(|r| (0..900usize).map(move |c| value(r, c)));
    npy(&p.path("c.npy"), "<f4", false, (600, 900), cells.flat_map(f32::to_le_bytes));
    let report = p.report("render c.npy -o a.png --width 6000 --height 4000 --max-memory 16M -q");
    assert_eq!(
        (report["output"]["width"].as_u64(), report["output"]["height"].as_u64()),
        (Some(6000), Some(4000))
    );
    assert!(report["peak_rss_mb"].as_f64().unwrap() < 120.0, "{}", report["peak_rss_mb"]);
    let file = fs::File::open(p.path("a.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    assert_eq!(reader.next_frame(&mut pixels).unwrap().color_type, png::ColorType::Rgb);
    // No seam is visible between strips: the left edge of the canvas is all background.
    assert!(pixels.chunks_exact(6000 * 3).all(|row| row[..3] == [255; 3]));
}

#[test]
fn a_device_folds_what_the_cpu_does() {
    let p = Place::empty();
    let cells = || (0..ROWS).flat_map(|r| (0..COLUMNS).map(move |c| value(r, c)));
    npy(&p.path("c.npy"), "<f4", false, (ROWS, COLUMNS), cells().flat_map(f32::to_le_bytes));
    let code = p.run("export c.npy --width 5 --height 5 --backend gpu -o x.csv").code;
    if code != Some(0) {
        assert!(!required::adapter(), "no adapter");
        return;
    }
    let report = p.report("render c.npy -o a.png --width 300 --height 300 --backend gpu --reduce max");
    assert_eq!(
        (report["backend"]["name"].as_str(), report["backend"]["fold"].as_str()),
        (Some("gpu"), Some("gpu"))
    );
    let cpu = p.report("render c.npy -o b.png --width 300 --height 300 --backend cpu --reduce max");
    assert_eq!((&report["panels"], &report["scales"]), (&cpu["panels"], &cpu["scales"]));
    let ran = p.run("render c.npy -o a.png --width 300 --height 300 --backend gpu --max-memory 1M");
    assert!(ran.code == Some(7) && ran.err.contains("needed"), "{}", ran.err);
}

#[test]
fn panels_of_a_device_have_their_own_encodings() {
    let p = Place::empty();
    let plane = |base: f64| (0..360_000usize).map(move |i| base + (i * 7919 % 1000) as f64 / 1000.0);
    let data: Vec<u8> = plane(0.0).chain(plane(1e9)).flat_map(f64::to_le_bytes).collect();
    p.write("two.npy", array("<f8", false, &[2, 600, 600], data));
    let flags = "render two.npy --panel axis:0 --scale panel --reduce max --width 600";
    let cpu = p.report(&format!("{flags} -o a.png --backend cpu"));
    assert_eq!(cpu["panels"][1]["max"]["value"].as_f64(), Some(1e9 + 0.999));
    let code = p.run(&format!("{flags} -o b.png --backend gpu")).code;
    if code == Some(5) {
        assert!(!required::adapter(), "no adapter");
        return;
    }
    let pixels = |name: &str| decode(&p.read(name)).pixels;
    // Text may differ by rounding; a body in the wrong colours differs by far more.
    let (a, b) = (pixels("a.png"), pixels("b.png"));
    assert!(a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x.abs_diff(*y) <= 2));
}

#[test]
fn what_is_too_large_is_refused_with_need_and_limit() {
    let p = Place::empty();
    fs::File::create(p.path("wide.raw")).unwrap().set_len((1 << 32) + 1).unwrap();
    fs::File::create(p.path("square.raw")).unwrap().set_len(40_000 * 40_000).unwrap();
    for (args, code, word) in [
        ("render wide.raw --raw u8 4294967297x1 -o a.png", 7, "sides end at"),
        ("render wide.raw --raw u8 4294967296x1 -o a.png", 3, "the file holds"),
        ("export square.raw --raw u8 40000x40000 -o a.npy --max-memory 1G", 7, "limit"),
        (
            "export square.raw --raw u8 40000x40000 --width 60000 --height 60000 -o a.npy --max-memory 1G",
            7,
            "limit",
        ),
        ("bench square.raw --raw u8 40000x40000 --max-memory 1G", 2, "--raw"),
        (
            "render square.raw --raw u8 40000x40000 --x-values 0:1 --mask upper -o a.png --max-memory 1G",
            7,
            "limit",
        ),
        ("render square.raw --raw u8 1600000000x1 --x-values 0:1 -o a.png", 7, "ends at"),
        ("render square.raw --raw f32le 40000x40000 -o a.png", 3, "6400000000 bytes"),
    ] {
        let ran = p.run(args);
        let (found, text) = (ran.code, ran.text() + &ran.err);
        assert!(found == Some(code) && text.contains(word), "{args}: {found:?} {text}");
        assert!(!p.path("a.png").exists() && !p.path("a.npy").exists());
    }
}

#[test]
fn counts_of_single_cells_show_their_values_however_large_the_grid() {
    let p = Place::empty();
    let side = 4200usize;
    let cells: Vec<u8> = (0..side * side).map(|i| (i % 251) as u8).collect();
    fs::write(p.path("g.raw"), cells).unwrap();
    let flags = format!("render g.raw --raw u8 {side}x{side} --bare --cell 1 --no-metadata");
    p.done(&format!("{flags} --reduce count -o count.png"));
    p.done(&format!("{flags} --reduce max -o max.png"));
    assert!(fs::read(p.path("count.png")).unwrap() == fs::read(p.path("max.png")).unwrap());
}
