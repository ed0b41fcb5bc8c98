//! Zarr stores: what each holds, what is refused, and that nothing outside a store is read. GRIDSCOPE_CORPUS names outside ones.
#![cfg(feature = "zarr")]

#[path = "../child/mod.rs"]
mod child;
#[path = "../outside/mod.rs"]
mod outside;
#[path = "../child/place.rs"]
mod place;

mod broken;
mod stores;
mod values;
