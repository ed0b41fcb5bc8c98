//! `gridscope devices`: which devices there are, and who does the work of each.

use crate::support::place::Place;
use crate::support::required;
use serde_json::Value;

#[test]
fn the_list_says_who_does_the_work() {
    let p = Place::empty();
    let (text, list) = (p.run("devices"), p.run("devices --json").json());
    assert_eq!(text.code, Some(0), "{}", text.err);
    assert!(text.text().ends_with("-  cpu: the back end that needs no device\n"));
    let devices = list["devices"].as_array().unwrap();
    assert!(!(devices.is_empty() && cfg!(feature = "gpu") && required::adapter()));
    assert_eq!(text.text().lines().count(), devices.len() + 1);
    for (line, d) in text.text().lines().zip(devices) {
        assert!(line.contains(d["name"].as_str().unwrap()), "{line}");
        let software = d["software"] == true;
        assert_eq!((d["kind"] == "software", d["work"] == Value::Null), (software, software), "{d}");
        let words = if software {
            "the CPU reduces and paints cells".to_owned()
        } else {
            let of = |key: &str| d["work"][key].as_u64().unwrap();
            format!("from {} px or {} cells on", of("from_pixels"), of("from_cells"))
        };
        assert!(line.ends_with(&words), "{line}");
        let subgroups = d["subgroups"].as_bool().unwrap();
        assert_eq!(line.contains("subgroup operations"), subgroups, "{line}");
    }
}
