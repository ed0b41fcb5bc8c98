//! A system that starts few threads or none: a run continues with fewer, and produces the same bytes.

use crate::support::place::Place;
use crate::support::program::{Ran, ended};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A user without other processes: the limit of processes is per user, and does not apply to root.
const USER: &str = "64242";
/// The most processes and threads of a run, including itself.
const LIMITS: [u32; 5] = [1, 2, 3, 4, 6];

/// The program with a limit of threads.
struct Limited {
    /// The words before the limit.
    user: Vec<String>,
    program: PathBuf,
}

impl Limited {
    /// `None`, with a printed reason, if no limit can be set. The other user may write to the folder.
    fn new(p: &Place) -> Option<Self> {
        fs::set_permissions(p.folder(), fs::Permissions::from_mode(0o777)).unwrap();
        let is_root = fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0);
        let as_user = ["setpriv", &format!("--reuid={USER}"), &format!("--regid={USER}"), "--clear-groups"]
            .map(str::to_owned);
        let mut found =
            Self { user: if is_root { as_user.to_vec() } else { Vec::new() }, program: PathBuf::from("sh") };
        let forks = |limit| {
            found
                .command(limit, &["-c", "true | true"])
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|s| s.success())
        };
        if !forks(1000) || forks(1) {
            println!("skipped: no limit of processes holds here");
            return None;
        }
        found.program = PathBuf::from(env!("CARGO_BIN_EXE_gridscope"));
        if !found
            .command(1000, &["--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
        {
            // The other user cannot enter the folder of the program.
            found.program = p.path("program");
            fs::copy(env!("CARGO_BIN_EXE_gridscope"), &found.program).unwrap();
        }
        Some(found)
    }

    fn command(&self, limit: u32, args: &[&str]) -> Command {
        let words =
            self.user.iter().cloned().chain(["prlimit".to_owned(), format!("--nproc={limit}:{limit}")]);
        let mut words =
            words.chain([self.program.display().to_string()]).chain(args.iter().map(|a| (*a).to_owned()));
        let mut command = Command::new(words.next().unwrap());
        command.args(words);
        command
    }
}

/// A stored array, a table in several blocks, and with the feature `zarr` a store in chunks.
fn inputs(p: &Place) {
    let numbers =
        (0..700 * 800u32).flat_map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 12).to_le_bytes());
    fs::write(p.path("m.raw"), numbers.collect::<Vec<u8>>()).unwrap();
    let row =
        |i: u32| format!("{},{},{}.5,{}\n", i % 50, i / 50 % 40, i.wrapping_mul(2_654_435_761) >> 16, i % 7);
    fs::write(p.path("t.csv"), "x,y,v,p\n".to_owned() + &(0..120_000).map(row).collect::<String>()).unwrap();
    fs::create_dir(p.path("s.zarr")).unwrap();
    let meta = r#"{"zarr_format": 2, "shape": [1000, 700], "chunks": [100, 700], "dtype": "<f4", "compressor": null,
        "fill_value": 0, "order": "C", "filters": null}"#;
    fs::write(p.path("s.zarr/.zarray"), meta).unwrap();
    for chunk in 0..10u32 {
        let numbers = (0..100 * 700u32).flat_map(|i| ((i ^ chunk.wrapping_mul(40_503)) as f32).to_le_bytes());
        fs::write(p.path(format!("s.zarr/{chunk}.0")), numbers.collect::<Vec<u8>>()).unwrap();
    }
}

#[test]
fn fewer_threads_draw_and_write_the_same() {
    let p = Place::empty();
    inputs(&p);
    let Some(limited) = Limited::new(&p) else { return };
    let raw = "m.raw --raw f64le 700x800";
    let mut lines = vec![
        format!("render {raw} -o - -q --width 1500px --progress always"),
        format!("render {raw} -o - -q --bare --width 1600px --height 1500px --reduce max"),
        format!("render {raw} -o - -q --robust --norm symlog:10"),
        format!("export {raw} -o - --width 90 --height 70 --reduce mean"),
        format!("info {raw}"),
        "export t.csv -x x -y y -z v -o - -q --agg median --panel p --where p=3".to_owned(),
        "render t.csv -x x -y y -z v --panel p -o - -q --format svg".to_owned(),
        "check t.csv -x x -y y -z v --json --against t.csv --better higher --timeout 500".to_owned(),
        "bench --cells 20000 --size 60x40 --runs 2 --warmup 0 --backend cpu -q --json=b.json".to_owned(),
    ];
    if cfg!(feature = "zarr") {
        lines.extend(["render s.zarr -o - -q".to_owned(), "info s.zarr --top 3".to_owned()]);
    }
    for line in &lines {
        let args: Vec<&str> = line.split(' ').collect();
        let wanted = ended(&mut p.command(&args));
        assert!(matches!(wanted.code, Some(0 | 6)), "{line}: {}", wanted.err);
        let _ = fs::remove_file(p.path("b.json"));
        for limit in LIMITS {
            let mut command = limited.command(limit, &args);
            let Ran { code, out, err } = ended(command.current_dir(p.folder()).stdin(Stdio::null()));
            assert_eq!(code, wanted.code, "{line}, {limit}: {err}");
            // Times differ from run to run.
            assert!(
                args[0] == "bench" || out == wanted.out,
                "{line}, {limit}: {} bytes, not {}",
                out.len(),
                wanted.out.len()
            );
            assert!(
                limit > 1 || !line.contains("--timeout") || err.contains("the time is not limited"),
                "{line}: {err}"
            );
            let _ = fs::remove_file(p.path("b.json"));
        }
    }
}

#[test]
fn a_pipe_is_read_without_a_thread_to_wait_for_it() {
    let p = Place::empty();
    let Some(limited) = Limited::new(&p) else { return };
    assert!(Command::new("mkfifo").args(["-m", "666"]).arg(p.path("in.csv")).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = p.path("in.csv");
        move || fs::write(pipe, "0,1\n2,3\n").unwrap()
    });
    let mut command = limited.command(1, &["export", "in.csv", "-o", "-", "-q"]);
    let ran = ended(command.current_dir(p.folder()).stdin(Stdio::null()));
    assert_eq!((ran.code, String::from_utf8_lossy(&ran.out).contains("2,3")), (Some(0), true), "{}", ran.err);
    writer.join().unwrap();
}
