//! The report of a run as JSON.

use super::compare::REPORT;
use super::input::Shape;
use super::measure::Measured;
use super::plan::Case;
use super::renderer::processor;
use super::report::{CELL_BYTES, Report};
use gridscope_core::grid::cores;
use gridscope_draw::report::versioned;
use serde_json::{Value, json};

impl Report {
    /// The medians of the views of a file as a line of JSON; `None` for the standard views.
    pub(super) fn frame_line(&self) -> Option<String> {
        Some(format!("{}\n", json!({"frame_ms": self.frame_ms()?})))
    }

    fn frame_ms(&self) -> Option<Vec<f64>> {
        self.settings.views.as_ref()?;
        Some(
            self.cases
                .first()?
                .1
                .frame_ms
                .iter()
                .map(|ms| rounded(*ms))
                .collect(),
        )
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
            ("report", json!(REPORT)),
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
            (
                "cases",
                self.cases.iter().map(|(c, m)| self.case_json(c, m)).collect(),
            ),
            ("peak_rss_mb", json!(self.peak_rss_mb)),
        ]);
        if let Some(map) = out.as_object_mut() {
            map.extend(self.comparison.as_ref().map(|c| ("compare".to_owned(), c.json())));
            map.extend(self.frame_ms().map(|list| ("frame_ms".to_owned(), json!(list))));
        }
        out
    }

    fn case_json(&self, case: &Case, m: &Measured) -> Value {
        let (g, t, r) = (&case.grid, &m.times, self.rates(case, m));
        let phases: serde_json::Map<String, Value> = m
            .phases
            .iter()
            .map(|(n, ms)| ((*n).to_owned(), json!(rounded(*ms))))
            .collect();
        let check = m
            .check
            .map(|c| json!({"pixels": c.pixels, "apart": c.apart, "passes": c.passes(case.settings.reduce)}));
        let per_frame = |n: u64| n as f64 / m.frames.max(1) as f64;
        let (folds, read_back) = (
            m.device.map(|d| per_frame(d.folds)),
            m.device.map(|d| per_frame(d.read_back)),
        );
        json!({
            "name": case.name(), "grid": g.name, "rows": g.rows, "columns": g.columns, "view": case.view,
            "reduce": case.settings.reduce.word(), "work": m.work, "width": case.settings.size.w, "height": case.settings.size.h, "frames": m.frames,
            "median_ms": t.median, "p95_ms": t.p95, "p99_ms": t.p99, "min_ms": t.min, "cells": m.cells,
            "cells_per_s": r.cells, "pixels_per_s": r.pixels, "bytes_per_s": r.bytes, "of_copy": r.of_copy,
            "presentable_ms": rounded(m.presentable_ms), "device_ms": r.device_ms, "fold_of_copy": r.fold_of_copy, "check": check,
            "folds": folds, "read_back_bytes": read_back, "longest_submission_ms": m.device.map(|d| rounded(d.longest_ms)),
            "phases_ms": phases, "sha256": m.sha256,
        })
    }
}

/// Milliseconds rounded to a tenth of a microsecond; the rest is noise.
fn rounded(ms: f64) -> f64 {
    (ms * 1e4).round() / 1e4
}
