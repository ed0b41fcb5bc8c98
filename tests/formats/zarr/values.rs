//! The cells of stores.

use super::stores::{Store, bytes, cells, crc, gzip_long, key, little, v2, v3, with};
use gridscope::figure::{Figure, List};
use gridscope::grid::{Grid, ScanRequest, State};
use gridscope::input::ErrorKind;
use serde_json::{Value, json};

#[test]
fn chunks_beyond_the_edge_and_both_orders_are_read() {
    // 3 x 3 cells in chunks of 2 x 2: what lies beyond the edge is 99 and never seen.
    let rows = [[2, 3, 5, 6], [4, 99, 7, 99], [8, 9, 99, 99], [10, 99, 99, 99]];
    let wanted = [[2.0, 3.0, 4.0], [5.0, 6.0, 7.0], [8.0, 9.0, 10.0]];
    for order in ["C", "F"] {
        let store = Store::new();
        store.json(".zarray", &with(v2(&[3, 3], &[2, 2], ">i2", json!(0)), "order", json!(order)));
        for (name, [a, b, c, d]) in ["0.0", "0.1", "1.0", "1.1"].iter().zip(rows) {
            store.put(name, bytes(&if order == "C" { [a, b, c, d] } else { [a, c, b, d] }));
        }
        assert_eq!(cells(&store.grid()), wanted, "{order}");
    }
}

#[test]
fn absent_chunks_hold_the_fill_value_or_no_data() {
    for (dtype, fill, wanted) in [
        ("<i2", json!(7), 7.0),
        ("<i2", Value::Null, f64::NAN),
        ("<f8", json!("NaN"), f64::NAN),
        ("<f4", json!(-0.5), -0.5),
    ] {
        let store = Store::new();
        store.json(".zarray", &v2(&[2, 4], &[2, 2], dtype, fill));
        let size = usize::from(dtype.as_bytes()[2] - b'0');
        store.put("0.0", vec![0; 4 * size]);
        let (grid, found) = (store.grid(), cells(&store.grid()));
        for row in found {
            assert_eq!(row[..2], [0.0, 0.0]);
            assert!(
                row[2..].iter().all(|v| v.to_bits() == wanted.to_bits() || (v.is_nan() && wanted.is_nan())),
                "{dtype}: {row:?}"
            );
        }
        let stats = grid.scan(&ScanRequest::default()).unwrap().stats;
        let absent = if wanted.is_nan() { 4 } else { 0 };
        assert_eq!((stats.values, stats.states[State::Absent.index()]), (8 - absent, absent));
    }
}

#[test]
fn large_arrays_are_read_by_windows_that_open_their_chunks_alone() {
    let store = Store::new();
    store
        .json("zarr.json", &v3(&[700, 600], &[100, 150], "float64", json!("NaN"), json!([little(), "gzip"])));
    for r in 0..7u64 {
        // One chunk of each row is not there.
        for c in (0..4).filter(|c| *c != r % 4) {
            let chunk: Vec<u8> = (0..15_000u64)
                .flat_map(|i| ((r * 100 + i / 150) as f64 * 600.0 + (c * 150 + i % 150) as f64).to_le_bytes())
                .collect();
            store.put(&format!("c/{r}/{c}"), gzip_long(&chunk));
        }
    }
    let check = |g: &Grid, first: (usize, usize)| {
        let mut absent = 0;
        for (r, row) in cells(g).iter().enumerate() {
            for (c, v) in row.iter().enumerate() {
                let (r, c) = (r + first.0, c + first.1);
                let gone = c / 150 == r / 100 % 4;
                absent += u64::from(gone);
                assert!(
                    if gone { v.is_nan() } else { *v == (r * 600 + c) as f64 },
                    "row {r}, column {c}: {v}"
                );
            }
        }
        let stats = g.scan(&ScanRequest::default()).unwrap().stats;
        assert_eq!((stats.states[State::Absent.index()], stats.values + absent), (absent, g.len() as u64));
    };
    let grid = store.grid();
    assert!(!grid.is_loaded());
    let stats = grid.scan(&ScanRequest::default()).unwrap().stats;
    assert_eq!((stats.states[State::Absent.index()], stats.values), (7 * 15_000, 21 * 15_000));
    check(&grid, (0, 0));
    check(&store.grid().transposed().transposed(), (0, 0));
    // A damaged chunk is seen by who needs it, and by nobody else.
    store.put("c/6/0", b"");
    let mut part = Figure::default();
    part.view.rows = Some("50:350".parse().unwrap());
    part.view.cols = Some("100:400".parse().unwrap());
    check(&store.open(&part).unwrap().grids[0], (50, 100));
    let e = store.grid().scan(&ScanRequest::default()).unwrap_err();
    assert!(e.what.starts_with("chunk c/6/0: "), "{e}");
}

#[test]
fn shards_hold_their_chunks_and_miss_some() {
    let inner = json!({"chunk_shape": [1, 2], "codecs": ["bytes"], "index_codecs": [little(), "crc32c"]});
    let codecs = json!([{"name": "sharding_indexed", "configuration": inner}]);
    let store = Store::new();
    store.json("zarr.json", &v3(&[2, 8], &[2, 4], "uint8", json!(9), codecs));
    let index: Vec<u8> =
        [6, 2, u64::MAX, u64::MAX, 0, 2, 2, 2].iter().flat_map(|v: &u64| v.to_le_bytes()).collect();
    let mut shard = vec![5, 6, 7, 8, 0, 0, 1, 2];
    shard.extend(&index);
    shard.extend(crc(0x82f6_3b78, &index).to_le_bytes());
    store.put("c/0/0", &shard);
    let nines = [9.0; 4];
    assert_eq!(
        cells(&store.grid()),
        [[&[1.0, 2.0, 9.0, 9.0], &nines[..]].concat(), [&[5.0, 6.0, 7.0, 8.0], &nines[..]].concat()]
    );
    // An index that was changed, one that points outside, and a file that is too short for one.
    let mut bad = shard.clone();
    bad[8] ^= 1;
    assert!(store.put("c/0/0", bad).error(&Figure::default()).what.contains("crc32c"));
    let mut far = index.clone();
    far[0] = 200;
    let far = [&shard[..8], &far, &crc(0x82f6_3b78, &far).to_le_bytes()].concat();
    assert!(store.put("c/0/0", far).error(&Figure::default()).what.contains("bytes 200 + 2 of 76"));
    assert!(store.put("c/0/0", [1, 2, 3]).error(&Figure::default()).what.contains("index of its shard"));
}

#[test]
fn arrays_of_groups_are_named_listed_or_panels() {
    let store = Store::new();
    let array = |values: [u8; 4]| (v2(&[2, 2], &[2, 2], "|u1", json!(0)), values);
    store.json(".zgroup", &json!({"zarr_format": 2}));
    for (name, (m, values)) in
        [("head_1", array([1; 4])), ("head_2", array([2; 4])), ("sub/other", array([3; 4]))]
    {
        store.json(&format!("{name}/.zarray"), &m).put(&format!("{name}/0.0"), values);
    }
    let e = store.error(&Figure::default());
    assert_eq!((e.kind, e.what.as_str()), (ErrorKind::Usage, "holds 3 arrays: choose one"));
    assert!(e.hint.unwrap().starts_with("--key 'head_1'  (2 x 2 uint8, chunks 2 x 2); --key 'head_2'"));
    for name in ["sub/other", "/sub/other/", "sub"] {
        assert_eq!(cells(&store.open(&key(name)).unwrap().grids[0])[0][0], 3.0, "{name}");
    }
    let heads = store.open(&key("head_*")).unwrap().grids;
    let named: Vec<_> = heads.iter().map(|g| (g.name(), cells(g)[1][1])).collect();
    assert_eq!(named, [("head_1", 1.0), ("head_2", 2.0)]);
    for name in ["..", "../s.zarr", "nothing", "sub/nothing", "x*", "sub//other", "/"] {
        let kind = store.open(&key(name)).map(|_| ()).map_err(|e| e.kind);
        assert_eq!(kind, Err(ErrorKind::Usage), "{name}");
    }
}

#[test]
fn coordinates_name_and_turn_the_axes() {
    let store = Store::new();
    let names = json!({"_ARRAY_DIMENSIONS": ["lat", "lon"]});
    store.json(".zgroup", &json!({"zarr_format": 2}));
    store
        .json("t/.zarray", &v2(&[2, 3], &[2, 3], "|u1", json!(0)))
        .json("t/.zattrs", &names)
        .put("t/0.0", [1, 2, 3, 4, 5, 6]);
    store.json("lat/.zarray", &v2(&[2], &[2], "|u1", json!(0))).put("lat/0", [50, 40]);
    store.json("lon/.zarray", &v2(&[3], &[3], "<i2", Value::Null)).put("lon/0", [10, 0, 20, 0, 30, 0]);
    let grid = store.grid();
    assert_eq!(
        (grid.rows().name.as_str(), grid.rows().label(0), grid.rows().center(1)),
        ("lat", "40".to_owned(), Some(50.0))
    );
    assert_eq!((grid.columns().name.as_str(), grid.columns().label(2)), ("lon", "30".to_owned()));
    // Latitudes fall in the store, so that its last row comes first.
    assert_eq!(cells(&grid), [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]);
    // Titles are the long names and units, but for units of times.
    let words = json!({"long_name": "longitude", "units": "degrees_east"});
    store.json("lon/.zattrs", &words).json("lat/.zattrs", &json!({"units": "days since 2000-01-01"}));
    let titled = store.grid();
    assert_eq!((titled.said("lon"), titled.said("lat")), ("longitude (degrees_east)".into(), "lat".into()));
    store.json("lat/.zattrs", &json!({}));
    // Values that neither rise nor fall are none.
    store.put("lon/0", [10, 0, 20, 0, 15, 0]);
    assert_eq!((store.grid().columns().name.as_str(), store.grid().columns().center(0)), ("lon", None));
}

#[test]
fn the_finest_level_of_a_picture_is_drawn() {
    let store = Store::new();
    let sets = json!([{"datasets": [{"path": "s0"}, {"path": "s1"}]}]);
    store.json(
        "zarr.json",
        &json!({"zarr_format": 3, "node_type": "group", "attributes": {"ome": {"multiscales": sets}}}),
    );
    for (name, n) in [("s0", 4), ("s1", 2)] {
        store.json(&format!("{name}/zarr.json"), &v3(&[n, n], &[n, n], "uint8", json!(n), json!(["bytes"])));
    }
    let loaded = store.open(&Figure::default()).unwrap();
    assert_eq!((loaded.grids[0].height(), cells(&loaded.grids[0])[3][3]), (4, 4.0));
    assert!(
        loaded
            .summary
            .contains("Zarr v3 array s0 of 4 x 4 uint8, chunks 4 x 4, the finest of 2 levels (not used: s1)"),
        "{}",
        loaded.summary
    );
    assert_eq!(store.open(&key("s1")).unwrap().grids[0].height(), 2);
}

#[test]
fn many_dimensions_are_sliced_or_made_panels() {
    let store = Store::new();
    let m = with(
        v3(&[2, 3, 4], &[1, 2, 4], "uint8", json!(0), json!(["bytes"])),
        "dimension_names",
        json!(["time", "y", "x"]),
    );
    store.json("zarr.json", &m);
    for t in 0..2u8 {
        for y in 0..2u8 {
            store.put(&format!("c/{t}/{y}/0"), (0..8).map(|i| t * 12 + y * 8 + i).collect::<Vec<u8>>());
        }
    }
    assert_eq!(store.error(&Figure::default()).kind, ErrorKind::Usage);
    let mut figure = Figure::default();
    figure.data.panel = Some("axis:0".into());
    let grids = store.open(&figure).unwrap().grids;
    assert_eq!(grids.iter().map(gridscope::Grid::name).collect::<Vec<_>>(), ["time = 0", "time = 1"]);
    assert_eq!(cells(&grids[1])[2], [20.0, 21.0, 22.0, 23.0]);
    let mut figure = Figure::default();
    figure.data.slice = Some(List(vec!["2=3".to_owned()]));
    assert_eq!(cells(&store.open(&figure).unwrap().grids[0]), [[3.0, 7.0, 11.0], [15.0, 19.0, 23.0]]);
}

#[test]
fn a_store_is_known_by_names_lengths_and_metadata() {
    let store = Store::new();
    store.json(".zarray", &v2(&[2, 2], &[2, 2], "|u1", json!(0))).put("0.0", [1, 2, 3, 4]);
    let print = || store.open(&Figure::default()).unwrap().inputs.remove(0);
    let first = print();
    assert_eq!((first.name.as_str(), first.sampled, first.clone()), ("s.zarr", true, print()));
    store.json(".zarray", &v2(&[2, 2], &[2, 2], "|i1", json!(0)));
    assert_ne!(print().sha256, first.sha256);
}
