"""Writes tests/fixtures/netcdf: python3 ../../formats/truths/netcdf.py there (netCDF4, h5py and numpy)."""

import h5py
import netCDF4
import numpy as np

with netCDF4.Dataset("classic.nc", "w", format="NETCDF3_CLASSIC") as f:
    f.createDimension("time", None)
    f.createDimension("site", 3)
    f.createDimension("letters", 5)
    site = f.createVariable("site", "S1", ("site", "letters"))
    site[:] = netCDF4.stringtochar(np.array(["mill", "weir", "ford"], "S5"))
    time = f.createVariable("time", "f8", ("time",))
    time.units = "days since 2024-02-27"
    level = f.createVariable("level", "f4", ("time", "site"))
    level.units = "m"
    time[:] = [0, 1, 2, 3]
    level[:] = np.array([[0.1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 2, 3.5]], "f4")

with netCDF4.Dataset("packed.nc", "w") as f:
    f.createDimension("lat", 3)
    f.createDimension("lon", 4)
    lat = f.createVariable("lat", "f4", ("lat",))
    lat.units = "degrees_north"
    lat[:] = [50.1, 49.1, 48.1]
    lon = f.createVariable("lon", "f8", ("lon",))
    lon[:] = [0, 0.5, 1, 1.5]
    rain = f.createVariable("rain", "i2", ("lat", "lon"), zlib=True, shuffle=True, chunksizes=(2, 3), fill_value=-999)
    rain.set_auto_maskandscale(False)
    rain.scale_factor, rain.add_offset, rain.long_name, rain.units = 0.1, 5.0, "rainfall", "mm"
    rain[:] = [[0, 1, 2, 3], [10, -999, 30, 40], [-5, -6, -7, 100]]

with netCDF4.Dataset("model.nc", "w") as f:
    f.createDimension("time", 3)
    f.createDimension("z", 2)
    time = f.createVariable("time", "f8", ("time",))
    time.units, time.calendar = "days since 2000-01-01", "360_day"
    time[:] = [58, 59, 60]
    for name in ["u", "v"]:
        wind = f.createGroup("wind") if name == "u" else f.groups["wind"]
        wind.createVariable(name, "f8", ("z", "time"))[:] = np.arange(6).reshape(2, 3)

with h5py.File("runs.h5", "w") as f:
    f["model/acc"] = np.array([[1, 2, 3], [4, 5, 6]], ">i4")
    f.create_dataset("model/loss", data=np.linspace(0, 1, 24).reshape(2, 3, 4), chunks=(1, 2, 4), compression="gzip")
    f["names"] = ["a", "b"]
    f["table"] = np.zeros(3, [("k", "i4"), ("v", "f8")])

with h5py.File("cycle.h5", "w") as f:
    f["a"] = np.ones((2, 2))
    f["g/b"] = np.ones((2, 2))
    f["g/self"] = h5py.SoftLink("/g")

for name, of, size in [("cut.nc", "classic.nc", 200), ("cut.h5", "runs.h5", 700)]:
    with open(of, "rb") as whole, open(name, "wb") as part:
        part.write(whole.read(size))
