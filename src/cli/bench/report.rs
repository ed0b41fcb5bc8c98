//! The report of a run as text and as Markdown.

use super::compare::Comparison;
use super::input::Shape;
use super::measure::Measured;
use super::plan::{Case, RunSettings};
use super::renderer::{System, processor};
use super::table::{Table, three};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::cores;

/// Bytes of a cell in memory.
pub(super) const CELL_BYTES: f64 = 4.0;

/// The results of a run.
pub(super) struct Report {
    pub system: System,
    pub settings: RunSettings,
    /// Each grid, and the ms that it took to copy it to a device, if it was.
    pub grids: Vec<(Shape, Option<f64>)>,
    pub cases: Vec<(Case, Measured)>,
    pub comparison: Option<Comparison>,
    /// The most memory that the run used, in MiB.
    pub peak_rss_mb: f64,
}

/// The rates of a case per second, from its median.
pub(super) struct Rates {
    /// Milliseconds by the device's clock, folds and drawing.
    pub device_ms: Option<f64>,
    /// Bytes of cells folded, by the device's clock, divided by those that a copy reads and writes.
    pub fold_of_copy: Option<f64>,
    pub cells: f64,
    pub pixels: f64,
    pub bytes: f64,
    /// `bytes` divided by those that a copy reads and writes.
    pub of_copy: Option<f64>,
}

impl Report {
    /// A report without results.
    pub(super) fn new(system: System, settings: RunSettings) -> Self {
        Self {
            system,
            settings,
            grids: Vec::new(),
            cases: Vec::new(),
            comparison: None,
            peak_rss_mb: 0.0,
        }
    }

    /// The medians in ms by case.
    pub(super) fn medians(&self) -> Vec<(String, f64)> {
        self.cases
            .iter()
            .map(|(c, m)| (c.name(), m.times.median))
            .collect()
    }

    pub(super) fn rates(&self, case: &Case, m: &Measured) -> Rates {
        let second = 1e3 / m.times.median;
        let PxSize { w, h } = case.settings.size;
        let (cells, pixels) = (m.cells * second, f64::from(w) * f64::from(h) * second);
        let bytes = cells * CELL_BYTES;
        let clock = |name: &str| m.phases.iter().find(|(n, _)| *n == name).map(|(_, ms)| *ms);
        let fold = clock("fold by device clock").filter(|ms| *ms > 0.0);
        let copy = self.system.copy_bytes_per_s;
        Rates {
            device_ms: clock("draw by device clock").map(|draw| draw + fold.unwrap_or(0.0)),
            fold_of_copy: fold
                .zip(copy)
                .map(|(ms, copy)| m.cells * CELL_BYTES / ms * 1e3 / copy),
            cells,
            pixels,
            bytes,
            of_copy: self.system.copy_bytes_per_s.map(|copy| bytes / copy),
        }
    }

    /// The lines above the tables: program, machine, settings.
    fn head(&self) -> Vec<String> {
        let (s, set) = (&self.system, &self.settings);
        let driver: Vec<&str> = [s.api.as_str(), s.driver.as_str()]
            .into_iter()
            .filter(|t| !t.is_empty())
            .collect();
        let driver = if driver.is_empty() {
            String::new()
        } else {
            format!(" ({})", driver.join(", "))
        };
        let drawn = if s.backend == "gpu" && s.software {
            ", a software device"
        } else {
            ""
        };
        let copy = s
            .copy_bytes_per_s
            .map_or("a copy was not measured".to_owned(), |c| {
                format!("a copy moves {} GB/s", three(c / 1e9))
            });
        let mut lines = vec![
            format!(
                "gridscope {}, {}: {}{driver}{drawn}; folded and painted by the {}",
                env!("CARGO_PKG_VERSION"),
                s.backend,
                s.adapter,
                self.workers().join(" or the ")
            ),
            format!(
                "{} cores, {}, {}-{}; {copy}",
                cores(),
                processor(),
                std::env::consts::OS,
                std::env::consts::ARCH
            ),
            format!("runs: {}; warm-up frames of each case: {}", set.runs, set.warmup),
        ];
        let ready = |(g, ms): &(Shape, Option<f64>)| {
            let ms = three((*ms)?);
            Some(format!(
                "{} {}x{}: on the device in {ms} ms",
                g.name, g.rows, g.columns
            ))
        };
        lines.extend(self.grids.iter().filter_map(ready));
        lines
    }

    /// Who folded and painted, `cpu` in capitals as texts have it.
    fn workers(&self) -> Vec<&'static str> {
        let mut out = Vec::new();
        for (_, m) in &self.cases {
            let name = if m.work == "cpu" { "CPU" } else { m.work };
            if !out.contains(&name) {
                out.push(name);
            }
        }
        out
    }

    /// The table of times and the table of phases.
    fn tables(&self) -> [Table; 2] {
        let words = ["grid", "cells", "view", "reduce", "picture"];
        let numbers = [
            "median ms",
            "p95",
            "p99",
            "min",
            "Gcells/s",
            "Mpx/s",
            "GB/s",
            "of copy",
        ];
        let mut names: Vec<&'static str> = Vec::new();
        for (name, _) in self.cases.iter().flat_map(|(_, m)| &m.phases) {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let mut times = Table::new(&[&words[..], &numbers[..]].concat(), words.len());
        let mut phases = Table::new(&[&words[..], &names[..]].concat(), words.len());
        for (case, m) in &self.cases {
            let (g, PxSize { w, h }) = (&case.grid, case.settings.size);
            let id = [
                g.name.clone(),
                format!("{}x{}", g.rows, g.columns),
                case.view.clone(),
                case.settings.reduce.word().to_owned(),
                format!("{w}x{h}"),
            ];
            let (t, r) = (&m.times, self.rates(case, m));
            let share = r
                .of_copy
                .map_or("-".to_owned(), |s| format!("{} %", three(s * 100.0)));
            let numbers = [
                t.median,
                t.p95,
                t.p99,
                t.min,
                r.cells / 1e9,
                r.pixels / 1e6,
                r.bytes / 1e9,
            ]
            .map(three);
            times.push([&id[..], &numbers[..], &[share]].concat());
            let of = |name: &&str| {
                m.phases
                    .iter()
                    .find(|(n, _)| n == name)
                    .map_or("-".to_owned(), |(_, ms)| three(*ms))
            };
            phases.push([&id[..], &names.iter().map(of).collect::<Vec<_>>()[..]].concat());
        }
        [times, phases]
    }

    /// The report as Markdown or in aligned columns.
    pub(super) fn text(&self, markdown: bool) -> String {
        let [times, phases] = self.tables();
        let table = |t: &Table| if markdown { t.markdown() } else { t.aligned() };
        let bullet = if markdown { "- " } else { "" };
        let mut out: String = self
            .head()
            .iter()
            .map(|line| format!("{bullet}{line}\n"))
            .collect();
        out += &format!(
            "\n{}\nMedian ms of each phase:\n\n{}",
            table(&times),
            table(&phases)
        );
        if let Some(c) = &self.comparison {
            out += &format!(
                "\nAgainst {}, tolerance {} %:\n\n{}",
                c.file,
                three(c.tolerance * 100.0),
                table(&c.table())
            );
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::CaseSettings;
    use super::super::renderer::DeviceCounts;
    use super::super::statistics::Spread;
    use super::super::views::View;
    use super::*;
    use gridscope_core::figure::Reduce;
    use serde_json::{Value, json};

    fn report(views: bool) -> Report {
        let view = View {
            x0: 0.0,
            x1: 2000.0,
            y0: 0.0,
            y1: 1000.0,
        };
        let grid = Shape {
            name: "a.npy".to_owned(),
            rows: 1000,
            columns: 2000,
        };
        let of_case = CaseSettings {
            size: PxSize { w: 500, h: 200 },
            reduce: Reduce::Mean,
            rounds: 1,
            warmup: 0,
            labels: None,
            check: false,
        };
        let case = Case {
            grid: grid.clone(),
            view: "whole".to_owned(),
            views: vec![view],
            settings: of_case,
        };
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
            device: Some(DeviceCounts {
                folds: 3,
                read_back: 500,
                longest_ms: 0.75,
            }),
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
            (
                &json!(0.25),
                &json!("a.npy 1000x2000 whole mean 500x200"),
                &json!("device"),
                &json!("auto")
            )
        );
        // 8 MB in 1 ms of fold and in 3 ms of upload.
        assert_eq!(
            (
                &c["fold_of_copy"],
                &c["device_ms"],
                &c["presentable_ms"],
                &c["check"]
            ),
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
            (
                &v["grids"][0]["upload_ms"],
                &c["phases_ms"]["fold"],
                v.get("frame_ms")
            ),
            (&json!(3.0), &json!(1.5), None)
        );
    }

    #[test]
    fn tables_name_the_case_and_its_phases() {
        let text = report(false).text(false);
        assert!(text.starts_with(&format!(
            "gridscope {}, gpu: Card (vulkan, d 1); folded and painted by the device\n",
            env!("CARGO_PKG_VERSION")
        )));
        assert!(
            text.contains("a.npy  1000x2000  whole  mean    500x200       2.00  2.00  2.00  2.00      1.00   50.0  4.00   25.0 %\n"),
            "{text}"
        );
        assert!(
            text.contains("a.npy  1000x2000  whole  mean    500x200  1.50  0.250                  1.00                 0.125\n"),
            "{text}"
        );
        let markdown = report(false).text(true);
        assert!(
            markdown
                .contains("| a.npy | 1000x2000 | whole | mean | 500x200 | 1.50 | 0.250 | 1.00 | 0.125 |\n"),
            "{markdown}"
        );
    }

    #[test]
    fn views_of_a_file_add_a_line_of_frame_times() {
        assert_eq!(
            report(true).frame_line().as_deref(),
            Some("{\"frame_ms\":[2.0]}\n")
        );
        assert_eq!(
            (
                report(false).frame_line(),
                report(true).json()["frame_ms"].to_string()
            ),
            (None, "[2.0]".to_owned())
        );
    }
}
