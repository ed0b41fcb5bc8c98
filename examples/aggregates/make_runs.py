"""Writes runs.csv: a made-up sweep with up to five seeds a setting."""

import pathlib

import numpy as np

rng = np.random.default_rng(11)
rows = ["lr,dropout,seed,optimizer,acc,minutes"]
for i, lr in enumerate(["1e-5", "3e-5", "1e-4", "3e-4", "1e-3"]):
    for dropout in ["0.0", "0.1", "0.2", "0.3", "0.5"]:
        seeds = 5 if rng.random() < 0.7 else int(rng.integers(0, 4))
        for seed in range(seeds):
            optimizer = ["adam", "lion"][int(rng.integers(0, 2))]
            acc = 82 - 3.2 * (i - 2.3) ** 2 - 14 * (float(dropout) - 0.1) ** 2 * 4 + rng.normal(0, 0.8 + 0.5 * i)
            rows.append(f"{lr},{dropout},{seed},{optimizer},{acc:.2f},{rng.normal(31, 4):.1f}")
(pathlib.Path(__file__).parent / "runs.csv").write_text("\n".join(rows) + "\n")
