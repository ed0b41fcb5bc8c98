//! Databases on a machine without a driver: what is missing is named, and no password is repeated. The tests of Python read databases
//! with a driver.

use crate::support::place::Place;

/// The error of a run in an environment without packages.
fn refusal(place: &Place, code: i32, args: &[&str]) -> String {
    let mut command = place.command(args);
    for name in ["PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "ADBC_DRIVER_PATH"] {
        command.env_remove(name);
    }
    command.env("HOME", place.folder());
    let ran = crate::support::program::ended(&mut command);
    assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.err);
    ran.err
}

#[test]
fn a_missing_driver_ends_with_the_line_that_installs_it() {
    let sqlite = [b"SQLite format 3\0".as_slice(), &[0; 84]].concat();
    let duckdb = [&[0; 8], b"DUCK".as_slice(), &[0; 84]].concat();
    let place = Place::new(&[("runs.db", sqlite), ("runs.duckdb", duckdb)]);
    let hint = |args: &[&str]| refusal(&place, 5, args);
    assert!(
        hint(&["render", "runs.db", "--from", "runs", "-o", "a.png"])
            .contains("pip install adbc_driver_sqlite")
    );
    assert!(hint(&["render", "runs.duckdb", "--from", "runs", "-o", "a.png"]).contains("dbc install duckdb"));
    let error = hint(&["info", "--db", "nonsense:there", "--sql", "SELECT 1"]);
    assert!(error.contains("nonsense:there: no driver 'nonsense' of ADBC is found"), "{error}");
}

#[test]
fn addresses_are_refused_without_their_passwords() {
    let place = Place::new(&[("a.csv", "x,y,v\n1,2,3\n")]);
    for address in ["postgresql://me:hush@host/name", "postgresql://host/name?password=hush", "x:PWD=hush"] {
        let error = refusal(&place, 2, &["render", "--db", address, "--sql", "SELECT 1", "-o", "a.png"]);
        assert!(error.contains("a password in an address") && !error.contains("hush"), "{error}");
    }
    let error = refusal(&place, 2, &["render", "a.csv", "--db", "duckdb:a.duckdb", "-o", "a.png"]);
    assert!(error.contains("--db stands in place of files"), "{error}");
    let error = refusal(
        &place,
        2,
        &["render", "a.csv", "--from", "t", "-x", "x", "-y", "y", "-z", "v", "-o", "a.png"],
    );
    assert!(error.contains("--from is for databases"), "{error}");
}
