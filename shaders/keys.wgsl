// Cells as keys: what every count of cells reads.

struct Count {
    // The first cell, cells from one row to the next, and the cells of a dispatch.
    first: u32,
    stride: u32,
    width: u32,
    height: u32,
    // 2^bits lanes side by side, of 2^lanes in all.
    bits: u32,
    lanes: u32,
    // Entries of the table: ascending thresholds, or the high bits of keys.
    entries: u32,
    // The high word of states, where cells have two words.
    mark: u32,
    // Which bits of a key the table has, low word first.
    mask: vec2<u32>,
    // Bits of a key below its next digit, and those of the digit.
    shift: u32,
    digit: u32,
    // What the numbers of two words are: FLOAT, SIGNED or UNSIGNED.
    kind: u32,
    // Of statistics, the place of the record of its first workgroup; of places, its number.
    slot: u32,
}

// Whether cells have two words.
override KEYS: bool = false;

const LANES: u32 = 64u;
const TOP_BIT: u32 = 0x80000000u;
// The low word of the mark of the first state.
const MARK_LOW: u32 = 0xfffffff8u;

@group(0) @binding(0) var<uniform> count: Count;
// Low word and high word of unsigned keys.
@group(0) @binding(1) var<storage, read> table: array<vec2<u32>>;
@group(1) @binding(0) var<storage, read> cells: array<u32>;
@group(2) @binding(0) var<storage, read_write> counters: array<atomic<u32>>;

struct Cell {
    // The index of its state, or VALUE.
    state: u32,
    // The unsigned key of its value.
    key: vec2<u32>,
}

fn cell_at(i: u32) -> Cell {
    var cell = Cell(VALUE, vec2(0u, 0u));
    if KEYS {
        cell.key = vec2(cells[2u * i], cells[2u * i + 1u]);
        if cell.key.y == count.mark && cell.key.x >= MARK_LOW {
            cell.state = cell.key.x & 7u;
        }
    } else {
        let bits = cells[i];
        cell.state = state_of(bits);
        cell.key.y = bitcast<u32>(ordered_key(bits));
    }
    cell.key.y ^= TOP_BIT;
    return cell;
}

fn is_below(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}
