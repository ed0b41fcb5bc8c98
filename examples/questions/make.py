"""Makes the tables of the chapter "Twelve questions": runs as a researcher has them, from fixed seeds.

    python make.py        # writes the CSV files beside this script
"""

import csv
import math
import random
from datetime import datetime, timedelta
from pathlib import Path

HERE = Path(__file__).parent


def write(name, header, rows):
    with open(HERE / f"{name}.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def search():
    """A random search: accuracy is best near a learning rate of 2e-3 and a dropout of 0.2."""
    rng = random.Random(1)
    for run in range(2000):
        lr, dropout = 10 ** rng.uniform(-5, -1), rng.uniform(0, 0.6)
        off = (math.log10(lr) + 2.7) ** 2 * 6.5 + (dropout - 0.2) ** 2 * 60
        accuracy = max(88 - off + rng.gauss(0, 1.2), 10 + rng.random())
        yield run, f"{lr:.3e}", f"{dropout:.3f}", f"{accuracy:.2f}"


TASKS = ["arithmetic", "code", "dialogue", "facts", "logic", "reading", "summaries", "translation"]


def methods():
    """Two methods on eight tasks with six budgets and ten seeds: B is better where the budget is large."""
    rng = random.Random(2)
    for t, task in enumerate(TASKS):
        for b, budget in enumerate([64, 128, 256, 512, 1024, 2048]):
            for seed in range(10):
                luck = rng.gauss(0, 1.0)
                base = 45 + 4 * t % 17 + 4.5 * b
                gain = (b - 2.2) * 0.9 + (1.5 if task in ("code", "logic") else -0.4)
                yield "A", task, budget, seed, f"{base + luck + rng.gauss(0, 0.8):.2f}"
                yield "B", task, budget, seed, f"{base + gain + luck + rng.gauss(0, 0.8):.2f}"


TOPICS = {
    "science": ["astronomy", "biology", "chemistry", "physics", "medicine", "anatomy"],
    "law": ["contracts", "constitution", "criminal law", "tax law"],
    "society": ["economics", "geography", "history", "politics", "sociology"],
    "formal": ["algebra", "geometry", "logic", "statistics", "programming"],
}


def topics():
    """Sixteen models on twenty topics of four kinds, in no order; each model has a talent for some kinds."""
    rng = random.Random(3)
    models = [f"{family}-{size}" for family in ("alder", "birch", "cedar", "dogwood") for size in ("1b", "3b", "8b", "70b")]
    talent = {m: {kind: rng.gauss(0, 9) for kind in TOPICS} for m in {m.split("-")[0] for m in models}}
    names = [(topic, kind) for kind, all_ in TOPICS.items() for topic in all_]
    rng.shuffle(names)
    for topic, kind in names:
        level = rng.gauss(55, 4)
        for model in models:
            family, size = model.split("-")
            size_gain = {"1b": -14, "3b": -6, "8b": 2, "70b": 12}[size]
            yield topic, kind, model, family, f"{level + size_gain + talent[family][kind] + rng.gauss(0, 2):.1f}"


def requests():
    """Requests to a service in four weeks: days at noon, little at weekends."""
    rng = random.Random(4)
    start, count = datetime(2026, 3, 2), 0
    while count < 4000:
        at = start + timedelta(seconds=rng.randrange(28 * 86400))
        hour = at.hour + at.minute / 60
        busy = 0.08 + math.exp(-((hour - 11) ** 2) / 12) + 0.8 * math.exp(-((hour - 16) ** 2) / 8)
        if at.weekday() >= 5:
            busy *= 0.3
        if rng.random() * 1.4 < busy:
            count += 1
            yield at.isoformat(sep=" "), f"{30 + 40 * busy * rng.random() + rng.expovariate(1 / 12):.1f}"


def digits():
    """True and predicted digits of 3,000 pictures."""
    rng = random.Random(5)
    alike = {4: [9], 9: [4, 7], 3: [5, 8], 5: [3, 6], 7: [1, 9], 1: [7], 8: [3, 9], 6: [0, 5], 0: [6], 2: [7, 3]}
    for _ in range(3000):
        true = rng.choices(range(10), [9, 11, 10, 10, 9, 6, 9, 10, 7, 10])[0]
        seen = true
        if rng.random() < (0.16 if true in (4, 5, 9) else 0.07):
            seen = rng.choice(alike[true]) if rng.random() < 0.8 else rng.randrange(10)
        yield true, seen


def effects():
    """The effect of eight changes on seven measures, and the probability of an effect that large by chance."""
    rng = random.Random(6)
    changes = ["dropout", "warmup", "label smoothing", "mixup", "EMA", "larger batch", "longer context", "no bias"]
    measures = ["accuracy", "calibration", "robustness", "speed", "memory", "fairness", "stability"]
    for change in changes:
        for measure in measures:
            effect, error = rng.gauss(0, 1.6), rng.uniform(0.5, 0.9)
            p = math.erfc(abs(effect / error) / math.sqrt(2))
            yield change, measure, f"{effect:.2f}", f"{p:.4f}"


def scaling():
    """Accuracy by parameters and training tokens, with little noise."""
    rng = random.Random(7)
    sizes = ["70m", "160m", "410m", "1b", "1.4b", "2.8b", "6.9b", "12b"]
    number = [70e6, 160e6, 410e6, 1e9, 1.4e9, 2.8e9, 6.9e9, 12e9]
    for size, n in zip(sizes, number):
        for tokens in [1, 3, 10, 30, 100, 300, 1000]:
            loss = 1.7 + 400 / n**0.34 + 1400 / (tokens * 1e9) ** 0.34
            accuracy = 1 / (1 + math.exp(3.2 * (loss - 3.1)))
            yield size, tokens, f"{min(max(accuracy + rng.gauss(0, 0.006), 0), 1):.4f}"


def releases(new):
    """Pass rates of a release on twelve suites and six languages; the next one lost one language of one suite."""
    rng = random.Random(8)
    gain = random.Random(9)
    suites = ["auth", "billing", "cache", "export", "forms", "import", "mail", "media", "search", "store", "tables", "users"]
    languages = ["de", "en", "es", "fr", "ja", "pt"]
    for suite in suites:
        for language in languages:
            rate = 90 + rng.gauss(0, 4)
            later = rate + gain.gauss(0.4, 0.8) - (9 if (suite, language) in [("search", "ja"), ("forms", "ja")] else 0)
            if new and suite == "cache" and language == "pt":
                continue
            if not new and suite == "media":
                continue
            yield suite, language, f"{min(later if new else rate, 100):.1f}"


def optimizers():
    """Loss by width and depth for two optimizers on three datasets; one pair was never run."""
    rng = random.Random(10)
    for o, optimizer in enumerate(["adamw", "sgd"]):
        for d, dataset in enumerate(["cifar", "imagenet", "svhn"]):
            if (optimizer, dataset) == ("sgd", "svhn"):
                continue
            for depth in [2, 4, 8, 16, 32]:
                for width in [64, 128, 256, 512, 1024]:
                    best = (3 + d, 3 - o)
                    off = (math.log2(width) - 6 - best[0] / 1.3) ** 2 * 0.03 + (math.log2(depth) - best[1]) ** 2 * 0.05
                    yield optimizer, dataset, depth, width, f"{0.4 + 0.2 * d + 0.1 * o + off + rng.gauss(0, 0.02):.3f}"


def genes():
    """Expression of 60 genes in 24 samples of three kinds; a third of the genes differ between the kinds."""
    rng = random.Random(11)
    kinds = ["control", "treated", "relapse"]
    samples = [(f"s{i + 1:02}", kinds[i % 3]) for i in range(24)]
    for g in range(60):
        level, shape = rng.uniform(2, 12), [rng.gauss(0, 1.8) if g % 3 == 0 else 0 for _ in kinds]
        for sample, kind in samples:
            yield f"G{g + 1:03}", sample, kind, f"{level + shape[kinds.index(kind)] + rng.gauss(0, 0.6):.2f}"


if __name__ == "__main__":
    write("search", ["run", "lr", "dropout", "accuracy"], search())
    write("methods", ["method", "task", "budget", "seed", "score"], methods())
    write("topics", ["topic", "kind", "model", "family", "score"], topics())
    write("requests", ["time", "latency_ms"], sorted(requests()))
    write("digits", ["true", "predicted"], digits())
    write("effects", ["change", "measure", "effect", "p"], effects())
    write("scaling", ["parameters", "tokens_bn", "accuracy"], scaling())
    write("release_1", ["suite", "language", "pass_rate"], releases(new=False))
    write("release_2", ["suite", "language", "pass_rate"], releases(new=True))
    write("optimizers", ["optimizer", "dataset", "depth", "width", "loss"], optimizers())
    write("genes", ["gene", "sample", "kind", "expression"], genes())
