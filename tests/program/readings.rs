//! What of a file is read in one of two ways, through the program: signs of numbers, days and months, texts of conditions, members of
//! archives; and standard output that is closed.

use crate::support::archive::zipped;
use crate::support::npy::npy;
use crate::support::place::Place;
use std::process::Command;

fn exported(table: &str, flags: &str) -> (String, String) {
    let place = Place::new(&[("t.csv", table)]);
    let ran = place.ends(0, &format!("export t.csv {flags} -o -"));
    (ran.text(), ran.err)
}

#[test]
fn one_of_two_readings_of_a_number_is_named() {
    let (text, said) = exported("k;x\na;604,408\nb;587.7\n", "");
    assert_eq!(text, "k,x\na,604408\nb,587.7\n");
    assert!(said.contains("assumed-sign") && said.contains("line 2") && said.contains("604.408"), "{said}");
    let (_, said) = exported("k;x\na;604,408\nb;587.7\n", "--thousands ,");
    assert!(!said.contains("assumed-sign"), "{said}");
    let place = Place::new(&[("t.csv", "k;x;y\na;604,408;2 647\nb;587.7;3 100\n")]);
    let refused = place.ends(3, "export t.csv -y k -z x -o -").err;
    assert!(refused.contains("it is unclear which sign of '604,408'"), "{refused}");
    // The keys of both axes are one column.
    let (text, _) = exported("k;x\na;6,852\nb;1,20E+03\n", "-x k -y k -z x");
    assert!(text.contains("6.852") && text.contains("1200"), "{text}");
}

#[test]
fn a_day_that_is_taken_for_the_first_number_is_named() {
    let table = "d,k,v\n10.02.2023,a,1\n11.02.2023,a,2\n";
    for flags in [
        "-x d -y k -z v",
        "-x month(d) -y k -z v --agg mean",
        "-x k -y k -z v --agg sum --where d>2023-01-01",
    ] {
        let (_, said) = exported(table, flags);
        assert!(said.contains("assumed-day-first") && said.contains("10.02.2023"), "{flags}: {said}");
        let (_, said) = exported(&table.replace("11.02", "13.02"), flags);
        assert!(!said.contains("assumed-day-first"), "{flags}: {said}");
        let (_, said) = exported(table, &format!("{flags} --day-first"));
        assert!(!said.contains("assumed-day-first"), "{flags}: {said}");
    }
}

#[test]
fn conditions_read_dates_as_the_column_is_read() {
    let table = "d,k,v\n01/02/2024,a,1\n13/02/2024,b,2\n05/03/2024,c,4\n";
    let kept = |condition: &str| exported(table, &format!("-x k -y d -z v --where {condition}")).0;
    assert_eq!(kept("d<2024-02-10"), "d,a\n2024-02-01,1\n");
    assert_eq!(kept("d=05/03/2024"), "d,c\n2024-03-05,4\n");
    assert_eq!(kept("k!=b"), "d,a,c\n2024-02-01,1,\n2024-03-05,,4\n");
    let place = Place::new(&[("t.csv", "d,k,v\n01/02/2024,a,1\n03/02/2024,b,2\n")]);
    let refused = place.ends(2, "export t.csv -x k -y d -z v --where d<2024-02-10 -o -").err;
    assert!(
        refused.contains("may change places") && refused.contains("--month-first or --day-first"),
        "{refused}"
    );
}

#[test]
fn a_condition_takes_the_text_that_it_names() {
    let keys = "-x k -y s -z v --where";
    let table = "s,k,v\na,p,1\n\"a \",q,2\nb,r,3\n";
    assert_eq!(exported(table, &format!("{keys} s=a")).0, "s,p\na,1\n");
    assert_eq!(exported(&table.replace("\na,p,1", ""), &format!("{keys} s=a")).0, "s,q\n\"a \",2\n");
    let ids = "s,k,v\n1,p,1\n01,q,2\nx,r,3\n";
    assert_eq!(exported(ids, &format!("{keys} s=1")).0, "s,p\n1,1\n");
    assert_eq!(
        exported(&ids.replace("x,r,3", "2,r,3"), &format!("{keys} s=1 --agg sum")).0,
        "s,p,q\n1,1,2\n"
    );
    let quoted = "s,k,v\n\"\"\"a\"\"\",p,1\nb,q,2\nc,r,3\n";
    let place = Place::new(&[("t.csv", quoted)]);
    let kept = place.run(&[
        "export",
        "t.csv",
        "-x",
        "k",
        "-y",
        "s",
        "-z",
        "v",
        "--where",
        "s in \"\"\"a\"\"\",b",
        "-o",
        "-",
    ]);
    assert_eq!(kept.text(), "s,p,q\n\"\"\"a\"\"\",1,\nb,,2\n");
    let place = Place::new(&[("t.csv", table)]);
    let refused =
        place.run(&["export", "t.csv", "-x", "k", "-y", "s", "-z", "v", "--where", "s in \"a,b", "-o", "-"]);
    assert!(refused.code == Some(2) && refused.err.contains("is not closed"), "{}", refused.err);
}

#[test]
fn an_archive_whose_directory_is_damaged_is_refused() {
    let arrays = [("alpha.npy", npy("(3, 4)", &[1.0; 12])), ("beta.npy", npy("(2, 5)", &[2.0; 10]))];
    let whole = zipped(&arrays);
    let start = whole.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let place = Place::new(&[("z.npz", &whole)]);
    place.ends(2, "export z.npz -o -");
    for at in start..whole.len() - 22 {
        for damaged in [
            [&whole[..at], &whole[at + 1..]].concat(),
            [&whole[..at], b"x".as_slice(), &whole[at..]].concat(),
        ] {
            place.write("z.npz", &damaged);
            let ran = place.run("export z.npz -o -");
            assert!(ran.code != Some(0), "byte {at}: {}", ran.text());
        }
    }
}

#[test]
#[cfg(unix)]
fn a_closed_standard_output_is_a_fault() {
    let place = Place::new(&[("t.csv", "k,x\na,1\n")]);
    for words in ["export t.csv -o -", "render t.csv -o -", "info t.csv", "render t.csv -o a.png --json"] {
        let program = place.command(words);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg("exec \"$0\" \"$@\" >&-").arg(program.get_program()).args(program.get_args());
        let ended = shell.current_dir(place.folder()).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(
            ended.status.code() == Some(4) && said.contains("standard output is closed"),
            "{words}: {said}"
        );
    }
}
