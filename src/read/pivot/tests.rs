//! Tables of every kind, from their text to their grids.

use super::read_all;
use crate::budget::Budget;
use crate::error::{ErrorKind, InputError};
use crate::format::csv::CsvTable;
use crate::loaded::{Loaded, ReadOptions};
use crate::table::TableSource;
use gridscope_core::figure::{Agg, Data, Figure, List, TableKind};
use gridscope_core::lint::Lints;
use gridscope_random::Random;

/// A table of text.
fn read_table(text: &str, file: &str, figure: &Figure, needs: &ReadOptions) -> Result<Loaded, InputError> {
    read_tables(&[(file, text)], figure, needs)
}

/// Tables of text, by their names.
fn read_tables(tables: &[(&str, &str)], figure: &Figure, needs: &ReadOptions) -> Result<Loaded, InputError> {
    let budget = Budget::usual();
    let open = |(file, text): &(&str, &str)| {
        let mut lints = Lints::default();
        let taken = budget.take(text.len() as u64);
        taken.map_err(|s| s.of(file, "its text"))?;
        let table = CsvTable::read(text.as_bytes().to_vec(), file, &figure.data, &mut lints, &budget)?;
        Ok((Box::new(table) as Box<dyn TableSource>, lints))
    };
    let tables = tables.iter().map(open).collect::<Result<_, InputError>>()?;
    read_all(tables, figure, needs, &budget)
}

fn read(text: &str) -> Result<Loaded, InputError> {
    read_table(text, "t.csv", &Figure::default(), &ReadOptions::default())
}

fn summary(text: &str) -> String {
    read(text).unwrap().summary
}

fn tidy(x: &str, y: &str) -> Figure {
    Figure {
        data: Data { x: Some(List::from_flag(x)), y: Some(List::from_flag(y)), ..Data::default() },
        ..Figure::default()
    }
}

#[test]
fn the_kind_of_a_table_shows_in_its_content() {
    assert_eq!(summary("1,2\n3,4\n"), "t.csv: matrix, 2 rows x 2 columns");
    assert_eq!(summary("f1,f2,f3\n1,2,3\n1,5,6\n"), "t.csv: matrix, 2 rows x 3 columns, with a header");
    assert_eq!(summary("model,a,b\nx,1,2\ny,3,\n"), "t.csv: wide table, 2 rows x 2 columns");
    assert_eq!(summary(",0,1\n0,5,6\n1,7,8\n"), "t.csv: wide table, 2 rows x 2 columns");
    assert_eq!(summary(",cat,dog\ncat,5,6\ndog,7,8\n"), "t.csv: wide table, 2 rows x 2 columns");
    assert_eq!(summary("window,0.1,0.2\n500,5,6\n1000,7,8\n"), "t.csv: wide table, 2 rows x 2 columns");
}

#[test]
fn labels_of_a_wide_table_differ_however_far_apart() {
    let rows: String = (0..80_000).map(|i| format!("k{i},{i},1\n")).collect();
    let text = format!("k,a,b\n{rows}");
    assert_eq!(summary(&text), "t.csv: wide table, 80000 rows x 2 columns");
    // Labels of a square repeat as its headers do.
    for headers in ["the,cat,the", "the,cat,the.1"] {
        let square = format!("w,{headers}\nthe,1,2,3\ncat,4,5,6\nthe,7,8,9\n");
        assert!(summary(&square).starts_with("t.csv: wide table, 3 rows x 3 columns"), "{headers}");
    }
    for other in ["w,the,cat,the\nthe,1,2,3\nthe,4,5,6\ncat,7,8,9\n", "w,the,a,b\nthe,1,2,3\nthe,4,5,6\n"] {
        assert!(read(other).is_err(), "{other}");
    }
    let e = read(&format!("{text}k0,1,2\n")).unwrap_err();
    assert!(e.what.starts_with("neither a wide table nor a matrix"), "{e}");
}

#[test]
fn what_is_unclear_is_refused_with_a_line_to_copy() {
    let e = read("type,length,acc\n1,5,0.1\n1,6,0.2\n2,5,0.3\n2,6,0.5\n").unwrap_err();
    assert_eq!((e.kind, e.hint.as_deref()), (ErrorKind::Usage, Some("--x length --y type --value acc")));
    assert!(
        e.what.ends_with(
            "columns: type (integer, 2 distinct), length (integer, 2 distinct), acc (number, 4 distinct)"
        ),
        "{}",
        e.what
    );
    assert_eq!(read("model,a\nx,1\nx,2\n").unwrap_err().kind, ErrorKind::Usage);
    assert_eq!(read("name,age\nx,old\ny,1\n").unwrap_err().kind, ErrorKind::Usage);
    assert_eq!(read("number\n1.5\n").unwrap_err().what, "one column");
}

#[test]
fn the_value_is_taken_when_only_one_is_left() {
    let text = "x,y,v,name\n1,1,5,a\n2,1,6,b\n";
    assert_eq!(
        read_table(text, "t", &tidy("x", "y"), &ReadOptions::default()).unwrap().grids[0].value_name(),
        "v"
    );
    let e = read_table("x,y,v,w\n1,1,5,6\n", "t", &tidy("x", "y"), &ReadOptions::default()).unwrap_err();
    assert_eq!((e.kind, e.what.as_str()), (ErrorKind::Usage, "which column is --value? v, w"));
    let mut f = tidy("x", "y");
    f.data.agg = Some(Agg::Count);
    assert_eq!(read_table(text, "t", &f, &ReadOptions::default()).unwrap().grids[0].value_name(), "");
    f.data.y = None;
    assert!(
        read_table(text, "t", &f, &ReadOptions::default())
            .unwrap_err()
            .what
            .starts_with("a tidy table needs --x and --y")
    );
}

#[test]
fn the_kind_can_be_forced() {
    let of = |text: &str, kind| {
        let f = Figure { data: Data { table: Some(kind), ..Data::default() }, ..Figure::default() };
        read_table(text, "t", &f, &ReadOptions::default()).map(|l| (l.grids[0].height(), l.grids[0].width()))
    };
    assert_eq!(of("a,b\n1,2\n1,4\n", TableKind::Matrix), Ok((2, 2)));
    assert_eq!(of("a,b\n1,2\n1,4\n", TableKind::Wide), Ok((2, 1)));
    assert!(of("a,b\n1,2\n", TableKind::Tidy).is_err());
    assert_eq!(of("v\n5\n6\n", TableKind::Matrix), Ok((2, 1)));
}

#[test]
fn several_files_are_rows_or_panels() {
    let needs = ReadOptions::default();
    let mut f = tidy("x", "y");
    f.data.panel = Some("file".into());
    let l =
        read_tables(&[("a/s1.csv", "x,y,v\n1,1,5\n"), ("b/s2.csv", "x,y,v\n2,1,6\n")], &f, &needs).unwrap();
    assert_eq!(l.grids.iter().map(gridscope_core::grid::Grid::name).collect::<Vec<_>>(), ["s1", "s2"]);
    let e = read_tables(&[("a", "x,y,v\n1,1,5\n"), ("b", "x,y,w\n2,1,6\n")], &f, &needs).unwrap_err();
    assert_eq!((e.file.as_str(), e.place.to_string().as_str()), ("b", "header"));
    f.data.value = Some(List::from_flag("v"));
    let e = read_tables(&[("a", "x,y,v\n1,1,5\n"), ("b", "x,y,v\n1,1,5\n2,1,no\n")], &f, &needs).unwrap_err();
    assert_eq!(e.to_string(), "b: line 3: column 'v': 'no' is not a number");
    let l = read_tables(&[("a/m.csv", "1,2\n"), ("b/m.csv", "3,4\n")], &Figure::default(), &needs).unwrap();
    assert_eq!(
        l.grids.iter().map(gridscope_core::grid::Grid::name).collect::<Vec<_>>(),
        ["a/m.csv", "b/m.csv"]
    );
}

#[test]
fn files_together_are_one_table() {
    let needs = ReadOptions::default();
    let mut f = tidy("file", "k");
    f.data.value = Some(List::from_flag("v"));
    f.data.filter = Some(List::from_flag("run = ok"));
    let files = [
        ("10.csv", "k,v,run\na,1,ok\n"),
        ("9.csv", "k,v,run\na,2,ok\n"),
        ("notes.csv", "k,v,run\na,3,bad\n"),
    ];
    let l = read_tables(&files, &f, &needs).unwrap();
    assert_eq!((l.grids[0].columns().levels[0].join(" "), l.lints.0.len()), ("9 10".into(), 0));
    // A column that is empty in one file is a column of numbers all the same.
    for order in [[0, 1], [1, 0]] {
        let files = [("e1.csv", "x,y,v,n\n1,a,,k\n2,a,,k\n"), ("e2.csv", "x,y,v,n\n1,b,3,k\n2,b,4,k\n")];
        let l = read_tables(&order.map(|i| files[i]), &tidy("x", "y"), &needs).unwrap();
        assert_eq!(l.grids[0].value_name(), "v");
    }
}

#[test]
fn damaged_tables_never_panic() {
    let seeds =
        ["x,y,v,p\n1,a,0.5,k\n2,b,\"1\n,5\",m\n3,a,,k\r\n", "w,0.1,0.2\n5,1,2\n7,inf,-\n", "1;2\n3;4\n"];
    let figures = [Figure::default(), tidy("x", "y"), tidy("x,p", "y"), tidy("w", "0.1")];
    let mut random = Random(1);
    let alphabet: Vec<char> = "\",;\t|\n\r #:0195eE.-+aNx  é\u{1}<>=".chars().collect();
    for round in 0..6000 {
        let mut text: Vec<char> = seeds[round % seeds.len()].chars().collect();
        for _ in 0..=random.below(6) {
            let at = random.below(text.len());
            match random.below(3) {
                0 if at < text.len() => drop(text.remove(at)),
                1 => text.insert(at, random.pick(&alphabet)),
                _ if at < text.len() => text[at] = random.pick(&alphabet),
                _ => {}
            }
        }
        let text: String = text.into_iter().collect();
        for f in &figures {
            if let Ok(l) = read_table(&text, "t", f, &ReadOptions::default()) {
                assert!(l.grids.iter().all(|g| g.width() * g.height() == g.cells().len()), "{text:?}");
            }
        }
    }
}

#[test]
fn a_column_that_only_numbers_the_rows_gives_no_labels_where_names_follow() {
    let labels = |text: &str| read(text).unwrap().grids[0].rows().levels[0].join(" ");
    assert_eq!(labels("run,variant,a,b\nr0,full,1,2\nr1,none,3,4\n"), "full none");
    assert_eq!(labels("run,variant,a,b\nr0,full,1,2\nr1,full,3,4\n"), "r0 r1");
    assert_eq!(labels("run,variant,a,b\nr3,full,1,2\nr7,none,3,4\n"), "r3 r7");
    assert_eq!(labels("site,code,a,b\nA1,x0,1,2\nB1,x1,3,4\n"), "A1 B1");
}

#[test]
fn a_count_needs_values_but_no_numbers() {
    let mut f = tidy("x", "y");
    f.data.value = Some(List::from_flag("clip"));
    let text = "x,y,clip\na,p,c1\na,p,c2\nb,p,\n";
    let of = |f: &Figure| read_table(text, "t", f, &ReadOptions::default());
    assert!(of(&f).is_err());
    f.data.agg = Some(Agg::Count);
    let grid = of(&f).unwrap().grids.remove(0);
    let counts = [0, 1].map(|x| grid.at(0, x).value().map(gridscope_core::grid::Number::as_f64));
    assert_eq!(counts, [Some(2.0), Some(0.0)]);
}

#[test]
fn ids_and_blank_columns_are_left_out_of_wide_tables() {
    let of = |text: &str| {
        let l = read(text).unwrap();
        let columns = l.grids[0].columns().levels[0].join(" ");
        (columns, l.lints.0.iter().map(|l| l.name.as_str()).collect::<Vec<_>>().join(" "))
    };
    let left = "columns-left-out";
    assert_eq!(of("Name,ID,A,B\nn1,1001,1,2\nn2,1002,3,4\n"), ("A B".into(), left.into()));
    assert_eq!(of("ID,Name,A,B\n2001,x,1,2\n2003,y,3,4\n"), ("A B".into(), left.into()));
    assert_eq!(of("Name,ID,A\nx,7,1\ny,7,2\n"), ("ID A".into(), String::new()));
    assert_eq!(of("Name,A,Rank\nx,7,1\ny,9,2\n"), ("A".into(), left.into()));
    assert_eq!(of("Name,valid,B\nx,1,1\ny,2,2\n"), ("valid B".into(), String::new()));
    assert_eq!(of("R,A,B,,\nx,1,2,,\ny,3,4,,\n"), ("A B".into(), String::new()));
    assert_eq!(of("R,A,,\nx,1,,\ny,3,,9\n"), ("A column 4".into(), "headers".into()));
}

#[test]
fn columns_of_several_units_are_reported_with_those_of_one() {
    let l = read("C,n,M 1,M 2,M 3\na,9,5%,6%,7%\nb,8,5%,6%,7%\n").unwrap();
    assert_eq!(l.lints.0[0].hints, ["--table wide --y C --value 'M *'"]);
    assert_eq!(l.lints.0[0].name, gridscope_core::lint::LintName::MixedUnits);
    let l = read("C,a,b\nx,$5,€6\ny,$7,€8\n").unwrap();
    assert!(l.lints.0[0].text.starts_with("one colour bar for 2 units: $ (a), € (b)"));
    assert!(read("C,a,b\nx,$5,$6\ny,$7,$8\n").unwrap().lints.0.is_empty());
}

#[test]
fn what_patterns_match_is_in_the_order_of_the_file() {
    let figure = |value: &str| {
        let mut figure = Figure::default();
        figure.data.table = Some(TableKind::Wide);
        figure.data.value = Some(List::from_flag(value));
        figure
    };
    let of = |value: &str| {
        let text = "r,Jan,Feb,Mar,May,Jun,Total\na,1,2,3,4,5,6\nb,1,2,3,4,5,6\n";
        let l = read_table(text, "t", &figure(value), &ReadOptions::default()).unwrap();
        l.grids[0].columns().levels[0].join(" ")
    };
    assert_eq!(of("J*,M*"), "Jan Mar May Jun");
    assert_eq!(of("Total,J*,F*"), "Total Jan Feb Jun");
    assert_eq!(of("May,Jan"), "May Jan");
}

#[test]
fn hints_name_the_texts_among_the_numbers() {
    let of = |text: &str| read(text).unwrap_err().hint.unwrap();
    assert_eq!(of("r,a,b\nx,1,ND\ny,**,3\nz,4,5\n"), "--missing '**,ND' reads these texts as no values");
    assert_eq!(of("r,a,b\nx,mass,length\ny,1,2\nz,4,5\n"), "--header 2");
    // A row with numbers is none of units, and a text with a digit is not left out.
    assert_eq!(
        of("year,a,b\n1880,-.2,**\n1881,3,4\n1882,4,5\n"),
        "--missing '**' reads the text as no value"
    );
    assert_eq!(read("title,,,\nw,a,b,c\n1,2,3,4\n2,3,4,5\n").unwrap().grids[0].width(), 3, "a title alone");
    assert!(of("r,a,b\nx,1,2\ny,16a,3\nz,4,5\nw,5,5\n").contains("holds 1 text and 3 numbers"));
    let two = "k,a,b\nx,1,2\ny,3,4\nz,5,6\nname,count,size\nu,7,8\nv,few,9\n";
    assert!(of(two).contains("line 5 has texts in 2 columns"), "{}", of(two));
    assert_eq!(of("r,a,b\nx,<0.1,2\ny,1,2\n"), "--missing '<0.1' reads the text as no value");
    assert!(of("T,,\nr,a,b\nx,1,2\ny,4,5\n").starts_with("--skip-rows 1 "));
    assert!(of("r,a,b\nx,1 000,2 000\ny,1 001,5\n").starts_with("--thousands space"));
    assert!(of("r,a,b\nx,yes,no\ny,no,no\n").contains("true and false"));
}

#[test]
fn the_first_column_of_numbers_labels_the_rows_where_nothing_speaks_against_it() {
    let grid = |text: &str| {
        let read = read(text).unwrap();
        let [rows, columns] = [read.grids[0].rows(), read.grids[0].columns()];
        let labels = |axis: &gridscope_core::grid::Axis| {
            (0..axis.len()).map(|i| axis.label(i)).collect::<Vec<_>>().join(" ")
        };
        format!("{} / {}", labels(rows), labels(columns))
    };
    for (text, wanted) in [
        ("step,a,b\n1,5,6\n2,7,8\n4,9,1\n", "1 2 4 / a b"),
        ("lr,a,b\n0.1,5,6\n0.01,7,8\n0.001,9,1\n", "0.1 0.01 0.001 / a b"),
        // Correlations, and counts of classes.
        ("a,b,c\n1,0.2,0.3\n0.2,1,0.4\n0.3,0.4,1\n", "a b c / a b c"),
        ("a,b,c\n5,0,1\n0,7,2\n1,2,9\n", "a b c / a b c"),
        // Counters give way to what grows behind them.
        ("rownames,time,v,w\n1,1920,4,5\n2,1920.5,5,6\n3,1921,6,7\n", "1920 1920.5 1921 / v w"),
        (",0.1,0.01\n1,5,6\n2,7,8\n", "1 2 / 0.1 0.01"),
        // Years without a header.
        ("1906,3.5,2.5\n1907,4.5,1.5\n1908,5.5,0.5\n", "1906 1907 1908 / 0 1"),
    ] {
        assert_eq!(grid(text), wanted, "{text}");
    }
    let sweep = read(",x,y,loss\n0,0.1,8,0.5\n1,0.1,16,0.25\n2,0.2,8,0.125\n3,0.2,16,1\n").unwrap_err();
    assert_eq!(sweep.hint.as_deref(), Some("--x x --y y --value loss"));
}

#[test]
fn headers_and_rows_without_one_are_told_apart() {
    let of = |text: &str| {
        let read = read(text).unwrap();
        let open =
            read.lints.0.iter().any(|lint| lint.name == gridscope_core::lint::LintName::HeaderLikeData);
        let axis = read.grids[0].columns();
        ((0..axis.len()).map(|i| axis.label(i)).collect::<Vec<_>>().join(" "), open)
    };
    for (text, names, open) in [
        (",32,16,8\nx,0.5,0.25,0.125\ny,0.5,0.5,1\n", "32 16 8", false),
        ("model,0.1,0.01,0.001\nbert,0.4,0.7,0.2\ngpt,0.6,0.69,0.5\n", "0.1 0.01 0.001", false),
        ("model,0.91,0.95\nbert,0.4,0.7\ngpt,0.98,0.69\n", "0.91 0.95", true),
        ("s1,0.91,0.95\ns2,0.90,0.94\ns3,0.89,0.97\n", "0 1", false),
        ("A,0,1,2\nB,1,0,3\nC,2,3,0\n", "0 1 2", false),
        ("bert,5%,6%\ngpt,4%,6%\nt5,5%,7%\n", "5% 6%", true),
        ("0,1,2\n50,3,1\n4,40,6\n2,5,45\n", "0 1 2", false),
        (
            "l,2020,2020,2021,2021\nm,0.1,0.2,0.1,0.2\nx,1,2,3,4\ny,5,6,7,8\n",
            "2020, 0.1 2020, 0.2 2021, 0.1 2021, 0.2",
            false,
        ),
        (",G1,,G2,\nkey,a,b,a,b\n1,5,6,7,8\n2,4,3,2,1\n", "G1, a G1, b G2, a G2, b", false),
        ("# key 272 447\nJan 1.5 8.5\nFeb 2.5 3.5\n", "272 447", false),
    ] {
        assert_eq!(of(text), (names.to_owned(), open), "{text}");
    }
}
