//! Lines typed in a real window.

use super::display::{Display, Viewer};
use super::pointer::{SIZE, score, sweep};
use gridscope::Literal;

impl Viewer<'_> {
    /// Opens the prompt and runs a line.
    fn enter(&self, line: &str) {
        self.key("colon");
        self.write(line);
        self.key("Return");
    }
}

#[test]
fn typed_lines_do_what_they_say_and_render_draws_it() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let mut values: Vec<f64> = (0..20).flat_map(|r| (0..30).map(move |c| score(r, c))).collect();
    values.sort_by(f64::total_cmp);
    let least_and_most = (values[0], *values.last().unwrap());
    viewer.enter("vmin 3.5");
    let (seen, _) = viewer.keeps_what_render_draws();
    assert_eq!(seen.limits(), (Some(3.5), Some(least_and_most.1)));
    viewer.enter("limits 2% 98%");
    let (low, high) = viewer.keeps_what_render_draws().0.limits();
    // numpy's linear rule.
    let percentile = |p: f64| {
        let at = p / 100.0 * (values.len() - 1) as f64;
        let (a, b) = (values[at.floor() as usize], values[at.ceil() as usize]);
        a + (b - a) * at.fract()
    };
    for (found, wanted) in [(low, percentile(2.0)), (high, percentile(98.0))] {
        assert!((found.unwrap() - wanted).abs() < 1e-12, "{found:?}, not {wanted}");
    }
    // A label, in part and in any case; then a cell.
    viewer.enter("go METHOD 17");
    let [_, y] = viewer.keeps_what_render_draws().0.view();
    assert!(y[0] <= 17.0 && y[1] >= 18.0, "{y:?}");
    viewer.enter("zoom 8");
    viewer.enter("go 3,7");
    let [x, y] = viewer.keeps_what_render_draws().0.view();
    assert!(
        (x[0] + x[1] - 15.0).abs() < 1e-6 && (y[0] + y[1] - 7.0).abs() < 1e-6,
        "{x:?} {y:?}"
    );
    viewer.enter("limits view");
    let cells = |part: [f64; 2]| part[0].floor() as usize..part[1].ceil() as usize;
    let shown: Vec<f64> = cells(y)
        .flat_map(|r| cells(x).map(move |c| score(r, c)))
        .collect();
    let least = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(
        viewer.keeps_what_render_draws().0.limits(),
        (Some(least), Some(most))
    );
    // Tab completes, Up recalls, Ctrl+U clears.
    viewer.key("colon");
    viewer.write("cma");
    viewer.key("Tab");
    viewer.write("inf");
    viewer.key("Tab");
    viewer.key("Return");
    let cmap = |v: &mut Viewer<'_>| {
        let figure = v.keeps_what_render_draws().0.figure;
        figure.color.cmap.as_ref().map(|c| Literal::text(c).to_owned())
    };
    assert_eq!(cmap(&mut viewer).as_deref(), Some("inferno"));
    viewer.key("colon");
    viewer.write("nothing");
    viewer.key("ctrl+u");
    viewer.key("Up");
    for _ in 0..8 {
        viewer.key("BackSpace");
    }
    viewer.write("magma");
    viewer.key("Return");
    assert_eq!(cmap(&mut viewer).as_deref(), Some("magma"));
    // Lines of several steps.
    viewer.enter("repeat 3 nearer 0.5");
    viewer.wait_for("all steps", |v| v.seen().view() == [[0.0, 30.0], [0.0, 20.0]]);
    viewer.enter("quit");
    assert_eq!(viewer.code(), Some(0));
}

#[test]
fn letters_of_the_prompt_are_no_keys_and_a_refusal_stays() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.point_away();
    let before = viewer.still(SIZE);
    let files = |v: &Viewer<'_>| std::fs::read_dir(v.folder()).unwrap().count();
    let saved = files(&viewer);
    viewer.key("colon");
    viewer.write("qcsaxhfmn1");
    viewer.key("Return");
    let mut refused = before.clone();
    viewer.wait_for("the refusal", |v| {
        refused = v.shot();
        refused != before
    });
    assert!(!viewer.has_ended());
    viewer.key("Escape");
    viewer.wait_for("the figure again", |v| v.shot() == before);
    assert_eq!(files(&viewer), saved, "nothing is saved");
    viewer.enter("vmin");
    viewer.write(" 5");
    viewer.key("Return");
    assert_eq!(
        viewer.keeps_what_render_draws().0.limits().0,
        Some(5.0),
        "a refused line is mended"
    );
}

#[test]
fn the_table_of_colormaps_shows_keeps_and_restores() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.point_away();
    let before = viewer.still(SIZE);
    viewer.key("shift+m");
    viewer.key("Right");
    viewer.wait_for("the table", |v| v.shot() != before);
    viewer.key("Escape");
    viewer.wait_for("the figure again", |v| v.shot() == before);
    viewer.key("shift+m");
    viewer.write("mag");
    viewer.key("Return");
    let cmap = |v: &mut Viewer<'_>| {
        let figure = v.keeps_what_render_draws().0.figure;
        figure.color.cmap.as_ref().map(|c| Literal::text(c).to_owned())
    };
    assert_eq!(cmap(&mut viewer).as_deref(), Some("magma"));
    viewer.enter("center 12");
    let seen = viewer.keeps_what_render_draws().0;
    assert_eq!(seen.figure.color.center, Some(12.0));
}
