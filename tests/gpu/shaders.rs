//! The shaders are valid, and every struct they share with Rust has the same layout in both.
#![cfg(feature = "gpu")]

use gridscope::gpu::wire::{
    Body, CELLS_WGSL, CHECK_WGSL, Canvas, Check, CheckSum, FOLD_WGSL, Job, SHAPES_WGSL, SUBGROUPS_WGSL,
    Shape, Summed,
};
use naga::valid::{Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
use std::mem::offset_of;

fn module(wgsl: &str) -> naga::Module {
    // No capability beyond the plain ones: every adapter must take these shaders.
    module_with(wgsl, Capabilities::empty())
}

fn module_with(wgsl: &str, capabilities: Capabilities) -> naga::Module {
    let module = naga::front::wgsl::parse_str(wgsl).unwrap_or_else(|e| panic!("{}", e.emit_to_string(wgsl)));
    let valid = Validator::new(ValidationFlags::all(), capabilities)
        .subgroup_stages(ShaderStages::COMPUTE)
        .subgroup_operations(SubgroupOperationSet::all())
        .validate(&module);
    if let Err(e) = valid {
        panic!("{}", e.emit_to_string(wgsl));
    }
    module
}

/// Name and offset of each member, and the size.
fn layout(module: &naga::Module, name: &str) -> (Vec<(String, usize)>, usize) {
    let found = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name));
    let Some((_, naga::Type { inner: naga::TypeInner::Struct { members, span }, .. })) = found else {
        panic!("no struct {name}")
    };
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
            left,
            top,
            right,
            bottom,
            columns,
            rows,
            base,
            stride,
            thresholds,
            count,
            lut,
            fills,
            patterns,
            background,
            unit,
            low,
            per,
            centre,
            rest,
            mark,
            exponent,
            scale,
            tiny,
            zero
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
fn structs_of_folds_agree() {
    let m = module(FOLD_WGSL);
    same_layout!(
        &m,
        Job {
            left,
            top,
            width,
            height,
            columns,
            rows,
            step,
            x,
            y,
            base,
            stride,
            target_base,
            target_stride,
            scale,
            tiny,
            bits,
            zero
        }
    );
    for m in [m, module(CELLS_WGSL)] {
        let (members, span) = layout(&m, "Summary");
        let ours = [
            ("low", offset_of!(Summed, low)),
            ("high", offset_of!(Summed, high)),
            ("hi", offset_of!(Summed, hi)),
            ("lo", offset_of!(Summed, lo)),
            ("count", offset_of!(Summed, count)),
            ("states", offset_of!(Summed, states)),
        ];
        assert_eq!(
            (members, span),
            (ours.map(|(name, at)| (name.to_owned(), at)).to_vec(), size_of::<Summed>())
        );
    }
}

#[test]
fn structs_of_checks_agree() {
    let m = module(CHECK_WGSL);
    same_layout!(&m, CheckSum { low, high, sum });
    let (members, span) = layout(&m, "Check");
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names, span), (vec!["first", "count", "result"], offset_of!(Check, pad)));
}

#[test]
fn pipelines_find_their_entry_points() {
    let shaders: [(&str, &[&str]); 4] = [
        (CELLS_WGSL, &["paint", "paint_folded", "paint_keys", "place"]),
        (SHAPES_WGSL, &["paint", "place"]),
        (FOLD_WGSL, &["by_group", "by_thread"]),
        (CHECK_WGSL, &["inspect"]),
    ];
    let names = |module: naga::Module| {
        let mut names: Vec<String> = module.entry_points.into_iter().map(|e| e.name).collect();
        names.sort();
        names
    };
    for (wgsl, entries) in shaders {
        assert_eq!(names(module(wgsl)), entries);
    }
    let subgroups = module_with(SUBGROUPS_WGSL, Capabilities::SUBGROUP);
    assert_eq!(names(subgroups), ["by_group", "by_subgroups", "by_thread"]);
}
