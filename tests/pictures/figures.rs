//! The figures of examples/figures: what they report, and that the pictures beside them are what the program draws.

#[path = "../../examples/sweep/surface.rs"]
mod surface;

use crate::support::image::{decode, differing};
use crate::support::program::{ended, program};
use gridscope::Fonts;
use gridscope::Image;
use gridscope::input::{ReadOptions, open, open_figure};
use gridscope_core::geom::PxRect;
use gridscope_core::timing::Phases;
use gridscope_draw::render::prepare;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
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
    let mut args: Vec<OsString> = vec!["render".into(), figure(name).into()];
    args.extend((name == "sweep").then(|| SWEEP.clone().into_os_string()));
    args.extend(["-o".into(), out.clone().into_os_string()]);
    args.extend(["--backend", "cpu", "--json"].map(OsString::from));
    args.extend(flags.iter().map(OsString::from));
    (ended(&mut program(dir.path(), &args)).json(), out)
}

fn figure(name: &str) -> PathBuf {
    folder().join(format!("{name}.toml"))
}

fn pixels(path: &Path) -> Image {
    decode(&std::fs::read(path).unwrap())
}

/// The bodies of a figure's panels, in pixels of its picture.
fn bodies(name: &str) -> Vec<PxRect> {
    let figure = open_figure(figure(name).to_str().unwrap()).unwrap().unwrap();
    let files = match name {
        "sweep" => vec![SWEEP.to_str().unwrap().to_owned()],
        _ => figure.data.file.clone().unwrap().0,
    };
    let grids = open(&files, &figure, &ReadOptions::default(), 1 << 32).unwrap().grids;
    let prepared = prepare(&figure, &grids, &mut Fonts::new(), &mut Phases::new()).unwrap();
    prepared.layout.panels.iter().map(|p| p.body).collect()
}

fn lint<'a>(report: &'a Value, name: &str, panel: Option<&str>) -> Option<&'a Value> {
    report["lints"].as_array().unwrap().iter().find(|l| l["name"] == name && l["panel"].as_str() == panel)
}

#[test]
fn the_pictures_in_the_repository_are_what_is_drawn() {
    let dir = tempfile::tempdir().unwrap();
    for name in FIGURES {
        let kept = folder().join(format!("{name}.png"));
        assert!(std::fs::metadata(&kept).unwrap().len() < 300_000, "{name}.png is too large");
        let (_, drawn) = render(name, &dir, &[]);
        let (a, b) = (pixels(&kept), pixels(&drawn));
        // Everything is drawn by arithmetic of our own from fonts in the repository. Outside of the bodies one step is
        // allowed, for the coverage of glyphs on another processor.
        let far = differing(&a, &b, 1);
        assert!(far.is_empty(), "{name}: {} pixels differ, first {:?}", far.len(), far[0]);
        let bodies = bodies(name);
        assert!(!bodies.is_empty(), "{name}");
        let inside = |&(x, y): &(u32, u32)| bodies.iter().any(|b| holds(b, x as i32, y as i32));
        let wrong: Vec<_> = differing(&a, &b, 0).into_iter().filter(inside).collect();
        assert!(wrong.is_empty(), "{name}: {} pixels of bodies differ, first {:?}", wrong.len(), wrong[0]);
    }
}

fn holds(body: &PxRect, x: i32, y: i32) -> bool {
    (body.x..body.x + body.w as i32).contains(&x) && (body.y..body.y + body.h as i32).contains(&y)
}

#[test]
fn a_pixel_that_differs_is_found() {
    let mut a = pixels(&folder().join("topics.png"));
    let b = a.clone();
    a.pixels[4 * (7 * a.width as usize + 5) + 1] ^= 2;
    a.pixels[4 * (8 * a.width as usize + 6)] ^= 1;
    assert_eq!(differing(&a, &b, 1), [(5, 7)]);
    assert_eq!(differing(&a, &b, 0), [(5, 7), (6, 8)]);
}

#[test]
fn r1_llama_says_what_lies_beyond_its_bar() {
    let dir = tempfile::tempdir().unwrap();
    let (report, _) = render("r1_llama", &dir, &[]);
    assert_eq!(lint(&report, "clipped", None).unwrap()["count"], 23);
    let amc = lint(&report, "clipped", Some("AMC23")).unwrap();
    assert_eq!(amc["count"], 20);
    assert_eq!(amc["text"], "20 of 20 cells above vmax 48; largest 89 at ratio 0.3, window 3000");
    assert!(lint(&report, "flat-panel", Some("AMC23")).is_some());
    assert_eq!(
        (&report["scales"][0]["vmin"], &report["scales"][0]["vmax"], &report["scales"][0]["above"]),
        (&24.0.into(), &48.0.into(), &23.into())
    );
    let aime = &report["panels"][0]["max"];
    assert_eq!((aime["value"].as_f64(), aime["ties"].as_u64()), (Some(49.3), Some(2)));
}

#[test]
fn short_to_long_keeps_its_empty_cells_and_column() {
    let dir = tempfile::tempdir().unwrap();
    let (report, _) = render("short_to_long", &dir, &[]);
    let panel = &report["panels"][0];
    assert_eq!((&panel["rows"], &panel["columns"]), (&7.into(), &15.into()));
    assert_eq!((&panel["counts"]["value"], &panel["counts"]["absent"]), (&35.into(), &70.into()));
}

#[test]
fn the_other_figures_have_their_shape_and_order() {
    let dir = tempfile::tempdir().unwrap();
    let (training, _) = render("training_progress", &dir, &[]);
    let names: Vec<&str> =
        training["panels"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!((names.len(), names[0], names[7]), (8, "GSM8K", "Average"));
    assert_eq!(training["scales"].as_array().unwrap().len(), 8);
    let (topics, _) = render("topics", &dir, &[]);
    assert_eq!((&topics["panels"][0]["rows"], &topics["panels"][0]["columns"]), (&29.into(), &24.into()));
    assert_eq!(
        (&topics["scales"][0]["cmap"], &topics["scales"][1]["cmap"]),
        (&"Purples_r".into(), &"Purples".into())
    );
    let core = dir.path().join("core.csv");
    let args = ["export".into(), figure("core_generalization"), "-o".into(), core.clone()];
    assert_eq!(ended(&mut program(dir.path(), &args)).code, Some(0));
    let text = std::fs::read_to_string(core).unwrap();
    let first: Vec<&str> = text.lines().map(|l| l.split(',').next().unwrap()).collect();
    assert_eq!(first, ["type", "–", "~", "m", "4", "u", ">"]);
}

#[test]
fn the_sweep_shows_what_its_mean_hides() {
    let dir = tempfile::tempdir().unwrap();
    let (report, _) = render("sweep", &dir, &[]);
    assert_eq!(
        (&report["reduction"], &lint(&report, "hidden-extremes", Some("")).unwrap()["count"]),
        (&"mean".into(), &6.into())
    );
    let panel = &report["panels"][0];
    let failed = surface::surface(4000, 3000).iter().filter(|v| v.is_nan()).count();
    assert!(failed > 300 * 350 + 12_000_000 / 500, "{failed}");
    assert_eq!((panel["counts"]["nan"].as_u64(), panel["rows"].as_u64()), (Some(failed as u64), Some(4000)));
    let cell = &panel["max"]["cells"][0];
    assert_eq!(
        (&panel["max"]["ties"], &cell["row"], &cell["column"], &cell["y"]),
        (&1.into(), &3050.into(), &2720.into(), &3051.0.into())
    );
    // The failed block is grey, and the six optima are where they were planted.
    let values = surface::surface(400, 300);
    assert!(values[260 * 300 + 120].is_nan());
    assert!(surface::OPTIMA.iter().all(|&(r, c, v)| values[r / 10 * 300 + c / 10] == v));
}

#[test]
fn figures_keep_their_shape_at_other_resolutions() {
    let dir = tempfile::tempdir().unwrap();
    for name in FIGURES {
        let at = |dpi: &str| {
            let picture = pixels(&render(name, &dir, &["--dpi", dpi]).1);
            f64::from(picture.height) / f64::from(picture.width)
        };
        let (low, high) = (at("100"), at("300"));
        assert!((low / high - 1.0).abs() < 0.06, "{name}: {low} {high}");
    }
}
