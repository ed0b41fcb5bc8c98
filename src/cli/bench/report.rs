//! The report of a run: a line for each case, and JSON.

use super::input::Shape;
use super::measure::Measured;
use super::renderer::{System, processor};
use super::{Case, RunSettings};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::cores;
use gridscope_draw::report::versioned;
use serde_json::{Value, json};

/// Bytes of a cell in memory.
const CELL_BYTES: f64 = 4.0;

/// The results of a run.
pub(super) struct Report {
    pub system: System,
    pub settings: RunSettings,
    /// Each grid, and the ms that it took to copy it to a device, if it was.
    pub grids: Vec<(Shape, Option<f64>)>,
    pub cases: Vec<(Case, Measured)>,
    /// The most memory that the run used, in MiB.
    pub peak_rss_mb: f64,
}

impl Report {
    /// A report without results.
    pub(super) fn new(system: System, settings: RunSettings) -> Self {
        Self { system, settings, grids: Vec::new(), cases: Vec::new(), peak_rss_mb: 0.0 }
    }

    /// The back end, then a line for each case.
    pub(super) fn text(&self) -> String {
        let line = |(case, m): &(Case, Measured)| {
            let t = &m.times;
            format!(
                "{}: median {:.3} ms, p95 {:.3}, p99 {:.3}, min {:.3}\n",
                case.name(),
                t.median,
                t.p95,
                t.p99,
                t.min
            )
        };
        let lines: String = self.cases.iter().map(line).collect();
        format!("{}: {}\n{lines}", self.system.backend, self.system.adapter)
    }

    /// The medians of the views of a file as a line of JSON; `None` for the standard views.
    pub(super) fn frame_line(&self) -> Option<String> {
        Some(format!("{}\n", json!({"frame_ms": self.frame_ms()?})))
    }

    fn frame_ms(&self) -> Option<Vec<f64>> {
        self.settings.views.as_ref()?;
        Some(self.cases.first()?.1.frame_ms.iter().map(|ms| rounded(*ms)).collect())
    }

    /// The report as JSON.
    pub(super) fn json(&self) -> Value {
        let s = &self.system;
        let grid = |(g, ms): &(Shape, Option<f64>)| {
            let bytes = g.rows as f64 * g.columns as f64 * CELL_BYTES;
            let rate = ms.map(|ms| bytes / ms * 1e3);
            let of_pinned = rate.zip(s.pinned_bytes_per_s).map(|(rate, most)| rate / most);
            json!({
                "name": g.name, "rows": g.rows, "columns": g.columns, "upload_ms": ms.map(rounded),
                "upload_bytes_per_s": rate, "upload_of_pinned": of_pinned,
            })
        };
        let mut out = versioned([
            // By this `benches/report.py` recognises a report.
            ("report", json!("gridscope bench")),
            (
                "backend",
                json!({
                    "name": s.backend, "adapter": s.adapter, "driver": s.driver, "api": s.api, "software": s.software, "work": s.work,
                    "copy_bytes_per_s": s.copy_bytes_per_s, "pinned_bytes_per_s": s.pinned_bytes_per_s,
                }),
            ),
            (
                "machine",
                json!({"cores": cores(), "processor": processor(), "os": std::env::consts::OS, "arch": std::env::consts::ARCH}),
            ),
            ("runs", json!(self.settings.runs)),
            ("warmup", json!(self.settings.warmup)),
            ("grids", self.grids.iter().map(grid).collect()),
            ("cases", self.cases.iter().map(|(c, m)| self.case_json(c, m)).collect()),
            ("peak_rss_mb", json!(self.peak_rss_mb)),
        ]);
        if let Some(map) = out.as_object_mut() {
            map.extend(self.frame_ms().map(|list| ("frame_ms".to_owned(), json!(list))));
        }
        out
    }

    fn case_json(&self, case: &Case, m: &Measured) -> Value {
        let (g, t, PxSize { w, h }) = (&case.grid, &m.times, case.settings.size);
        let per_s = 1e3 / t.median;
        let (cells_per_s, pixels_per_s) = (m.cells * per_s, f64::from(w) * f64::from(h) * per_s);
        let bytes_per_s = cells_per_s * CELL_BYTES;
        let copy = self.system.copy_bytes_per_s;
        let clock = |name: &str| m.phases.iter().find(|(n, _)| *n == name).map(|(_, ms)| *ms);
        let fold = clock("fold by device clock").filter(|ms| *ms > 0.0);
        let device_ms = clock("draw by device clock").map(|draw| draw + fold.unwrap_or(0.0));
        let fold_of_copy = fold.zip(copy).map(|(ms, copy)| m.cells * CELL_BYTES / ms * 1e3 / copy);
        let phases: serde_json::Map<String, Value> =
            m.phases.iter().map(|(n, ms)| ((*n).to_owned(), json!(rounded(*ms)))).collect();
        let check = m
            .check
            .map(|c| json!({"pixels": c.pixels, "apart": c.apart, "passes": c.passes(case.settings.reduce)}));
        let per_frame = |n: u64| n as f64 / m.frames.max(1) as f64;
        let (folds, read_back) =
            (m.device.map(|d| per_frame(d.folds)), m.device.map(|d| per_frame(d.read_back)));
        json!({
            "name": case.name(), "grid": g.name, "rows": g.rows, "columns": g.columns, "view": case.view,
            "reduce": case.settings.reduce.word(), "work": m.work, "width": w, "height": h, "frames": m.frames,
            "median_ms": t.median, "p95_ms": t.p95, "p99_ms": t.p99, "min_ms": t.min, "cells": m.cells,
            "cells_per_s": cells_per_s, "pixels_per_s": pixels_per_s, "bytes_per_s": bytes_per_s,
            "of_copy": copy.map(|copy| bytes_per_s / copy),
            "presentable_ms": rounded(m.presentable_ms), "device_ms": device_ms, "fold_of_copy": fold_of_copy, "check": check,
            "folds": folds, "read_back_bytes": read_back, "longest_submission_ms": m.device.map(|d| rounded(d.longest_ms)),
            "phases_ms": phases, "sha256": m.sha256,
        })
    }
}

/// Milliseconds rounded to a tenth of a microsecond; the rest is noise.
fn rounded(ms: f64) -> f64 {
    (ms * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::super::measure::{CaseSettings, Spread};
    use super::super::renderer::DeviceCounts;
    use super::super::views::View;
    use super::*;
    use gridscope_core::figure::Reduce;

    fn report(views: bool) -> Report {
        let view = View { x0: 0.0, x1: 2000.0, y0: 0.0, y1: 1000.0 };
        let grid = Shape { name: "a.npy".to_owned(), rows: 1000, columns: 2000 };
        let of_case = CaseSettings {
            size: PxSize { w: 500, h: 200 },
            reduce: Reduce::Mean,
            rounds: 1,
            warmup: 0,
            labels: None,
            check: false,
        };
        let case =
            Case { grid: grid.clone(), view: "whole".to_owned(), views: vec![view], settings: of_case };
        let m = Measured {
            times: Spread::of(&[2.0]),
            frames: 1,
            cells: 2e6,
            presentable_ms: 1.75,
            check: None,
            phases: vec![
                ("fold", 1.5),
                ("draw", 0.25),
                ("fold by device clock", 1.0),
                ("draw by device clock", 0.125),
            ],
            frame_ms: vec![2.000_04],
            work: "device",
            device: Some(DeviceCounts { folds: 3, read_back: 500, longest_ms: 0.75 }),
            sha256: "00".to_owned(),
        };
        let system = System {
            backend: "gpu",
            adapter: "Card".to_owned(),
            driver: "d 1".to_owned(),
            api: "vulkan".to_owned(),
            software: false,
            work: "auto",
            copy_bytes_per_s: Some(16e9),
            pinned_bytes_per_s: Some(8e9),
        };
        let views = views.then(|| ("v.json".to_owned(), vec![view]));
        let settings = RunSettings {
            sizes: vec![of_case.size],
            reduces: vec![Reduce::Mean],
            views,
            chosen: Vec::new(),
            labels: None,
            check: false,
            streams: false,
            runs: 1,
            warmup: 0,
        };
        let mut report = Report::new(system, settings);
        report.grids.push((grid, Some(3.0)));
        report.cases.push((case, m));
        report
    }

    #[test]
    fn rates_follow_from_the_median() {
        let v = report(false).json();
        let c = &v["cases"][0];
        assert_eq!(
            (&c["cells_per_s"], &c["pixels_per_s"], &c["bytes_per_s"]),
            (&json!(1e9), &json!(5e7), &json!(4e9))
        );
        assert_eq!(
            (&c["of_copy"], &c["name"], &c["work"], &v["backend"]["work"]),
            (&json!(0.25), &json!("a.npy 1000x2000 whole mean 500x200"), &json!("device"), &json!("auto"))
        );
        // 8 MB in 1 ms of fold and in 3 ms of upload.
        assert_eq!(
            (&c["fold_of_copy"], &c["device_ms"], &c["presentable_ms"], &c["check"]),
            (&json!(0.5), &json!(1.125), &json!(1.75), &Value::Null)
        );
        // One frame.
        assert_eq!(
            (&c["folds"], &c["read_back_bytes"], &c["longest_submission_ms"]),
            (&json!(3.0), &json!(500.0), &json!(0.75))
        );
        let upload = v["grids"][0]["upload_of_pinned"].as_f64().unwrap();
        assert!((upload - 8e6 / 3e-3 / 8e9).abs() < 1e-12, "{upload}");
        assert_eq!(
            (&v["grids"][0]["upload_ms"], &c["phases_ms"]["fold"], v.get("frame_ms")),
            (&json!(3.0), &json!(1.5), None)
        );
    }

    #[test]
    fn a_line_names_the_case_and_its_times() {
        assert_eq!(
            report(false).text(),
            "gpu: Card\na.npy 1000x2000 whole mean 500x200: median 2.000 ms, p95 2.000, p99 2.000, min 2.000\n"
        );
    }

    #[test]
    fn views_of_a_file_add_a_line_of_frame_times() {
        assert_eq!(report(true).frame_line().as_deref(), Some("{\"frame_ms\":[2.0]}\n"));
        assert_eq!(
            (report(false).frame_line(), report(true).json()["frame_ms"].to_string()),
            (None, "[2.0]".to_owned())
        );
    }
}
