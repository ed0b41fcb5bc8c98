//! The figures of examples/figures: what they report, and that the pictures beside them are what the program draws.

#[path = "../../examples/sweep/surface.rs"]
mod surface;

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

const FIGURES: [&str; 7] = [
    "core_generalization",
    "short_to_long",
    "training_progress",
    "topics",
    "r1_llama",
    "r1_llama_panels",
    "sweep",
];

/// The example's sweep, 48 MB, which the repository does not hold.
static SWEEP: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep.npy");
    std::fs::write(&path, surface::npy(4000, 3000, &surface::surface(4000, 3000))).unwrap();
    path
});

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/figures")
}

/// Renders a figure; gives the report and the picture's path.
fn render(name: &str, dir: &tempfile::TempDir, flags: &[&str]) -> (Value, PathBuf) {
    let out = dir.path().join(format!("{name}.png"));
    let run = Command::new(env!("CARGO_BIN_EXE_gridscope"))
        .arg("render")
        .arg(folder().join(format!("{name}.toml")))
        .args((name == "sweep").then(|| SWEEP.as_path()))
        .arg("-o")
        .arg(&out)
        .args(["--backend", "cpu", "--json"])
        .args(flags)
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
    (serde_json::from_slice(&run.stdout).unwrap(), out)
}

fn pixels(path: &std::path::Path) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()))
        .read_info()
        .unwrap();
    let mut buf = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut buf).unwrap();
    (info.width, info.height, buf)
}

fn lint<'a>(report: &'a Value, name: &str, panel: Option<&str>) -> Option<&'a Value> {
    report["lints"]
        .as_array()
        .unwrap()
        .iter()
        .find(|l| l["name"] == name && l["panel"].as_str() == panel)
}

#[test]
fn the_pictures_in_the_repository_are_what_is_drawn() {
    let dir = tempfile::tempdir().unwrap();
    for name in FIGURES {
        let kept = folder().join(format!("{name}.png"));
        assert!(
            std::fs::metadata(&kept).unwrap().len() < 300_000,
            "{name}.png is too large"
        );
        let (_, drawn) = render(name, &dir, &[]);
        let (a, b) = (pixels(&kept), pixels(&drawn));
        assert_eq!((a.0, a.1), (b.0, b.1), "{name}");
        // Hinting may round otherwise on another processor: a few edge pixels of glyphs are allowed.
        let other = a.2.iter().zip(&b.2).filter(|(x, y)| x.abs_diff(**y) > 8).count();
        assert!(
            other * 1000 < a.2.len(),
            "{name}: {other} of {} bytes differ",
            a.2.len()
        );
    }
}

#[test]
fn r1_llama_says_what_lies_beyond_its_bar() {
    let dir = tempfile::tempdir().unwrap();
    let (report, _) = render("r1_llama", &dir, &[]);
    assert_eq!(lint(&report, "clipped", None).unwrap()["count"], 23);
    let amc = lint(&report, "clipped", Some("AMC23")).unwrap();
    assert_eq!(amc["count"], 20);
    assert_eq!(
        amc["text"],
        "20 of 20 cells above vmax 48; largest 89 at ratio 0.3, window 3000"
    );
    assert!(lint(&report, "flat-panel", Some("AMC23")).is_some());
    assert_eq!(
        (
            &report["scales"][0]["vmin"],
            &report["scales"][0]["vmax"],
            &report["scales"][0]["above"]
        ),
        (&24.0.into(), &48.0.into(), &23.into())
    );
    let aime = &report["panels"][0]["max"];
    assert_eq!(
        (aime["value"].as_f64(), aime["ties"].as_u64()),
        (Some(49.3), Some(2))
    );
}

#[test]
fn short_to_long_keeps_its_empty_cells_and_column() {
    let dir = tempfile::tempdir().unwrap();
    let (report, _) = render("short_to_long", &dir, &[]);
    let panel = &report["panels"][0];
    assert_eq!((&panel["rows"], &panel["columns"]), (&7.into(), &15.into()));
    assert_eq!(
        (&panel["counts"]["value"], &panel["counts"]["absent"]),
        (&35.into(), &70.into())
    );
}

#[test]
fn the_other_figures_have_their_shape_and_order() {
    let dir = tempfile::tempdir().unwrap();
    let (training, _) = render("training_progress", &dir, &[]);
    let names: Vec<&str> = training["panels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!((names.len(), names[0], names[7]), (8, "GSM8K", "Average"));
    assert_eq!(training["scales"].as_array().unwrap().len(), 8);
    let (topics, _) = render("topics", &dir, &[]);
    assert_eq!(
        (&topics["panels"][0]["rows"], &topics["panels"][0]["columns"]),
        (&29.into(), &24.into())
    );
    assert_eq!(
        (&topics["scales"][0]["cmap"], &topics["scales"][1]["cmap"]),
        (&"Purples_r".into(), &"Purples".into())
    );
    let core = dir.path().join("core.csv");
    let figure = folder().join("core_generalization.toml");
    let run = Command::new(env!("CARGO_BIN_EXE_gridscope"))
        .arg("export")
        .arg(figure)
        .arg("-o")
        .arg(&core)
        .output()
        .unwrap();
    assert!(run.status.success());
    let text = std::fs::read_to_string(core).unwrap();
    let first: Vec<&str> = text.lines().map(|l| l.split(',').next().unwrap()).collect();
    assert_eq!(first, ["type", "–", "~", "m", "4", "u", ">"]);
}

#[test]
fn the_sweep_shows_what_its_mean_hides() {
    let dir = tempfile::tempdir().unwrap();
    let (report, _) = render("sweep", &dir, &[]);
    assert_eq!(
        (
            &report["reduction"],
            &lint(&report, "hidden-extremes", Some("")).unwrap()["count"]
        ),
        (&"mean".into(), &6.into())
    );
    let panel = &report["panels"][0];
    let failed = surface::surface(4000, 3000).iter().filter(|v| v.is_nan()).count();
    assert!(failed > 300 * 350 + 12_000_000 / 500, "{failed}");
    assert_eq!(
        (panel["counts"]["nan"].as_u64(), panel["rows"].as_u64()),
        (Some(failed as u64), Some(4000))
    );
    let cell = &panel["max"]["cells"][0];
    assert_eq!(
        (&panel["max"]["ties"], &cell["row"], &cell["column"], &cell["y"]),
        (&1.into(), &3050.into(), &2720.into(), &3051.0.into())
    );
    // The failed block is grey, and the six optima are where they were planted.
    let values = surface::surface(400, 300);
    assert!(values[260 * 300 + 120].is_nan());
    assert!(
        surface::OPTIMA
            .iter()
            .all(|&(r, c, v)| values[r / 10 * 300 + c / 10] == v)
    );
}

#[test]
fn figures_keep_their_shape_at_other_resolutions() {
    let dir = tempfile::tempdir().unwrap();
    for name in FIGURES {
        let at = |dpi: &str| {
            let (w, h, _) = pixels(&render(name, &dir, &["--dpi", dpi]).1);
            f64::from(h) / f64::from(w)
        };
        let (low, high) = (at("100"), at("300"));
        assert!((low / high - 1.0).abs() < 0.06, "{name}: {low} {high}");
    }
}
