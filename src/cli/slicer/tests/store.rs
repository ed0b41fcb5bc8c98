//! Slices of a Zarr store.

use super::*;

/// Writes a Zarr store whose array of 6 x 8 x 10 is in chunks of 2 x 4 x 5; its first axis is `time`.
fn write_zarr(folder: &Path) {
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let array = |shape: &str, chunks: &str| {
        format!(
            r#"{{"zarr_format": 2, "shape": {shape}, "chunks": {chunks}, "dtype": "<f8", "compressor": null,
                "fill_value": null, "order": "C", "filters": null}}"#
        )
    };
    put(".zgroup", br#"{"zarr_format": 2}"#);
    put("v/.zarray", array("[6, 8, 10]", "[2, 4, 5]").as_bytes());
    put("v/.zattrs", br#"{"_ARRAY_DIMENSIONS": ["time", "y", "x"]}"#);
    put("time/.zarray", array("[6]", "[6]").as_bytes());
    put("time/.zattrs", br#"{"_ARRAY_DIMENSIONS": ["time"]}"#);
    let times: Vec<u8> = (0..6).flat_map(|i| (f64::from(i) * 2.5).to_le_bytes()).collect();
    put("time/0", &times);
    for (a, b, c) in (0..3).flat_map(|a| (0..2).flat_map(move |b| (0..2).map(move |c| (a, b, c)))) {
        let flat = |i: usize, r: usize, col: usize| ((2 * a + i) * 8 + 4 * b + r) * 10 + 5 * c + col;
        let cells = (0..40).flat_map(|k| element("<f8", flat(k / 20, k / 5 % 4, k % 5)).0);
        put(&format!("v/{a}.{b}.{c}"), &cells.collect::<Vec<u8>>());
    }
}

#[test]
fn slices_of_a_store_have_coordinates_and_read_their_chunks_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.zarr");
    write_zarr(&path);
    // Of the last chunks along the axis none is there while others are shown.
    let last = ["v/2.0.0", "v/2.0.1", "v/2.1.0", "v/2.1.1"].map(|name| path.join(name));
    let held = last.clone().map(|p| std::fs::read(p).unwrap());
    last.iter().for_each(|p| std::fs::write(p, "damaged").unwrap());
    let figure: Figure = toml::from_str("data.key = 'v'").unwrap();
    let mut front = Front::open(&path, &figure, LIMIT);
    assert_eq!(front.session.slice_text(), "time = 0 (index 0)");
    for index in [3, 0, 1, 2] {
        front.go(&to(0, index));
        let grid = &front.session.geometry().grids[0];
        for (r, c) in (0..8).flat_map(|r| (0..10).map(move |c| (r, c))) {
            let (got, wanted) = (grid.at(r, c).as_f64(), element("<f8", (index * 8 + r) * 10 + c).1);
            assert!(got == wanted || got.is_nan() && wanted.is_nan(), "{index}, {r}, {c}");
        }
        let (shown, drawn, text) = front.both();
        assert!(shown == drawn, "{text}");
    }
    last.iter().zip(held).for_each(|(p, bytes)| std::fs::write(p, bytes).unwrap());
    front.go(&to(0, 5));
    assert_eq!(front.session.slice_text(), "time = 12.5 (index 5)");
}
