//! Zarr stores: what each holds, what is refused, and that nothing outside a store is read. `GRIDSCOPE_CORPUS` names outside ones.
#![cfg(feature = "zarr")]

mod broken;
mod stores;
mod values;
