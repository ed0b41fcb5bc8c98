//! The shaders are valid, and every struct they share with Rust has the same layout in both.
#![cfg(feature = "gpu")]

use gridscope::gpu::wire::{Body, CELLS_WGSL, Canvas, SHAPES_WGSL, Shape};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::mem::offset_of;

fn module(wgsl: &str) -> naga::Module {
    let module = naga::front::wgsl::parse_str(wgsl).unwrap_or_else(|e| panic!("{}", e.emit_to_string(wgsl)));
    // No capability beyond the plain ones: every adapter must take these shaders.
    let valid = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    if let Err(e) = valid {
        panic!("{}", e.emit_to_string(wgsl));
    }
    module
}

/// Name and offset of each member, and the size.
fn layout(module: &naga::Module, name: &str) -> (Vec<(String, usize)>, usize) {
    let found = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name));
    let Some((_, naga::Type { inner: naga::TypeInner::Struct { members, span }, .. })) = found else { panic!("no struct {name}") };
    let members = members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset as usize)).collect();
    (members, *span as usize)
}

macro_rules! same_layout {
    ($module:expr, $type:ident { $($field:ident),* }) => {{
        let (members, span) = layout($module, stringify!($type));
        let ours = vec![$((stringify!($field).to_owned(), offset_of!($type, $field))),*];
        assert_eq!(members, ours, "{}", stringify!($type));
        assert_eq!(span, size_of::<$type>(), "size of {}", stringify!($type));
    }};
}

#[test]
fn structs_of_bodies_agree() {
    let m = module(CELLS_WGSL);
    same_layout!(&m, Canvas { size });
    same_layout!(
        &m,
        Body {
            origin,
            width,
            top,
            bottom,
            columns,
            rows,
            start,
            first_row,
            stride,
            thresholds,
            count,
            lut,
            fills,
            background,
            unit,
            low,
            per
        }
    );
}

#[test]
fn structs_of_shapes_agree() {
    let m = module(SHAPES_WGSL);
    same_layout!(&m, Canvas { size });
    same_layout!(&m, Shape { low, high, color, first, count });
}

#[test]
fn pipelines_find_their_entry_points() {
    for wgsl in [CELLS_WGSL, SHAPES_WGSL] {
        let mut names: Vec<String> = module(wgsl).entry_points.into_iter().map(|e| e.name).collect();
        names.sort();
        assert_eq!(names, ["paint", "place"]);
    }
}
