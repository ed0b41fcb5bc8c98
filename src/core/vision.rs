//! Colours as people see them who lack one of the three kinds of cones: the matrices of Machado, Oliveira and Fernandes (2009), "A
//! physiologically-based model for simulation of color vision deficiency", for a complete lack.

use crate::color::Color;
use crate::notation::words;

words! {
    /// A kind of cones that is missing.
    Vision {
        /// Those for green, the most frequent.
        #[default] Deutan = "deutan",
        /// Those for red.
        Protan = "protan",
        /// Those for blue.
        Tritan = "tritan",
    }
}

impl Vision {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Deutan, Self::Protan, Self::Tritan];

    fn matrix(self) -> [[f64; 3]; 3] {
        match self {
            Self::Protan => [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            Self::Deutan => [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            Self::Tritan => [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        }
    }

    /// A colour as it is seen; alpha stays.
    pub fn seen(self, color: Color) -> Color {
        let linear = color.linear();
        let mixed = self.matrix().map(|row| row.iter().zip(linear).map(|(m, c)| m * c).sum::<f64>());
        Color::of_linear(mixed, color.alpha())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greys_stay_and_red_and_green_come_closer() {
        for vision in Vision::ALL {
            for grey in [0, 60, 128, 255] {
                let [r, g, b, _] = vision.seen(Color::rgb(grey, grey, grey)).rgba();
                assert!([r, g, b].iter().all(|c| c.abs_diff(grey) <= 1), "{vision:?} {grey}: {r} {g} {b}");
            }
        }
        let (red, green) = (Color::rgb(200, 60, 60), Color::rgb(60, 140, 60));
        for vision in [Vision::Deutan, Vision::Protan] {
            let seen = vision.seen(red).difference(vision.seen(green));
            assert!(seen < 0.7 * red.difference(green), "{vision:?}: {seen}");
        }
        assert_eq!(Vision::Tritan.seen(Color::CLEAR).alpha(), 0);
    }
}
