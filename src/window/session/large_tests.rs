//! One panel large, against what `render` draws of it and against the figure of all panels.

use super::*;
use crate::dice::Dice;
use crate::state::{Action, Colors};
use gridscope_core::grid::{Axis, State};
use gridscope_core::image::Image;
use gridscope_core::view::{Part, View};
use gridscope_draw::raster;
use gridscope_draw::rendered::render;

/// Panels of the same rows and columns, of which the second has states and the third the greatest values.
fn grids(rows: usize, columns: usize, panels: usize) -> Vec<Grid> {
    let grid = |p: usize| {
        let value = |i: usize| match i {
            _ if p == 1 && i % 13 == 4 => f64::NAN,
            _ if p == 2 => 50.0 + (i * 31 % 700) as f64 / 7.0,
            _ => (i * 7919 % 1000) as f64 / 20.0 + 0.25,
        };
        let mut grid = Grid::from_rows(rows, columns, (0..rows * columns).map(value).collect()).unwrap();
        if p == 1 {
            grid.set_state(0, 0, State::Masked);
        }
        let labels = (0..rows).map(|i| format!("method {i}")).collect();
        grid.set_rows(Axis::category("method", labels)).unwrap();
        grid.set_value_name("accuracy");
        grid.with_name(["alpha", "beta", "gamma \"q\"", "δ, 4"][p % 4].to_owned() + &"'".repeat(p / 4))
    };
    (0..panels).map(grid).collect()
}

fn session(text: &str, grids: &[Grid]) -> Session {
    let figure: Figure = toml::from_str(text).unwrap();
    let mut session = Session::new(figure, Data::new(grids.to_vec()).unwrap(), Fonts::new()).unwrap();
    session.resize(PxSize { w: 560, h: 420 }, 1.0);
    session.draw(None).unwrap();
    session
}

fn shown(session: &mut Session, grids: &[Grid]) -> Image {
    let (scene, _) = session.picture().unwrap();
    raster::draw(&scene, grids, &mut session.fonts)
}

/// The figure file that the window writes, and what `render` draws of it.
fn written(session: &mut Session, grids: &[Grid]) -> (Figure, Image) {
    let text = session.figure_file().unwrap();
    let figure: Figure = toml::from_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let picture = render(&figure, grids).unwrap().picture;
    (figure, picture)
}

fn limits(session: &Session) -> Vec<(f64, f64)> {
    let spec = |s: &Arc<gridscope_core::scale::ColorScale>| (s.spec().vmin, s.spec().vmax);
    session.geometry.scales.iter().map(spec).collect()
}

/// Figures in which panels are drawn in different ways.
const FIGURES: [&str; 9] = [
    "",
    "title = 'All of them'\n[color]\nscale = 'panel'",
    "[color]\nscale = 'panel'\nbar = 'bottom'",
    "[color]\nbar = 'bottom'\nnorm = 'log'",
    "[panels.beta]\nscale = 'own'\nview_x = '1:5'\n[panels.alpha]\ntitle = 'First'",
    "square = 'on'\nmargin = ['rows:mean', 'columns:minmax']",
    "contours = '3'\n[annotations]\nmark = ['max', 'value < 10 as dot']\nshow = 'on'",
    "[reduce]\nby = 'count'",
    "[color]\nrobust = true\nvmax = 40",
];

#[test]
fn a_large_panel_is_what_render_draws_in_the_limits_of_all() {
    for (rows, columns) in [(6, 9), (400, 500)] {
        let all = grids(rows, columns, 3);
        for text in FIGURES {
            let mut session = session(text, &all);
            let (before, scales) = (shown(&mut session, &all), limits(&session));
            let counts = text.contains("count");
            for panel in [1, 0, 2] {
                session.apply(&Command::Panel(Some(panel)));
                session.draw(None).unwrap();
                assert_eq!(session.geometry.large, Some(panel));
                let now = shown(&mut session, &all);
                let (figure, drawn) = written(&mut session, &all);
                assert_eq!(figure.only_panel.as_deref(), Some(all[panel].name()), "{text}");
                assert!(now == drawn, "{rows} x {columns}, panel {panel}: {text}");
                assert!(counts || limits(&session) == scales, "panel {panel}: {text}");
                // Only its body and its bar are in the window.
                let body = session.geometry.panels[panel].body.rect().center();
                assert_eq!(session.geometry.hit(body).panel(), Some(panel), "{text}");
                let bars: Vec<usize> = (0..session.geometry.bars.len())
                    .filter(|b| session.geometry.bars[*b].is_some())
                    .collect();
                assert_eq!(bars, [session.geometry.scale_of[panel]], "{text}");
            }
            session.apply(&Command::Do(Action::Enlarge));
            assert!(shown(&mut session, &all) == before, "{text}");
            assert_eq!(written(&mut session, &all).0.only_panel, None);
        }
    }
}

#[test]
fn a_figure_of_one_of_its_panels_opens_large_and_may_show_all() {
    let all = grids(6, 9, 3);
    let mut session = session("only_panel = 'beta'", &all);
    assert_eq!((session.state.large, session.geometry.large), (Some(1), Some(1)));
    let (_, drawn) = written(&mut session, &all);
    assert!(shown(&mut session, &all) == drawn);
    session.apply(&Command::Do(Action::Cancel));
    let (figure, drawn) = written(&mut session, &all);
    assert_eq!(figure.only_panel, None);
    assert!(shown(&mut session, &all) == drawn);
}

#[test]
fn shift_s_saves_all_panels_in_the_windows_colours() {
    let all = grids(6, 9, 3);
    let mut session = session("", &all);
    session.apply(&Command::Panel(Some(2)));
    session.apply(&Command::Colors(Colors::Map("magma".to_owned())));
    session.draw(None).unwrap();
    let scene = session.whole_figure().unwrap().1.scene;
    let saved = raster::draw(&scene, &all, &mut session.fonts);
    let figure: Figure = toml::from_str("[color]\ncmap = 'magma'").unwrap();
    assert!(saved == render(&figure, &all).unwrap().picture);
}

#[test]
fn thumbnails_are_of_the_window_alone_and_in_the_colours_of_their_panels() {
    let all = grids(40, 30, 65);
    for square in ["on", "off"] {
        let mut session = session(&format!("square = '{square}'"), &all);
        session.resize(PxSize { w: 900, h: 700 }, 1.0);
        session.apply(&Command::Panel(Some(40)));
        let mut frames = 0;
        while session.is_damaged() && frames < 50 {
            session.draw(None).unwrap();
            frames += 1;
        }
        let scene = session.draw(None).unwrap();
        let strip = session.geometry.strip.clone().unwrap();
        let pictures: Vec<&gridscope_draw::scene::Cells> = scene
            .items
            .iter()
            .filter_map(|i| match i {
                gridscope_draw::scene::Item::Cells(c) => Some(&**c),
                _ => None,
            })
            .collect();
        assert_eq!(pictures.len(), strip.thumbs.len());
        for (picture, thumb) in pictures.iter().zip(&strip.thumbs) {
            assert_eq!(picture.grid, thumb.panel);
            assert!(thumb.picture.rect().contains(&picture.body.rect(), 0.0));
            let scale = session.geometry.scale_of[thumb.panel];
            assert_eq!(picture.scale.spec().vmax, session.geometry.scales[scale].spec().vmax);
        }
        let (saved, drawn) = (shown(&mut session, &all), written(&mut session, &all).1);
        assert!(saved == drawn && saved.height == 700 - 24 - session.geometry.toolbar - strip.rect.h as u32);
        // A click on a thumbnail shows its panel; the figure has their room once they are hidden.
        let at = strip.thumbs[2].rect.center();
        assert_eq!(session.geometry.hit(at), crate::geometry::Hit::Thumbnail(strip.thumbs[2].panel));
        session.apply(&Command::Do(Action::Thumbnails));
        session.draw(None).unwrap();
        assert_eq!(
            (session.geometry.strip.is_none(), shown(&mut session, &all).height),
            (true, 676 - session.geometry.toolbar)
        );
    }
}

#[test]
fn panels_keep_their_views_while_one_is_large() {
    for square in ["on", "off"] {
        let all = grids(60, 90, 3);
        let mut session = session(&format!("square = '{square}'"), &all);
        session.apply(&Command::Panel(Some(1)));
        session.draw(None).unwrap();
        let at = session.geometry.panels[1].body.rect().center();
        session.apply(&Command::Zoom { at, factor: 4.0, alone: false });
        session.draw(None).unwrap();
        let views = session.state.views.clone();
        assert!(views.iter().all(|v| *v == views[0]), "{square}: {views:?}");
        session.apply(&Command::Zoom { at, factor: 2.0, alone: true });
        session.draw(None).unwrap();
        assert_eq!((session.state.views[0], session.state.views[2]), (views[0], views[0]));
        assert!(session.state.views[1] != views[1]);
        let (_, drawn) = written(&mut session, &all);
        assert!(shown(&mut session, &all) == drawn, "{square}");
        session.apply(&Command::Do(Action::Enlarge));
        session.draw(None).unwrap();
        let (_, drawn) = written(&mut session, &all);
        assert!(shown(&mut session, &all) == drawn, "{square}");
    }
}

#[test]
fn new_data_keep_the_large_panel_by_its_name() {
    let all = grids(6, 9, 3);
    let mut session = session("", &all);
    session.apply(&Command::Panel(Some(2)));
    session.draw(None).unwrap();
    let turned: Vec<Grid> = all.iter().rev().cloned().collect();
    session.replace(Figure::default(), Data::new(turned.clone()).unwrap()).unwrap();
    session.draw(None).unwrap();
    assert_eq!(session.geometry.large, Some(0));
    let (_, drawn) = written(&mut session, &turned);
    assert!(shown(&mut session, &turned) == drawn);
    session.replace(Figure::default(), Data::new(all[..2].to_vec()).unwrap()).unwrap();
    session.draw(None).unwrap();
    assert_eq!(session.geometry.large, None, "a panel that is gone");
}

#[test]
fn random_commands_with_large_panels_save_what_they_show() {
    let cases = std::env::var("GRIDSCOPE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    for case in 0..cases {
        let mut d = Dice(case);
        let (rows, columns) = [(1, 7), (5, 1), (40, 30), (200, 300)][d.below(4) as usize];
        let all = grids(rows, columns, [2, 3, 65][d.below(3) as usize]);
        let mut session = session(FIGURES[d.below(FIGURES.len() as u64) as usize], &all);
        let mut story = format!("case {case}");
        for _ in 0..8 {
            let at = session.geometry.panels[session.state.large.unwrap_or(0)].body.rect().center();
            let command = match d.below(9) {
                0 | 1 => Command::Panel(Some(d.below(all.len() as u64) as usize)),
                2 => Command::Do(Action::NextPanel),
                3 => Command::Do(Action::Enlarge),
                4 => {
                    Command::Zoom { at, factor: [0.5, 1.7, 6.0][d.below(3) as usize], alone: d.below(2) == 0 }
                }
                5 => Command::Show(View { x: Part { from: 0.25, to: 2.5 }, y: Part { from: 0.0, to: 0.75 } }),
                6 => Command::Do([Action::Square, Action::Labels, Action::Borders][d.below(3) as usize]),
                7 => Command::Colors(
                    [Colors::Limits(1.0, 30.0), Colors::Turn(1), Colors::Auto][d.below(3) as usize].clone(),
                ),
                _ => Command::Point(at),
            };
            story.push_str(&format!("; {command:?}"));
            session.apply(&command);
            // A window may be too small for the labels of 65 panels.
            if d.below(3) > 0 && session.draw(None).is_err() {
                break;
            }
        }
        let Ok((scene, _)) = session.picture() else {
            continue;
        };
        let now = raster::draw(&scene, &all, &mut session.fonts);
        assert!(now == written(&mut session, &all).1, "{story}");
    }
}
