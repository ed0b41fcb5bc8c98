//! The report of `view --json`.

use gridscope_draw::report;
use gridscope_window::Frames;
use serde_json::{Value, json};

/// The report of `--json`: times of frames in milliseconds.
pub(super) fn frame_report(frames: &Frames) -> Value {
    let round = |ms: f64| (ms * 1000.0).round() / 1000.0;
    let [median, p95, max] =
        frames.spread().map_or([Value::Null, Value::Null, Value::Null], |s| s.map(|ms| json!(round(ms))));
    let list: Vec<f64> = frames.times.iter().copied().map(round).collect();
    report::versioned([
        ("adapter", json!(frames.adapter)),
        ("work", json!(frames.worker.word())),
        ("size", json!({"width": frames.size.w, "height": frames.size.h})),
        ("frames", json!(frames.times.len())),
        ("frame_ms", json!({"median": median, "p95": p95, "max": max, "list": list})),
        ("device", json!({"folds": frames.counts.folds, "read_back_bytes": frames.counts.read_back})),
        ("errors", json!(frames.errors)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::geom::PxSize;
    use gridscope_gpu::Worker;

    #[test]
    fn the_report_names_times_and_errors() {
        let times = vec![2.0, 4.0, 3.0];
        let frames = Frames {
            adapter: "a".to_owned(),
            worker: Worker::Cpu,
            size: PxSize { w: 3, h: 2 },
            times,
            errors: vec!["lost".to_owned()],
            ..Frames::default()
        };
        let value = frame_report(&frames);
        assert_eq!(
            (&value["frames"], &value["size"]["width"], &value["errors"][0]),
            (&json!(3), &json!(3), &json!("lost"))
        );
        assert_eq!(value["device"], json!({"folds": 0, "read_back_bytes": 0}));
        assert_eq!(value["work"], "cpu");
        assert_eq!(
            value["frame_ms"],
            json!({"median": 3.0, "p95": 3.9, "max": 4.0, "list": [2.0, 4.0, 3.0]})
        );
        assert_eq!(frame_report(&Frames::default())["frame_ms"]["median"], Value::Null);
    }
}
