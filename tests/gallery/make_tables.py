"""Writes the tables of the gallery into the folder `tables`; run again, it writes the same bytes. Needs numpy.

The numbers are invented; shapes, column names and labels are those of results that people have.
"""

import csv
import datetime
import itertools
import json
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "tables"


def rng(name):
    return np.random.default_rng([ord(c) for c in name])


def table(name, header, rows, delimiter=","):
    with open(FOLDER / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        if header:
            writer.writerow(header)
        writer.writerows(rows)


def shuffled(rows, name):
    rows = list(rows)
    rng(name + " order").shuffle(rows)
    return rows


def correlations():
    features = ["age", "tenure", "salary", "bonus", "commute_km", "overtime", "projects", "training", "satisfaction",
                "absences", "rating", "left"]
    r = rng("correlation")
    loadings = r.normal(size=(len(features), 3))
    noise = r.normal(size=(300, len(features)))
    c = np.corrcoef((r.normal(size=(300, 3)) @ loadings.T + 1.2 * noise).T)
    table("correlation_wide.csv", [""] + features, ([f] + list(row) for f, row in zip(features, c.tolist())))
    pairs = [(a, b, round(c[i, j], 4)) for i, a in enumerate(features) for j, b in enumerate(features)]
    table("correlation_tidy.csv", ["feature_a", "feature_b", "pearson_r"], pairs)


def confusions():
    classes = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
    r = rng("confusion")
    counts = np.zeros((10, 10), int)
    for i in range(10):
        wrong = r.dirichlet(np.full(9, 0.35)) * r.integers(8, 32)
        counts[i, [j for j in range(10) if j != i]] = wrong.astype(int)
        counts[i, i] = 100 - counts[i].sum()
    table("confusion_wide.csv", ["actual"] + classes, ([c] + row for c, row in zip(classes, counts.tolist())))
    # As from value_counts: pairs that did not occur have no row.
    seen = [(a, p, counts[i, j]) for i, a in enumerate(classes) for j, p in enumerate(classes) if counts[i, j]]
    table("confusion_counts.csv", ["actual", "predicted", "count"], shuffled(seen, "confusion"))
    short = ["neutral", "happy", "sad", "angry", "surprised"]
    rows = []
    for i in range(400):
        a = r.integers(5)
        p = a if r.random() < 0.72 else (a + 1 + r.integers(2)) % 5
        rows.append((f"clip_{i:04}", short[a], short[p]))
    table("predictions.csv", ["clip", "actual", "predicted"], rows)


MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December"]


def calendars():
    r = rng("calendars")
    season = [0.88, 0.86, 1.0, 0.97, 0.98, 1.12, 1.26, 1.25, 1.07, 0.94, 0.82, 0.93]
    table("flights.csv", ["year", "month", "passengers"],
          [(y, m, round((150 + 27 * (y - 2001)) * s + r.normal(0, 5))) for y in range(2001, 2013)
           for m, s in zip(MONTHS, season)])
    regions = ["North", "Coast", "Highlands", "South", "Islands"]
    rain = [(m[:3], g, round(60 + 40 * np.cos((i + 2 * k) / 6 * np.pi) + r.normal(0, 6), 1))
            for i, m in enumerate(MONTHS) for k, g in enumerate(regions)]
    table("rain_by_month.csv", ["month", "region", "rain_mm"], shuffled(rain, "rain"))
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    trips = []
    for d, day in enumerate(days):
        for h in range(24):
            commute = 900 * (np.exp(-((h - 8) / 1.6) ** 2) + np.exp(-((h - 17.5) / 2.2) ** 2))
            leisure = 650 * np.exp(-((h - 14) / 4.0) ** 2)
            trips.append((day, h, int(30 + (commute if d < 5 else leisure) * r.uniform(0.85, 1.1))))
    table("trips_by_hour.csv", ["weekday", "hour", "trips"], shuffled(trips, "trips"))
    start = datetime.date(2024, 1, 1)
    metrics = ["availability", "cache hits", "orders", "sign-ups", "refunds", "errors"]
    table("daily_metrics.csv", ["date", "metric", "value"],
          [(start + datetime.timedelta(d), m,
            round(0.5 + 0.3 * np.sin(d / 7 * (k + 1)) + r.normal(0, 0.08), 3))
           for d in range(90) for k, m in enumerate(metrics)])
    begin = datetime.datetime(2024, 3, 30, 6)
    table("sensor_hours.csv", ["time", "sensor", "celsius"],
          [((begin + datetime.timedelta(hours=2 * i)).isoformat(sep=" "), f"S{s}",
            round(14 + 5 * np.sin((2 * i - 4) / 12 * np.pi) + s * 0.6 + r.normal(0, 0.4), 2))
           for i in range(48) for s in range(1, 9)])
    products = ["Basic", "Plus", "Team", "Enterprise"]
    table("monthly_revenue.csv", ["month", "product", "revenue_eur"],
          [(f"{2020 + i // 12}-{i % 12 + 1:02}", p, round(12000 * (k + 1) * 1.02 ** i * r.uniform(0.9, 1.1), 2))
           for i in range(48) for k, p in enumerate(products)])
    table("temperature_anomaly.csv", ["year", "month", "anomaly_celsius"],
          [(y, m, round((y - 1950) ** 2 / 6500 * np.sign(y - 1950) + r.normal(0, 0.22), 2))
           for y in range(1900, 2021) for m in range(1, 13)])


def searches():
    r = rng("searches")
    rows = []
    for i, (c, g) in enumerate(itertools.product(np.logspace(-2, 3, 7), np.logspace(-4, 1, 8))):
        score = 0.93 - 0.035 * (np.log10(c) - 1) ** 2 - 0.05 * (np.log10(g) + 2) ** 2 + r.normal(0, 0.006)
        rows.append([i, r.uniform(0.01, 0.4), r.uniform(0.001, 0.01), c, g, "rbf",
                     str({"C": float(c), "gamma": float(g), "kernel": "rbf"}), max(score, 0.31), r.uniform(0.004, 0.02)])
    ranks = np.argsort(np.argsort([-row[7] for row in rows])) + 1
    table("grid_search.csv",
          ["", "mean_fit_time", "std_fit_time", "param_C", "param_gamma", "param_kernel", "params", "mean_test_score",
           "std_test_score", "rank_test_score"],
          [row + [rank] for row, rank in zip(rows, ranks.tolist())])
    table("replicates.csv", ["run", "learning_rate", "batch_size", "seed", "val_accuracy"],
          shuffled([(f"run-{k:03}", lr, b, s, round(0.9 - 0.06 * abs(np.log10(lr) + 3) - b / 9000
                                                  + r.normal(0, 0.01), 4))
                    for k, (lr, b, s) in enumerate(itertools.product(
                        [1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2], [16, 32, 64, 128, 256], [0, 1, 2]))], "replicates"))
    table("mixed_units.csv", ["batch_size", "quantization", "accuracy_percent", "latency_ms"],
          [(b, q, round(71.3 - 1.9 * k + r.normal(0, 0.25), 1), round((18 + 2.4 * b ** 0.8) / (1 + 0.55 * k), 2))
           for b in [1, 2, 4, 8, 16, 32] for k, q in enumerate(["fp16", "int8", "int4"])])
    table("needle.csv", ["context_length", "depth_percent", "recall"],
          [(c, d, round(float(np.clip(1.1 - (c / 128000) * (0.3 + np.sin(d / 100 * np.pi)) * r.uniform(0.4, 0.9),
                                     0, 1)), 3))
           for c in range(8000, 128001, 8000) for d in range(0, 101, 10)])
    # Each data set was tried with its own ratios.
    ratios = {"GSM8K": [0.1, 0.2, 0.3, 0.4, 0.5], "MATH": [0.2, 0.4, 0.6, 0.8], "HumanEval": [0.1, 0.3, 0.5, 0.7, 0.9]}
    table("sweep_by_dataset.csv", ["dataset", "ratio", "window", "pass_at_1"],
          [(d, q, w, round(0.4 + 0.2 * k * q + w / 9000 + r.normal(0, 0.02), 3))
           for k, (d, qs) in enumerate(ratios.items()) for q in qs for w in [500, 1000, 2000, 3000]])
    records = []
    for lr, model, depth in itertools.product([0.0001, 0.0003, 0.001, 0.003], ["mlp", "cnn", "transformer"], [2, 4, 8]):
        records.append({"id": f"{r.integers(1 << 32):08x}", "config": {"lr": lr, "model": model, "depth": depth},
                        "summary": {"val": {"acc": round(0.62 + 0.03 * np.log2(depth) + r.normal(0, 0.03), 4)}}})
    (FOLDER / "runs.jsonl").write_text("".join(json.dumps(x) + "\n" for x in records))
    table("booleans.csv", ["use_cache", "optimizer", "converged"],
          [(str(b), o, str(bool(v))) for b in [True, False]
           for o, v in zip(["sgd", "adam", "lion", "adafactor"], [1, 1, int(b), 0])])


def evaluations():
    r = rng("evaluations")
    models = ["Aspen-7B-Instruct", "Birch-13B", "Cedar-70B-Chat", "Fir-8x7B", "Maple-3B", "Oak-34B", "Pine-1.5B-Math",
              "Willow-9B-it"]
    makers = ["Arbor Labs", "Grove", "Arbor Labs", "Thicket AI", "Grove", "Thicket AI", "Grove", "Meadow"]
    skill = r.uniform(42, 88, size=8)
    tasks = ["MMLU", "GSM8K", "HellaSwag", "ARC-C", "TruthfulQA", "WinoGrande", "HumanEval"]
    rows = [[i + 1, m, o, "apache-2.0" if i % 3 else "other"]
            + [f"{min(s + r.normal(0, 6), 99.1):.1f}%" for _ in tasks]
            for i, (s, m, o) in enumerate(sorted(zip(skill, models, makers), reverse=True))]
    table("leaderboard.csv", ["Rank", "Model", "Organization", "License"] + tasks, rows)
    parts = ["full", "w/o retrieval", "w/o reranker", "w/o query rewriting", "w/o both", "smaller encoder", "frozen encoder"]
    table("ablation.csv", ["run_id", "variant", "NQ", "TriviaQA", "HotpotQA", "2Wiki", "MuSiQue", "avg_latency_s"],
          [(f"a{k:02}", p) + tuple(round(x - 3.1 * k + r.normal(0, 1.2), 1) for x in [47.2, 66.0, 41.5, 36.8, 21.9])
           + (round(1.9 - 0.13 * k, 2),) for k, p in enumerate(parts)])
    twelve = ["arc_challenge", "boolq", "copa", "hellaswag", "lambada", "logiqa", "mathqa", "openbookqa", "piqa", "sciq",
              "triviaqa", "winogrande"]
    sizes = ["70m", "160m", "410m", "1b", "1.4b", "2.8b", "6.9b", "12b"]
    steps = [1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 143000]
    table("tasks_models_steps.csv", ["task", "model", "step", "accuracy"],
          shuffled([(t, f"trunk-{s}", n, round(0.25 + (0.1 + 0.4 * ((k * 5) % 12) / 12) * (j + 1) / 8
                                             * (1 - np.exp(-n / 30000)) + r.normal(0, 0.008), 4))
                    for k, t in enumerate(twelve) for j, s in enumerate(sizes) for n in steps], "steps"))
    table("model_sizes.csv", ["size", "context", "perplexity"],
          shuffled([(s, c, round(34 / (j + 2) ** 0.55 + 900 / c + r.normal(0, 0.1), 2))
                    for j, s in enumerate(sizes) for c in [256, 512, 1024, 2048, 4096]], "sizes"))
    table("nested_methods.csv", ["model", "method", "topic", "accuracy"],
          [(m, q, t, round(55 + 6 * j + 4 * i + 3 * np.sin(3 * k + i) + r.normal(0, 1.5), 1))
           for j, m in enumerate(["Llama-3 8B", "Qwen-2 7B", "Mistral 7B"])
           for i, q in enumerate(["zero-shot", "few-shot", "CoT"])
           for k, t in enumerate(["Algebra", "Biology", "Chemistry", "Geography", "History", "Law", "Medicine",
                                  "Physics"])])
    methods = ["retrieval_augmented_generation_with_reranking", "retrieval_augmented_generation_without_rerank",
               "supervised_finetuning_on_synthetic_examples", "supervised_finetuning_on_annotated_examples",
               "preference_optimization_from_human_feedback", "preference_optimization_from_model_feedback"]
    work = ["multi_document_question_answering_english", "multi_document_question_answering_finnish",
            "long_context_dialogue_summarization_short", "long_context_dialogue_summarization_whole",
            "structured_information_extraction_tables", "structured_information_extraction_emails",
            "commonsense_reasoning_adversarial_subset"]
    table("long_labels.csv", ["training_method", "evaluation_task", "normalized_score"],
          [(m, w, round(r.uniform(0.31, 0.93), 3)) for m in methods for w in work])
    table("cjk.csv", ["模型", "任务", "准确率"],
          [(m, t, round(r.uniform(48, 92), 1)) for m in ["通义千问", "文心一言", "智谱清言", "百川大模型"]
           for t in ["阅读理解", "数学推理", "代码生成", "常识问答", "机器翻译", "摘要"]])
    languages = ["de", "en", "fi", "fr", "hi", "sw", "zh"]
    pairs = [(a, b) for a in languages for b in languages if a != b and r.random() > 0.25]
    table("translation_pairs.csv", ["source", "target", "bleu"], [(a, b, round(r.uniform(9, 44), 1)) for a, b in pairs])
    odd = ["–", "~", ">", "+", "4", "m", "u", "a/b", "x:y", "…"]
    table("odd_labels.csv", ["type", "length", "share"],
          [(o, n, round(r.beta(2, 5), 3)) for o in odd for n in range(5, 17)])
    asked = ["How often does the assistant refuse a harmless request?", "How often does the assistant follow a harmful request?",
             "Does the answer cite a source that exists?", "Does the answer cite a source that supports the statement?"]
    table("long_panel_names.csv", ["question", "model", "language", "share_of_answers_judged_acceptable_by_two_annotators"],
          [(q, m, g, round(r.uniform(0.2, 0.98), 3)) for q in asked for m in models[:5] for g in ["en", "de", "fi", "zh"]])
    table("subjects_65.csv", ["subject", "channel", "band", "power"],
          [(f"sub-{s:02}", c, b, round(float(r.gamma(2 + j, 1.0)), 1)) for s in range(1, 66)
           for c in ["Fz", "Cz", "Pz", "Oz"] for j, b in enumerate(["delta", "theta", "alpha", "beta", "gamma"])])


def fields():
    r = rng("fields")
    lon, lat = np.arange(-177.5, 180, 10), np.arange(-87.5, 90, 7)
    field = 28 * np.cos(np.radians(lat))[:, None] ** 1.4 - 8 + 4 * np.sin(np.radians(2 * lon))[None, :]
    field = np.round(field + r.normal(0, 0.6, field.shape), 1)
    table("temperature_map.csv", ["lat", "lon", "temperature"],
          [(a, o, field[i, j]) for i, a in enumerate(lat) for j, o in enumerate(lon)])
    np.savez(FOLDER / "temperature_field.npz", temperature=field.astype(np.float32), lat=lat, lon=lon)
    n = np.arange(20)
    scores = -0.35 * np.abs(n[:, None] - n[None, :]) + r.normal(0, 1.1, (6, 20, 20))
    scores[:, n[:, None] < n[None, :]] = -np.inf
    attention = np.exp(scores)
    attention /= attention.sum(axis=2, keepdims=True)
    np.save(FOLDER / "attention_heads.npy", attention.astype(np.float32))
    table("matrix.csv", None, np.round(attention[0], 4).tolist())
    table("gradient_norms.csv", ["step", "layer", "grad_norm"],
          [(s, k, round(float(3 * np.exp(-s / 2500) * (0.4 + k / 24) + r.gamma(2, 0.05)), 4))
           for s in range(0, 10000, 200) for k in range(24)])
    table("tiny_numbers.csv", ["layer", "epoch", "mean_update"],
          [(f"block.{k}", e, f"{r.normal(0, 1e-9) * (1 + k):.6e}") for k in range(8) for e in range(1, 11)])
    table("outlier.csv", ["host", "endpoint", "milliseconds"],
          [(h, e, 1_000_000 if (h, e) == ("web-3", "/search") else round(float(r.gamma(4, 6)), 1))
           for h in [f"web-{i}" for i in range(1, 7)] for e in ["/", "/login", "/search", "/cart", "/checkout"]])
    table("long_integers.csv", ["shards", "replicas", "bytes_sent"],
          [(s, p, int(1_204_000_000 + s * 37_512_345 + p * 211_734_567 + r.integers(9_999_999)))
           for s in [1, 2, 4, 8, 16, 32] for p in [1, 2, 3, 5, 7]])
    table("constant.csv", ["row", "column", "value"], [(f"r{i}", f"c{j}", 0.5) for i in range(4) for j in range(6)])
    table("one_cell.csv", ["model", "task", "accuracy"], [("baseline", "all tasks", 0.731)])
    table("missing_values.csv", ["depth", "width", "loss"],
          [(d, w, "" if d * w > 3000 else round(2.2 - 0.1 * np.log2(d * w) + r.normal(0, 0.03), 3))
           for d in [2, 4, 8, 16, 32] for w in [32, 64, 128, 256]])
    genes, samples = [f"GENE{i:04}" for i in range(2000)], ["ctrl_1", "ctrl_2", "treat_1", "treat_2", "treat_3"]
    level = r.gamma(2, 1.4, 2000)
    table("genes_2000.csv", ["gene"] + samples,
          [[g] + [f"{min(v * f, 9.9):.1f}" for f in r.normal(1, 0.15, 5)] for g, v in zip(genes, level)])
    table("expression.csv", ["gene"] + [f"{c}_{i}" for c in ["WT", "KO"] for i in range(1, 11)],
          [[f"{n}{i}"] + np.round(r.normal(0, 0.7, 20) + np.repeat([1, -1], 10) * r.normal(0, 1), 3).tolist()
           for i, n in enumerate(["Abc", "Brd", "Cdk", "Dnm", "Egr", "Fos", "Gata", "Hox", "Irf", "Jun", "Klf", "Lhx", "Myc",
                                  "Nfkb", "Oct", "Pax", "Rel", "Sox", "Tbx", "Wnt", "Xbp", "Yap", "Zeb", "Stat", "Smad",
                                  "Runx", "Foxp", "Ets", "Creb", "Atf"])])
    table("p_values.csv", ["trait", "locus", "p"],
          [(t, f"{c}:{q}", f"{10 ** -r.gamma(1.3, 2.5):.3g}") for t in ["height", "weight", "bmi", "hdl", "ldl", "glucose"]
           for c, q in [("1", "55M"), ("2", "27M"), ("4", "103M"), ("6", "32M"), ("9", "22M"), ("11", "61M"), ("16", "53M"),
                        ("19", "45M")]])
    table("sixty_channels.csv", ["condition"] + [f"ch{i:02}" for i in range(1, 61)],
          [[c] + np.round(r.normal(0, 1, 60).cumsum() / 4, 2).tolist() for c in ["rest", "task A", "task B", "recovery"]])
    countries = ["Austria", "Belgium", "Bulgaria", "Croatia", "Cyprus", "Czechia", "Denmark", "Estonia", "Finland", "France",
                 "Germany", "Greece", "Hungary", "Ireland", "Italy", "Latvia", "Lithuania", "Luxembourg", "Malta",
                 "Netherlands", "Poland", "Portugal", "Romania", "Slovakia", "Slovenia", "Spain", "Sweden", "Iceland",
                 "Norway", "Switzerland", "Albania", "Bosnia and Herzegovina", "Kosovo", "Moldova", "Montenegro",
                 "North Macedonia", "Serbia", "Ukraine", "United Kingdom", "Türkiye"]
    table("countries.csv", ["country", "2019", "2020", "2021", "2022", "2023"],
          [[c] + np.round(r.uniform(2, 14) + r.normal(0, 1, 5), 1).tolist() for c in countries])
    cities = ["Espoo", "Helsinki", "Oulu", "Tampere", "Turku"]
    table("thousands.csv", ["year", "city", "inhabitants"],
          [(y, c, f"{int(b * 1.011 ** (y - 2016)):,}") for y in range(2016, 2025)
           for c, b in zip(cities, [274_583, 635_181, 200_526, 228_274, 187_604])])
    with open(FOLDER / "european.csv", "w", encoding="utf-8") as file:
        file.write("Stadt;Jahr;Feinstaub µg/m³\n")
        for c in ["Köln", "München", "Düsseldorf", "Würzburg", "Nürnberg"]:
            for y in range(2017, 2024):
                file.write(f"{c};{y};{r.uniform(8, 24):.1f}\n".replace(".", ","))
    for run, gain in [("baseline", 0.0), ("distilled", 0.05)]:
        table(f"two_files_{run}.csv", ["task", "1", "2", "4", "8", "16"],
              [[t] + np.round(0.4 + gain + 0.09 * np.log2([1, 2, 4, 8, 16]) + r.normal(0, 0.03, 5), 3).tolist()
               for t in ["coding", "math", "reading", "tools"]])


FOLDER.mkdir(exist_ok=True)
for make in [correlations, confusions, calendars, searches, evaluations, fields]:
    make()
for path in sorted(FOLDER.iterdir()):
    assert path.stat().st_size < 60_000, f"{path.name}: {path.stat().st_size} bytes"
