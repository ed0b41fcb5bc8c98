//! Cells in memory.

use super::state::State;
use super::values::{Kind, Values};

/// Cells in memory, row after row: each number once. The stored bits of f32 are the numbers themselves; wider numbers have
/// them beside.
#[derive(Clone, Debug)]
pub(super) struct LoadedCells {
    /// Of f32, a cell without a value is the NaN of its state.
    values: Values,
    /// The stored bits of wider numbers; empty for f32.
    beside: Vec<u32>,
}

impl LoadedCells {
    /// Values as they came; `states` marks cells without a value and may be empty when there are none.
    pub(super) fn new(mut values: Values, states: &[Option<State>]) -> Self {
        let state = |i: usize| states.get(i).copied().flatten();
        let stored = |i: usize, v: f32| state(i).map_or_else(|| State::cleaned(v.to_bits()), State::bits);
        let beside = if let Values::F32 { data, .. } = &mut values {
            let bits: &mut [u32] = bytemuck::cast_slice_mut(data);
            if states.is_empty() {
                bits.iter_mut().for_each(|b| *b = State::cleaned(*b));
            } else {
                bits.iter_mut().enumerate().for_each(|(i, b)| *b = stored(i, f32::from_bits(*b)));
            }
            Vec::new()
        } else {
            (0..values.len()).map(|i| stored(i, values.get(i).as_f64() as f32)).collect()
        };
        Self { values, beside }
    }

    /// Stored bits of f32, which are clean: every NaN is that of a state.
    pub(super) fn of_bits(bits: Vec<u32>, integer: bool) -> Self {
        // As long as a number is as wide as its bits, this takes no memory of its own.
        let data = bits.into_iter().map(f32::from_bits).collect();
        Self { values: Values::F32 { data, integer }, beside: Vec::new() }
    }

    /// Wider numbers and their stored bits.
    pub(super) fn of_marked(values: Values, beside: Vec<u32>) -> Self {
        Self { values, beside }
    }

    /// The numbers; that of a cell with a state means nothing.
    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// The stored bits.
    pub(super) fn cells(&self) -> &[u32] {
        match &self.values {
            Values::F32 { data, .. } => bytemuck::cast_slice(data),
            _ => &self.beside,
        }
    }

    /// The type of the numbers.
    pub(super) fn kind(&self) -> Kind {
        self.values.kind()
    }

    /// Gives a cell a state; its value is lost.
    pub(super) fn set_state(&mut self, i: usize, state: State) {
        let bits = match &mut self.values {
            Values::F32 { data, .. } => bytemuck::cast_slice_mut(data),
            _ => self.beside.as_mut_slice(),
        };
        bits[i] = state.bits();
    }

    /// The cells at these places, in this order.
    pub(super) fn gathered(&self, order: &[usize]) -> Self {
        Self {
            values: self.values.gathered(order),
            beside: if self.beside.is_empty() {
                Vec::new()
            } else {
                order.iter().map(|&i| self.beside[i]).collect()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_the_same_of_every_kind_and_outlive_copies() {
        let numbers = [1.5f32, f32::NAN, f32::from_bits(0xffff_1234), 4.0, f32::INFINITY, 7.0];
        let states = [None, None, None, Some(State::Masked), None, Some(State::Absent)];
        let wide = Values::F64(numbers.iter().map(|v| f64::from(*v)).collect());
        let narrow = Values::F32 { data: numbers.to_vec(), integer: false };
        let wanted = [None, Some(State::Nan), Some(State::Nan), states[3], None, states[5]];
        for values in [wide, narrow] {
            let mut loaded = LoadedCells::new(values, &states);
            let read = |l: &LoadedCells| -> Vec<_> { l.cells().iter().map(|b| State::of_bits(*b)).collect() };
            assert_eq!(read(&loaded), wanted);
            assert_eq!(loaded.values().get(4).as_f64(), f64::INFINITY);
            let turned: Vec<_> = wanted.iter().rev().copied().collect();
            assert_eq!(read(&loaded.gathered(&[5, 4, 3, 2, 1, 0])), turned);
            loaded.set_state(0, State::Vanished);
            assert_eq!(read(&loaded)[0], Some(State::Vanished));
        }
    }
}
