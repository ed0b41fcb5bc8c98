//! The description in a picture: `render` writes it, `info` reads it, and nothing else in the picture changes.

use crate::support::npy::{array, npy};
use crate::support::place::Place;
use crate::support::program::Ran;
use gridscope::Figure;
use gridscope::input::{ReadOptions, open};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::process::Stdio;

impl Place {
    /// Runs a line with bytes on standard input; it must end with `code`.
    fn fed(&self, code: i32, line: &str, input: &[u8]) -> Ran {
        let mut command = self.command(line);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that reads nothing closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input);
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(code), "{line}: {}", ran.err);
        ran
    }

    fn info(&self, picture: &str) -> Value {
        self.ends(0, &format!("info {picture} --json")).json()
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// The chunks of a PNG before its pixels (kind and content), and its decoded pixels.
fn taken_apart(bytes: &[u8]) -> (Vec<(String, Vec<u8>)>, Vec<u8>) {
    let (mut chunks, mut at) = (Vec::new(), 8);
    loop {
        let len = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let kind = String::from_utf8(bytes[at + 4..at + 8].to_vec()).unwrap();
        if kind == "IDAT" {
            break;
        }
        chunks.push((kind, bytes[at + 8..at + 8 + len].to_vec()));
        at += 12 + len;
    }
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    (chunks, pixels)
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let body = [kind, content].concat();
    let crc = body.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 })
    });
    [&(content.len() as u32).to_be_bytes()[..], &body, &(!crc).to_be_bytes()].concat()
}

/// A PNG of one pixel whose description is this text.
fn png_saying(text: &[u8]) -> Vec<u8> {
    let plain =
        [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])].concat();
    let said = chunk(b"iTXt", &[&b"gridscope\0\0\0\0\0"[..], text].concat());
    let pixel = chunk(b"IDAT", b"\x78\x01\x01\x02\x00\xfd\xff\x00\x7f\x00\x81\x00\x80");
    [&plain[..], &said, &pixel, &chunk(b"IEND", b"")].concat()
}

const MATRIX: (&str, &[u8]) = ("m.csv", b"0,1\n2,48\n");
const TIDY: (&str, &[u8]) = ("t.csv", "x,y,v,p\n1,1,5,A\n2,1,6,A\n1,2,7,B\n2,2,9,B\n".as_bytes());

#[test]
fn a_picture_is_drawn_again_from_what_it_says() {
    let p = Place::new(&[
        TIDY,
        (
            "fig.toml",
            "title = 'Größe ≥ \"1\"'\n[data]\nfile='t.csv'\nx='x'\ny='y'\nvalue='v'\npanel='p'\n".as_bytes(),
        ),
    ]);
    p.ends(0, "render fig.toml --cmap magma --scale panel --x-domain 1:3 -o a.png");
    let ran = p.ends(0, "info a.png");
    let (out, err) = (ran.text(), ran.err);
    let (width, height) = (1300, u32::from_be_bytes(p.read("a.png")[20..24].try_into().unwrap()));
    let (head, figure) = out.split_once("\n\n").unwrap();
    let sha = hex(TIDY.1);
    let wanted = format!(
        "# picture written by gridscope {}, {width} x {height} px\n# input t.csv: 40 bytes, sha256 {sha}\n\
         # limits of A: 5 to 6, linear, magma\n# limits of B: 7 to 9, linear, magma",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!((head, err.as_str()), (wanted.as_str(), ""));
    // It is a figure file with and without its comments.
    for (name, text) in [("whole.toml", out.as_str()), ("figure.toml", figure)] {
        p.write(name, text.as_bytes());
        p.ends(0, &format!("render {name} -o b.png"));
        assert!(p.read("a.png") == p.read("b.png"), "{name}");
    }
    // Without a command and without a display, too.
    assert_eq!(p.ends(0, "a.png").text(), out);
}

#[test]
fn the_report_has_figure_limits_and_inputs() {
    let p = Place::new(&[MATRIX]);
    p.ends(0, "render m.csv --title T --vmin -1 -o a.png");
    let wanted = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "gridscope": env!("CARGO_PKG_VERSION"),
        "figure": {"title": "T", "data": {"file": "m.csv"}, "color": {"vmin": -1.0}},
        "size": [1300, u32::from_be_bytes(p.read("a.png")[20..24].try_into().unwrap())],
        "limits": [{"label": "", "panels": [""], "norm": "linear", "vmin": -1.0, "vmax": 48.0, "cmap": "viridis"}],
        "inputs": [{"name": "m.csv", "bytes": 9, "sha256": hex(MATRIX.1)}],
    });
    assert_eq!(p.info("a.png"), wanted);
    // The content decides, not the name.
    fs::rename(p.path("a.png"), p.path("a.csv")).unwrap();
    fs::rename(p.path("m.csv"), p.path("m.png")).unwrap();
    assert_eq!(p.info("a.csv"), wanted);
    assert!(p.ends(0, "info m.png").text().contains("2 rows x 2 columns"));
    // One picture among several files is not a table.
    assert!(
        p.ends(3, "info m.png a.csv").err.starts_with("error: a.csv: is a PNG picture, which is not read")
    );
    assert!(p.ends(3, "render a.csv -o b.png").err.contains("is a PNG picture, which is not read"));
}

#[test]
fn several_files_are_listed_in_order() {
    let grid = npy("(1, 2)", &[1.0, 2.0]);
    let p = Place::new(&[MATRIX, ("a.npy", &grid), ("z.csv", b"5,6\n7,8\n")]);
    p.ends(0, "render z.csv a.npy m.csv -o a.png");
    let value = p.info("a.png");
    let named: Vec<_> = value["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| (i["name"].clone(), i["sha256"].clone()))
        .collect();
    let of = |name: &str, bytes: &[u8]| (json!(name), json!(hex(bytes)));
    assert_eq!(named, [of("z.csv", b"5,6\n7,8\n"), of("a.npy", &grid), of("m.csv", MATRIX.1)]);
    assert_eq!(value["figure"]["data"]["file"], json!(["z.csv", "a.npy", "m.csv"]));
}

#[test]
fn large_files_are_hashed_by_samples() {
    let data: Vec<u8> =
        (0..17u64 << 20).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as u8).collect();
    let file = array("|u1", false, &[4096, 17 << 8], data.iter().copied());
    let p = Place::new(&[
        ("big.npy", &file),
        ("whole.npy", &array("|u1", false, &[1024, 1024], data[..1 << 20].iter().copied())),
    ]);
    p.ends(0, "render big.npy --width 400px -o a.png");
    let mut rule = Sha256::new();
    rule.update((file.len() as u64).to_le_bytes());
    for k in 0..64usize {
        let start = (k as f64 * (file.len() - 65_536) as f64 / 63.0).floor() as usize;
        rule.update(&file[start..start + 65_536]);
    }
    let sha: String = rule.finalize().iter().map(|b| format!("{b:02x}")).collect();
    let value = p.info("a.png");
    assert_eq!(
        value["inputs"],
        json!([{"name": "big.npy", "bytes": file.len(), "sha256": sha, "sampled": true}])
    );
    assert_eq!(value["reduction"], "mean");
    let text = p.ends(0, "info a.png").text();
    assert!(
        text.contains(&format!("# input big.npy: 17,825,920 bytes, sha256 of samples {sha}\n")),
        "{text}"
    );
    assert!(text.contains("# each pixel = mean of its cells\n"));
    // The same bytes from standard input have the same hash. An array in its file is hashed completely up to 16 MiB.
    p.fed(0, "render - --width 400px -o b.png", &file);
    assert_eq!(p.info("b.png")["inputs"][0]["sha256"], sha);
    p.ends(0, "render whole.npy --width 400px -o c.png");
    assert_eq!(p.info("c.png")["inputs"][0]["sha256"], hex(&p.read("whole.npy")));
}

#[test]
fn files_are_hashed_as_they_are_and_only_when_asked() {
    let p = Place::new(&[("grows.csv", b"0,1\n2,3\n4")]);
    let file = [p.path("grows.csv").display().to_string()];
    let read = |needs: ReadOptions| open(&file, &Figure::default(), &needs, 1 << 20).unwrap();
    let loaded = read(ReadOptions { growing: true, fingerprints: true, ..ReadOptions::default() });
    // An incomplete last row is left out, but hashed with the file.
    assert_eq!((loaded.waits, loaded.grids[0].height()), (true, 2));
    assert_eq!(
        (loaded.inputs[0].name.as_str(), loaded.inputs[0].sha256.clone()),
        ("grows.csv", hex(b"0,1\n2,3\n4"))
    );
    assert!(read(ReadOptions { growing: true, ..ReadOptions::default() }).inputs.is_empty());
}

#[test]
fn no_metadata_leaves_the_pixels_alone() {
    let p = Place::new(&[MATRIX]);
    for (extra, title) in
        [("", true), (" --bare --cell 20", false), (" --width 5000px --height 4000px --dpi 400", true)]
    {
        p.ends(0, &format!("render m.csv --title T -o a.png{extra}"));
        p.ends(0, &format!("render m.csv --title T -o b.png{extra} --no-metadata"));
        let ((said, pixels), (unsaid, same)) = (taken_apart(&p.read("a.png")), taken_apart(&p.read("b.png")));
        assert!(pixels == same, "{extra}");
        let texts = |chunks: &[(String, Vec<u8>)]| {
            chunks.iter().filter(|c| c.0.ends_with("Xt")).map(|c| c.1.clone()).collect::<Vec<_>>()
        };
        assert!(texts(&unsaid).is_empty());
        let texts = texts(&said);
        assert_eq!(texts[0], format!("Software\0gridscope {}", env!("CARGO_PKG_VERSION")).into_bytes());
        assert!(texts[1].starts_with(b"gridscope\0\0\0\0\0{\"gridscope\":"));
        assert_eq!(texts.get(2).map(Vec::as_slice), title.then_some(&b"Title\0\0\0\0\0T"[..]));
        let err = p.ends(3, "info b.png").err;
        assert!(
            err.starts_with("error: b.png: a PNG image without gridscope's description\nhint: "),
            "{err}"
        );
        assert_eq!(p.info("a.png")["bare"], if title { Value::Null } else { json!(true) });
    }
}

#[test]
fn bare_pictures_and_strips_say_their_scale() {
    let p = Place::new(&[MATRIX]);
    p.ends(0, "render m.csv --bare --cell 20 --cmap magma -o a.png");
    let wanted =
        json!([{"label": "", "panels": [""], "norm": "linear", "vmin": 0.0, "vmax": 48.0, "cmap": "magma"}]);
    assert_eq!(p.info("a.png")["limits"], wanted);
    assert!(
        p.ends(0, "info a.png").text().contains("40 x 40 px\n")
            && p.ends(0, "info a.png")
                .text()
                .contains("# only cells; drawn again with --bare --width 40px --height 40px\n")
    );
    // 20 megapixels are encoded strip by strip.
    p.ends(0, "render m.csv --width 5000px --height 4000px --dpi 400 --cmap magma -o a.png");
    assert_eq!(
        (p.info("a.png")["limits"].clone(), p.info("a.png")["figure"]["size"]["width"].clone()),
        (wanted, json!("5000px"))
    );
}

#[test]
fn the_same_figure_has_the_same_bytes_in_every_folder() {
    let (p, q) = (Place::new(&[MATRIX]), Place::new(&[MATRIX]));
    fs::create_dir(q.path("deeper")).unwrap();
    fs::copy(q.path("m.csv"), q.path("deeper/m.csv")).unwrap();
    p.ends(0, "render m.csv -o a.png");
    p.ends(0, "render m.csv -o b.png");
    q.ends(0, "render deeper/m.csv -o a.png");
    p.ends(0, &format!("render {} -o c.png", q.path("m.csv").display()));
    assert!(
        p.read("a.png") == p.read("b.png")
            && p.read("a.png") == q.read("a.png")
            && p.read("a.png") == p.read("c.png")
    );
    // Standard input has no name.
    p.fed(0, "render - -o d.png", MATRIX.1);
    assert_eq!(p.info("d.png")["inputs"], json!([{"name": "-", "bytes": 9, "sha256": hex(MATRIX.1)}]));
    p.write("again.toml", p.ends(0, "info d.png").text().as_bytes());
    p.fed(0, "render again.toml -o e.png", MATRIX.1);
    assert!(p.read("d.png") == p.read("e.png"));
}

#[test]
fn hostile_pictures_are_refused() {
    let p = Place::new(&[MATRIX]);
    p.ends(0, "render m.csv -o a.png");
    let good = p.read("a.png");
    let data = good.windows(4).position(|w| w == b"IDAT").unwrap();
    let text = good.windows(4).position(|w| w == b"iTXt").unwrap();
    let deep =
        format!("{{\"gridscope\":\"0\",\"figure\":{{\"a\":{}{}}}}}", "[".repeat(60_000), "]".repeat(60_000));
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("cut in the signature", good[..8].to_vec()),
        ("cut in the text", good[..text + 30].to_vec()),
        ("cut before the pixels", good[..data - 4].to_vec()),
        ("wrong checksum of the head", changed(29, &[1, 2, 3, 4])),
        ("wrong checksum of the text", changed(text + 40, b"~")),
        ("a text of 2 GiB", changed(text - 4, &0x7fff_ffffu32.to_be_bytes())),
        ("a text of 4 GiB", changed(text - 4, &[255; 4])),
        ("no JSON", png_saying(b"garbage")),
        ("no UTF-8", png_saying(b"{\"gridscope\":\"0\",\"figure\":{\"title\":\"\xff\"}}")),
        ("no object", png_saying(b"[1,2]")),
        ("no figure", png_saying(b"{\"gridscope\":\"0\",\"figure\":[]}")),
        ("a deep one", png_saying(deep.as_bytes())),
        ("a list with null", png_saying(b"{\"gridscope\":\"0\",\"figure\":{\"a\":[null]}}")),
        ("no picture", b"\x89PNG\r\n\x1a\nno".to_vec()),
    ];
    for (what, bytes) in cases {
        p.write("b.png", &bytes);
        let ran = p.ends(3, "info b.png");
        let (out, err) = (ran.text(), ran.err);
        assert!(out.is_empty() && err.starts_with("error: b.png: a PNG image"), "{what}: {err}");
    }
    // Missing pixels do not matter.
    p.write("b.png", &good[..data + 4]);
    assert_eq!(p.info("b.png"), p.info("a.png"));
    for (name, bytes) in
        [("b.svg", &b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"[..]), ("b.pdf", b"%PDF-1.7\n")]
    {
        p.write(name, bytes);
        assert!(p.ends(3, &format!("info {name}")).err.contains("without gridscope's description\nhint:"));
    }
    p.write("b.xml", b"<?xml version=\"1.0\"?><html/>");
    assert!(p.ends(3, "info b.xml").err.contains("is an XML file, which is not read"));
    assert!(p.ends(3, "info none.png").err.starts_with("error: none.png: no such file"));
}

#[test]
fn descriptions_send_no_control_characters_to_a_terminal() {
    let p = Place::empty();
    let said = "{\"gridscope\":\"0\\u001b[2J\",\"figure\":{\"title\":\"a\\u009b31m\\u202e\",\"note\":\"\\u001b]0;x\\u0007'\\\"\"},\
                \"inputs\":[{\"name\":\"a\\nb\\u001b\",\"bytes\":1,\"sha256\":\"\\u0085\"}],\
                \"limits\":[{\"panels\":[\"\\u2066p\"],\"vmin\":0,\"vmax\":1,\"norm\":\"\\u001b\",\"cmap\":\"\\u007f\"}]}";
    let plain = |text: &str| {
        !text.contains(|c: char| {
            c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        })
    };
    let xml = said.replace('"', "&quot;");
    let pdf = said.replace('\\', "\\\\");
    p.write("a.png", png_saying(said.as_bytes()));
    p.write("a.svg", format!("<svg><metadata id=\"gridscope\">{xml}</metadata></svg>").as_bytes());
    p.write("a.pdf", format!("%PDF-1.7\n<</Keywords (gridscope:{pdf})>>").as_bytes());
    for file in ["a.png", "a.svg", "a.pdf"] {
        let out = p.ends(0, &format!("info {file}")).text();
        assert!(plain(&out), "{out:?}");
        let (head, figure) = out.split_once("\n\n").unwrap();
        assert_eq!(head.lines().count(), 3);
        let figure: Value = toml::from_str(figure).unwrap();
        assert_eq!(figure, json!({"title": "a\u{9b}31m\u{202e}", "note": "\u{1b}]0;x\u{7}'\""}));
        let report = p.ends(0, &format!("info {file} --json")).text();
        assert!(plain(&report), "{report:?}");
        assert_eq!(serde_json::from_str::<Value>(&report).unwrap()["figure"], figure);
    }
}

#[test]
fn files_of_one_name_have_only_the_folders_that_distinguish_them() {
    let p = Place::empty();
    for (folder, text) in [("a", "1,2\n3,4\n"), ("b", "5,6\n7,9\n")] {
        fs::create_dir(p.path(folder)).unwrap();
        fs::write(p.path(format!("{folder}/m.csv")), text).unwrap();
    }
    let here = p.folder().to_str().unwrap().to_owned();
    p.ends(0, &format!("render {here}/a/m.csv {here}/b/m.csv -o x.png"));
    p.ends(0, "render a/m.csv b/m.csv -o y.png");
    assert!(p.read("x.png") == p.read("y.png"));
    let value = p.info("x.png");
    assert_eq!(value["figure"]["data"]["file"], json!(["a/m.csv", "b/m.csv"]));
    assert_eq!(
        (&value["inputs"][1]["name"], &value["limits"][0]["panels"]),
        (&json!("b/m.csv"), &json!(["a/m.csv", "b/m.csv"]))
    );
    p.write("again.toml", p.ends(0, "info x.png").text().as_bytes());
    p.ends(0, "render again.toml -o z.png");
    assert!(p.read("z.png") == p.read("x.png"));
}

#[test]
fn every_input_of_a_picture_is_hashed() {
    let p = Place::new(&[MATRIX, ("mask.csv", b"0,1\n0,0\n"), ("at.csv", b"1\n5\n")]);
    p.ends(0, "render m.csv --mask mask.csv --x-values at.csv -o a.png");
    let value = p.info("a.png");
    let hashed: Vec<_> = value["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| (i["name"].clone(), i["sha256"].clone()))
        .collect();
    let of = |name: &str, bytes: &[u8]| (json!(name), json!(hex(bytes)));
    assert_eq!(hashed, [of("m.csv", MATRIX.1), of("mask.csv", b"0,1\n0,0\n"), of("at.csv", b"1\n5\n")]);
}
