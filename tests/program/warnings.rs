//! Lines beside pictures: few warnings, none about what was requested, and the files that were written.

use crate::support::place::Place;

/// 65 panels on other scales, with cells without data, without a value and far away; rows repeat.
fn many() -> String {
    let mut csv = "panel,x,y,seed,v\n".to_owned();
    for panel in 0..65 {
        for (x, y) in (0..5).flat_map(|x| (0..4).map(move |y| (x, y))) {
            let value = match (x, y) {
                (1, 1) => String::new(),
                (2, 2) if panel % 3 == 0 => "inf".to_owned(),
                _ => ((panel * panel) as f64 + f64::from(x + y) / 8.0).to_string(),
            };
            if x != panel % 5 {
                csv += &format!("p{panel},{x},a_{y},0,{value}\np{panel},{x},a_{y},1,{value}\n");
            }
        }
    }
    csv
}

const KEYS: &str = "-x x -y y -z v --panel panel";

#[test]
fn sixty_five_panels_have_a_dozen_lines() {
    let p = Place::new(&[("t.csv", many())]);
    for flags in ["", "--vmin 100 --vmax 900", "--norm log --rows 0:3", "--scale panel", "--reduce max"] {
        let command = format!("render t.csv {KEYS} {flags} -o t.png");
        let err = p.ends(0, &format!("{command} --json=t.json")).err;
        let lines: Vec<&str> = err.lines().collect();
        assert!(lines.len() <= 12, "{err}");
        let listed = p.json("t.json")["lints"].as_array().unwrap().clone();
        assert!(listed.len() > 65, "{listed:?}");
        for lint in &listed {
            let name = lint["name"].as_str().unwrap();
            assert_eq!(err.matches(&format!("[{name}]")).count(), 1, "{name}: {err}");
        }
        let each = p.ends(0, &format!("{command} --verbose")).err;
        assert_eq!(each.lines().count(), listed.len(), "{each}");
        // A line that is folded is denied all the same.
        let denied = p.ends(6, &format!("{command} --deny nan")).err;
        assert!(denied.contains("denied[nan]: "), "{denied}");
        p.ends(6, &format!("{command} --strict --quiet"));
    }
    let err = p.ends(0, &format!("check t.csv {KEYS}")).err;
    assert!(err.lines().count() <= 12, "{err}");
}

#[test]
fn what_was_asked_for_is_no_warning() {
    let square = "k,a,b,c\na,1,0.5,0.2\nb,0.5,1,-0.3\nc,0.2,-0.3,1\n";
    let domain = "x,y,v\n1,1,3\n3,1,4\n1,3,5\n3,3,6\n";
    let panels = "p,x,y,v\nA,1,1,1\nA,2,2,2\nA,1,2,1\nA,2,1,1\nB,3,3,3\nB,4,4,4\nB,3,4,1\nB,4,3,2\n";
    let p = Place::new(&[("s.csv", square), ("d.csv", domain), ("p.csv", panels)]);
    let names = |command: &str| -> Vec<String> {
        p.ends(0, &format!("render {command} -o o.png --json=o.json"));
        let lints = p.json("o.json")["lints"].as_array().unwrap().clone();
        lints.iter().map(|l| l["name"].as_str().unwrap().to_owned()).collect()
    };
    for command in ["s.csv --mask upper --center 0", "s.csv --mask lower --theme dark"] {
        assert_eq!(names(command), [""; 0], "{command}");
    }
    assert_eq!(p.json("o.json")["panels"][0]["counts"]["masked"], 6);
    let asked = names("s.csv --mask upper --masked grey");
    assert!(asked.contains(&"masked".to_owned()), "{asked:?}");
    assert_eq!(names("s.csv --nodata 0.2"), ["masked"]);
    assert_eq!(names("s.csv --nodata 0.2 --mask upper"), ["masked"]);
    assert_eq!(p.json("o.json")["lints"][0]["count"], 1);
    assert_eq!(names("d.csv -x x -y y -z v --x-domain 1:3"), [""; 0]);
    assert_eq!(names("d.csv -x x -y y -z v --x-domain 1:3 --y-domain 1:5"), [""; 0]);
    assert_eq!(names("d.csv -x x -y y -z v --x-domain 1:3 --where v!=6"), ["absent"]);
    assert_eq!(p.json("o.json")["lints"][0]["count"], 1);
    assert_eq!(names("p.csv -x x -y y -z v --panel p"), ["absent", "absent"]);
    assert_eq!(names("p.csv -x x -y y -z v --panel p --scale panel --cbar none"), ["absent", "absent"]);
}

#[test]
fn an_export_says_which_files_it_wrote() {
    let p = Place::new(&[("t.csv", many()), ("one.csv", "x,y,v\n1,1,3\n2,1,4\n".to_owned())]);
    let err = p.ends(0, &format!("export t.csv {KEYS} -o g.csv")).err;
    assert!(err.contains("note: wrote 65 files: g-p0.csv to g-p64.csv"), "{err}");
    let few = format!("export t.csv {KEYS} --panel-order p3,p1 -o f.csv");
    let err = p.ends(0, &few).err;
    assert!(err.contains("note: wrote 2 files: f-p3.csv, f-p1.csv"), "{err}");
    assert!(!p.ends(0, &format!("{few} --quiet")).err.contains("wrote"));
    p.ends(0, &format!("{few} --json=f.json"));
    let report = p.json("f.json");
    let files: Vec<String> = report["files"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert!(files.len() == 2 && files[0].contains("f-p3.csv") && files[0].contains("\"columns\":5"));
    assert!(report["lints"].as_array().is_some());
    assert!(!p.ends(0, "export one.csv -x x -y y -z v -o h.csv").err.contains("wrote"));
}

#[test]
fn words_of_others_and_wrong_settings_name_the_right_one() {
    let p = Place::new(&[("m.csv", "0,1\n2,3\n"), ("f.toml", "annot = 'on'\n[data]\nfile = 'm.csv'\n")]);
    for (args, wanted) in [
        ("render m.csv -o a.png --colormap magma", "hint: --cmap"),
        ("render m.csv -o a.png --figsize 6,4", "hint: --width 6.5in --height 4in"),
        ("render m.csv -o a.png --cbar-kws x", "hint: --cbar-label TEXT"),
        ("render m.csv -o a.png --set color.cmp=magma", "did you mean 'cmap'?"),
        ("render m.csv -o a.png --set annot=on", "here that is 'show' in [annotations]"),
        ("render m.csv -o a.png --set color.cmap=nope", "'nope' is not a colormap"),
        ("render m.csv -o a.png --set data.file=b.csv", "give the files without --set"),
        ("render m.csv -o a.png --x-rotate 30", "0, 45 or 90"),
        ("render m.csv -o a.png --strip-cmap tab10", "hint: --strip COL"),
    ] {
        let err = p.ends(2, args).err;
        assert!(err.contains(wanted), "{args}: {err}");
    }
    assert!(
        p.ends(3, "render f.toml -o a.png")
            .err
            .contains("line 1, column 1: unknown key 'annot'; here that is 'show'")
    );
    p.write("g.toml", "[data]\nfile = 'none.csv'\n");
    p.ends(0, "render g.toml --set data.file=m.csv -o a.png");
    p.ends(3, "render m.csv -o a.png --set panels.A.mark=max");
}

const SWEEP: &str =
    "x,y,seed,v,p\n1,a,0,0.5,0.01\n1,a,1,0.7,0.03\n2,a,0,0.9,0.5\n1,b,0,0.2,0.04\n2,b,0,0.1,0.6\n";

#[test]
fn marks_and_contours_that_are_not_drawn_are_reported() {
    let p = Place::new(&[("t.csv", SWEEP)]);
    let command = "render t.csv -x x -y y -z v --agg mean -o t.png --json=t.json";
    let flags = ["--mark", "max", "--mark", "p < 0.05 as star", "--mark", "n > 1", "--contours", "0.3,0.8"];
    let run = |more: &[&str]| {
        let all: Vec<&str> = command.split(' ').chain(more.iter().copied()).collect();
        p.run(&all)
    };
    let drawn = run(&flags);
    assert_eq!((drawn.code, drawn.err.contains("warning")), (Some(0), false), "{}", drawn.err);
    let panel = p.json("t.json")["panels"][0].clone();
    assert_eq!(panel["marks"][1]["count"], 2);
    assert_eq!(panel["marks"][1]["cells"][0]["y"], "a");
    assert_eq!(panel["marks"][2]["label"], "n > 1");
    assert_eq!(panel["contours"][1]["level"], 0.8);
    for (more, code, said) in [
        (
            &["--mark", "p > 7", "--deny", "marks-hidden"][..],
            6,
            "denied[marks-hidden]: no cell is marked by 'p > 7'",
        ),
        (
            &["--contours", "5,", "--deny", "contours-hidden"],
            6,
            "denied[contours-hidden]: no values lie on both sides of 5",
        ),
        (&["--mark", "x=3"], 3, "mark: 'x=3': no cell has x 3; the nearest: 2, 1"),
        (&["--mark", "q < 1"], 2, "no column 'q'"),
        (&["--mark", "m.csv"], 3, "m.csv: "),
        (&["--mask", "q < 1"], 2, "no column 'q'"),
    ] {
        let ends = run(more);
        assert!(
            ends.code == Some(code) && ends.err.contains(said),
            "{more:?}: {:?}: {}",
            ends.code,
            ends.err
        );
    }
}
