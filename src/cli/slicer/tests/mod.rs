//! Slices of files against plain indexing, and pictures of slices against what `render` draws.

mod long_readings;
mod store;
mod traces;

use super::*;
use gridscope_core::geom::PxSize;
use gridscope_core::image::Image;
use gridscope_core::text::Fonts;
use gridscope_draw::raster;
use gridscope_draw::rendered::render;
use gridscope_random::{Random, cases};
use gridscope_read::{Budget, ReadOptions, open_first_slice, open_within};
use gridscope_window::{Action, Command, Session, Slicing};
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

const LIMIT: u64 = 1 << 30;
/// Longer than any slice takes, and much shorter than a hang.
const PATIENCE: Duration = Duration::from_mins(2);

/// An element as a file of a type holds it, and as a number.
fn element(dtype: &str, i: usize) -> (Vec<u8>, f64) {
    let n = (i * 7919 + i * i % 1013) % 100_003;
    match dtype {
        "|i1" => ((n as i8).to_le_bytes().to_vec(), f64::from(n as i8)),
        "<u2" => ((n as u16).to_le_bytes().to_vec(), f64::from(n as u16)),
        ">i4" => ((n as i32 - 50_000).to_be_bytes().to_vec(), n as f64 - 50_000.0),
        "<i8" => ((n as i64 + (1 << 53)).to_le_bytes().to_vec(), n as f64 + (1u64 << 53) as f64),
        ">f4" => {
            let v = if i % 17 == 3 { f32::NAN } else { n as f32 / 8.0 };
            (v.to_be_bytes().to_vec(), f64::from(v))
        }
        _ => {
            let v = if i % 13 == 5 { f64::NAN } else { n as f64 / 7.0 - 900.0 };
            (v.to_le_bytes().to_vec(), v)
        }
    }
}

const DTYPES: [&str; 6] = ["|i1", "<u2", ">i4", "<i8", ">f4", "<f8"];

/// Writes an array whose element with flat index i in C order is that of [`element`].
fn write_npy(path: &Path, dtype: &str, shape: &[usize], fortran: bool) {
    let dict = format!(
        "{{'descr': '{dtype}', 'fortran_order': {}, 'shape': ({}), }}\n",
        if fortran { "True" } else { "False" },
        shape.iter().map(|n| format!("{n}, ")).collect::<String>()
    );
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dict.len() as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    let count: usize = shape.iter().product();
    for place in 0..count {
        // The index in C order of the element at this place.
        let flat = if fortran {
            let (mut rest, mut index) = (place, vec![0; shape.len()]);
            for (axis, side) in shape.iter().enumerate() {
                (index[axis], rest) = (rest % side, rest / side);
            }
            index.iter().zip(shape).fold(0, |flat, (i, side)| flat * side + i)
        } else {
            place
        };
        out.extend(element(dtype, flat).0);
    }
    std::fs::write(path, out).unwrap();
}

/// A window on the first slice of a file, and its reader.
struct Front {
    session: Session,
    wishes: Option<Sender<SliceWish>>,
    slices: Receiver<SliceNews>,
    link: Link,
    reader: Option<JoinHandle<Cache>>,
}

impl Front {
    fn open(path: &Path, figure: &Figure, limit: u64) -> Self {
        let mut figure = figure.clone();
        let files = vec![path.to_str().unwrap().to_owned()];
        let budget = Budget::given(limit);
        let loaded = open_first_slice(&files, &mut figure, &ReadOptions::default(), &budget).unwrap();
        let shown = NowShown::default();
        figure.set_files(files.clone());
        record(&shown, &mut figure, &files, &loaded.grids);
        let data = Data::new(loaded.grids).unwrap();
        let mut session = Session::new(figure, data, Fonts::new()).unwrap().with_slices();
        session.resize(PxSize { w: 500, h: 400 }, 1.0);
        session.draw(None).unwrap();
        let (send, slices) = channel();
        let link = Link {
            send: Arc::new(move |news| send.send(news).is_ok()),
            progress: Arc::new(|_| {}),
            limit,
            kept: Kept::new(limit / 4),
            all_cells: Arc::new(|grids, _| Ok(Data::new(grids)?)),
            shown,
        };
        let mut front = Self { session, wishes: None, slices, link, reader: None };
        front.start(Cache::new(limit / CACHED_PART));
        front
    }

    /// Starts a reader that has read some slices.
    fn start(&mut self, cache: Cache) {
        let (wish, wishes) = channel();
        let slicer = Slicer { wishes, link: self.link.clone() };
        self.wishes = Some(wish);
        self.reader = Some(std::thread::spawn(move || slicer.answer_with(cache)));
    }

    /// Lets the reader end, which first reads ahead, and returns what it has read.
    fn end(&mut self) -> std::thread::Result<Cache> {
        self.wishes = None;
        self.reader.take().unwrap().join()
    }

    /// Asks for what the session wants, and shows what comes.
    fn wait(&mut self) {
        let wish = self.session.slices_to_read().unwrap();
        self.wishes.as_ref().unwrap().send(wish).unwrap();
        while self.session.awaits_slice() {
            self.take();
        }
    }

    /// Shows what comes next.
    fn take(&mut self) {
        match self.slices.recv_timeout(PATIENCE).unwrap() {
            SliceNews::Read(read) => self.session.show_slice(read.0, read.1).unwrap(),
            SliceNews::Limits(ranges) => self.session.take_limits(ranges),
            news => panic!("{news:?}"),
        }
    }

    fn go(&mut self, command: &Command) {
        self.session.apply(command);
        self.wait();
        while self.session.wants_limits() {
            self.take();
        }
    }

    /// Figure in the window, and the picture that `render` draws of the figure file that it writes.
    fn both(&mut self) -> (Image, Image, String) {
        let (scene, _) = self.session.picture().unwrap();
        let text = self.session.figure_file().unwrap();
        let (grids, fonts) = self.session.grids_and_fonts();
        let shown = raster::draw(&scene, grids, fonts);
        let figure: Figure = toml::from_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let files = figure.data.file.clone().unwrap().0;
        let read = open_within(&files, &figure, &ReadOptions::default(), &Budget::new(LIMIT)).unwrap();
        (shown, render(&figure, &read.grids).unwrap().picture, text)
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        let ended = self.end();
        assert!(ended.is_ok() || std::thread::panicking(), "the reader panicked");
    }
}

fn to(axis: usize, index: usize) -> Command {
    Command::Slice(Slicing::To { axis, index })
}

#[test]
fn slices_are_those_of_plain_indexing() {
    let dir = tempfile::tempdir().unwrap();
    let mut d = Random(11);
    for case in 0..cases(24) {
        let dims = 3 + d.below(3_usize);
        let shape: Vec<usize> = (0..dims).map(|_| 2 + d.below(5)).collect();
        let (dtype, fortran) = (d.pick(&DTYPES), d.below(2) == 0);
        let path = dir.path().join(format!("{case}.npy"));
        write_npy(&path, dtype, &shape, fortran);
        let what = format!("case {case}: {dtype} of {shape:?}, fortran {fortran}");
        let mut figure = Figure::default();
        if d.below(3) == 0 {
            // The last axis is sliced, and the last but two are rows and columns.
            figure.data.slice = Some(gridscope_core::figure::List(vec![format!("{}=1", dims - 1)]));
        }
        figure.data.transpose = (d.below(3) == 0).then_some(true);
        let mut front = Front::open(&path, &figure, LIMIT);
        for _ in 0..6 {
            let axes = front.session.geometry().slices.clone();
            assert_eq!(axes.len(), dims - 2, "{what}");
            let axis = axes[d.below(axes.len())].axis;
            let command = match d.below(4) {
                0 => Command::Slice(Slicing::By(d.pick(&[1, -1]))),
                1 => Command::Slice(Slicing::Axis(1)),
                _ => to(axis, d.below(shape[axis] + 2)),
            };
            front.go(&command);
            let geometry = front.session.geometry();
            let (grid, axes) = (&geometry.grids[0], &geometry.slices);
            let free: Vec<usize> = (0..dims).filter(|a| axes.iter().all(|s| s.axis != *a)).collect();
            let turned = figure.data.transpose == Some(true);
            let (h, w) =
                if turned { (shape[free[1]], shape[free[0]]) } else { (shape[free[0]], shape[free[1]]) };
            assert_eq!((grid.height(), grid.width()), (h, w), "{what}");
            for (r, c) in (0..h).flat_map(|r| (0..w).map(move |c| (r, c))) {
                let mut index = vec![0; dims];
                axes.iter().for_each(|s| index[s.axis] = s.index);
                (index[free[0]], index[free[1]]) = if turned { (c, r) } else { (r, c) };
                let flat = index.iter().zip(&shape).fold(0, |flat, (i, side)| flat * side + i);
                let (got, wanted) = (grid.at(r, c).as_f64(), element(dtype, flat).1);
                assert!(
                    got == wanted || got.is_nan() && wanted.is_nan(),
                    "{what}: {index:?} is {got}, not {wanted}"
                );
            }
        }
    }
}

#[test]
fn every_slice_looks_as_render_draws_it() {
    let dir = tempfile::tempdir().unwrap();
    for (i, dtype) in [">f4", "<f8", "<i8", "|i1"].into_iter().enumerate() {
        let path = dir.path().join(format!("{i}.npy"));
        write_npy(&path, dtype, &[3, 4, 30, 40], i % 2 == 0);
        let mut front = Front::open(&path, &Figure::default(), LIMIT);
        let steps = [
            to(0, 2),
            Command::Nearer(3.0),
            to(1, 3),
            Command::Do(Action::Annotations),
            Command::Slice(Slicing::By(-1)),
            Command::Colors(gridscope_window::Colors::Limits(-5.25, 700.125)),
            to(0, 1),
        ];
        for command in steps {
            let views = front.session.state().views.clone();
            front.go(&command);
            if matches!(command, Command::Slice(_)) {
                assert_eq!(front.session.state().views, views, "the view stays");
            }
            let (shown, drawn, text) = front.both();
            assert!(shown == drawn, "{dtype}, {command:?}\n{text}");
        }
        let (_, _, text) = front.both();
        assert!(text.contains(r#"slice = ["0=1", "1=2"]"#), "{text}");
    }
}

#[test]
fn slices_read_ahead_are_taken_from_memory() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.npy");
    write_npy(&path, "<f8", &[9, 5, 6], false);
    let mut front = Front::open(&path, &Figure::default(), LIMIT);
    front.go(&to(0, 3));
    // What follows is there without the file.
    let cache = front.end().unwrap();
    std::fs::write(&path, "gone").unwrap();
    front.start(cache);
    front.go(&Command::Slice(Slicing::By(1)));
    assert_eq!(front.session.slice_text(), "axis 0 = 4");
    // The one after it was read before the file went.
    front.session.apply(&Command::Slice(Slicing::By(3)));
    let wish = front.session.slices_to_read().unwrap();
    front.wishes.as_ref().unwrap().send(wish).unwrap();
    let failed = front.slices.recv_timeout(PATIENCE).unwrap();
    assert!(matches!(failed, SliceNews::Failed(_)), "a damaged file was read");
    front.session.keep_slice();
    assert_eq!((front.session.slice_text(), front.session.awaits_slice()), ("axis 0 = 4".to_owned(), false));
}
