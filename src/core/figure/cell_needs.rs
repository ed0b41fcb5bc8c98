//! Facts about cells that a figure needs: for its marks, and for conditions of marks and masks.

use super::condition::{CellCondition, Quantity};
use super::mark::Mark;
use super::mask::Mask as MaskedCells;
use super::{Agg, Figure};

impl Figure {
    /// The marks of the figure and of its panels.
    pub fn all_marks(&self) -> impl Iterator<Item = &Mark> {
        let own = self.panels.values().filter_map(|panel| panel.mark.as_ref());
        self.annotations.mark.iter().chain(own).flat_map(|marks| &marks.0)
    }

    /// The same, to be changed.
    pub fn all_marks_mut(&mut self) -> impl Iterator<Item = &mut Mark> {
        let panels = self.panels.values_mut().filter_map(|panel| panel.mark.as_mut());
        self.annotations.mark.iter_mut().chain(panels).flat_map(|marks| &mut marks.0)
    }

    /// The conditions of marks and masks.
    pub fn cell_conditions(&self) -> Vec<CellCondition> {
        let masks = self.data.mask.iter().flat_map(|masks| &masks.0);
        let masks = masks.filter_map(|mask| match mask {
            MaskedCells::Condition(condition) => Some(condition.clone()),
            _ => None,
        });
        self.all_marks().filter_map(Mark::condition).chain(masks).collect()
    }

    /// The aggregates of the values that conditions name.
    pub fn condition_aggregates(&self) -> Vec<Agg> {
        let named = |condition: CellCondition| match condition.quantity {
            Quantity::Aggregate(agg) => Some(agg),
            _ => None,
        };
        self.cell_conditions().into_iter().filter_map(named).collect()
    }
}
