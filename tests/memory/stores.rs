//! Zarr stores.

use crate::support::place::Place;
use serde_json::json;

fn array(p: &Place, store: &str, shape: &[u64], chunks: &[u64]) {
    let metadata = json!({"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "<f4", "order": "C", "fill_value": 0,
        "filters": null, "compressor": null});
    p.write(format!("{store}/.zarray"), metadata.to_string());
}

#[test]
fn metadata_and_chunks_without_end() {
    let p = Place::empty();
    array(&p, "m.zarr", &[10, 10], &[10, 10]);
    p.fits(&[0], 20, "info m.zarr", "10 rows x 10 columns");
    p.write("m.zarr/.zattrs", format!("{{\"x\": [{}1]}}", "1,".repeat(2_000_000))).fits(
        &[7],
        20,
        "info m.zarr",
        "metadata",
    );
    array(&p, "c.zarr", &[6000, 2000], &[2000, 2000]);
    p.fits(&[7], 20, "info c.zarr", "over the limit");
    let chunk = vec![0u8; 16_000_000];
    for i in 0..3 {
        p.write(format!("c.zarr/{i}.0"), &chunk);
    }
    p.fits(&[0], 80, "info c.zarr", "6000 rows x 2000 columns");
}

#[test]
fn arrays_share_one_budget() {
    let p = Place::empty();
    let chunk = vec![0u8; 4_000_000];
    for i in 0..6 {
        array(&p, &format!("g.zarr/a{i}"), &[1000, 4000], &[1000, 1000]);
        for c in 0..4 {
            p.write(format!("g.zarr/a{i}/0.{c}"), &chunk);
        }
    }
    p.write("g.zarr/.zgroup", "{\"zarr_format\": 2}");
    p.fits(&[0], 60, "info g.zarr --key a3", "1000 rows x 4000 columns");
    p.fits(&[0, 7], 60, "info g.zarr --key a*", "");
    p.fits(&[7], 20, "info g.zarr --key a* --mask upper", "limit");
}
