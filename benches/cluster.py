"""A picture of an array of dask on one and on two workers of this machine, beside gathering the array first:
python benches/cluster.py [ROUNDS]; needs dask, distributed and the Python package.
"""

import sys
import time

import dask.array as da
from distributed import Client, LocalCluster

import gridscope as gs


def seconds(call, rounds):
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return sorted(times)[rounds // 2]


def main(rounds):
    for workers in (1, 2):
        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster),
        ):
            array = da.random.default_rng(1).normal(size=(10_000, 10_000), chunks=(1000, 2000))
            drawn = seconds(lambda: gs.heatmap(array).to_png(), rounds)
            computed = seconds(lambda: array.max().compute(), rounds)
            print(f"{workers} workers: picture {drawn:.2f} s, dask's own maximum {computed:.2f} s", flush=True)
            if workers == 2:
                gathered = seconds(lambda: gs.heatmap(array.compute()).to_png(), rounds)
                print(f"{workers} workers: gathered, then drawn {gathered:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
