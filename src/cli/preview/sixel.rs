//! Pictures as sixels: characters of six pixels, one above the other, in one colour of a palette.

use gridscope_core::image::Image;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most colours of a palette: what terminals of today have.
pub(super) const MOST_COLOURS: usize = 256;
/// Rows of a line of sixels.
const ROWS: u32 = 6;
/// Sixel without a pixel; each pixel adds its bit.
const BLANK: u8 = b'?';
/// From this many equal characters on a count is shorter.
const LEAST_RUN: usize = 4;
/// The least alpha of a pixel that is shown.
const OPAQUE: u8 = 128;
/// The levels of a channel: sixels name them in percent.
const LEVELS: u32 = 100;

/// A colour in percent of red, green and blue.
type Percent = [u8; 3];

/// The picture with at most this many colours. Sixels are opaque: pixels that are less than half so show the terminal's
/// background. The picture must not be empty.
pub(super) fn sixel(image: &Image, most: usize) -> String {
    let pixels: Vec<Option<Percent>> = image.pixels.chunks_exact(4).map(percent).collect();
    let (palette, index) = palette(&pixels, most);
    let mut out = format!("\u{1b}P0;1;0q\"1;1;{};{}", image.width, image.height);
    for (i, [r, g, b]) in palette.iter().enumerate() {
        out.push_str(&format!("#{i};2;{r};{g};{b}"));
    }
    let width = image.width as usize;
    for (i, line) in pixels.chunks(width * ROWS as usize).enumerate() {
        if i > 0 {
            out.push('-');
        }
        let mut colours: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (at, pixel) in line.iter().enumerate() {
            if let Some(pixel) = pixel {
                let row = colours.entry(index[pixel]).or_insert_with(|| vec![BLANK; width]);
                row[at % width] += 1 << (at / width);
            }
        }
        for (n, (colour, row)) in colours.iter().enumerate() {
            // Back to the left for the next colour.
            out.push_str(&format!("{}#{colour}", if n > 0 { "$" } else { "" }));
            push_runs(&mut out, row);
        }
    }
    out.push_str("\u{1b}\\");
    out
}

/// Adds a row of sixels, of which equal ones are counted; blank ones at its end are left out.
fn push_runs(out: &mut String, row: &[u8]) {
    let end = row.iter().rposition(|b| *b != BLANK).map_or(0, |last| last + 1);
    for run in row[..end].chunk_by(|a, b| a == b) {
        let c = char::from(run[0]);
        if run.len() < LEAST_RUN {
            out.extend(std::iter::repeat_n(c, run.len()));
        } else {
            out.push_str(&format!("!{}{c}", run.len()));
        }
    }
}

/// A pixel as sixels name it; none if it is rather clear.
fn percent(pixel: &[u8]) -> Option<Percent> {
    let level = |v: u8| ((u32::from(v) * LEVELS + 127) / 255) as u8;
    (pixel[3] >= OPAQUE).then(|| [0, 1, 2].map(|i| level(pixel[i])))
}

/// At most `most` colours, and which of them each colour of the picture takes. Where the picture has more, half of them are of
/// all parts of the colours: the most frequent of each step, and the steps of the channels as small as that allows. The others
/// are the most frequent of all. What is left takes the nearest.
fn palette(pixels: &[Option<Percent>], most: usize) -> (Vec<Percent>, BTreeMap<Percent, usize>) {
    let mut counts: BTreeMap<Percent, usize> = BTreeMap::new();
    // Neighbours are mostly equal: a run is counted at once.
    for run in pixels.chunk_by(|a, b| a == b) {
        if let Some(colour) = run[0] {
            *counts.entry(colour).or_default() += run.len();
        }
    }
    let mut frequent: Vec<Percent> = counts.keys().copied().collect();
    frequent.sort_by_key(|c| Reverse(counts[c]));
    let mut chosen = BTreeSet::new();
    if frequent.len() > most {
        let groups = |step: u8| {
            let mut first = BTreeMap::new();
            frequent.iter().for_each(|c| {
                first.entry(c.map(|v| v / step)).or_insert(*c);
            });
            first
        };
        // A step beyond all levels leaves one colour.
        let few = (1..=LEVELS as u8 + 1).map(groups).find(|g| g.len() <= (most / 2).max(1));
        chosen.extend(few.unwrap_or_default().into_values());
    }
    for colour in &frequent {
        if chosen.len() < most {
            chosen.insert(*colour);
        }
    }
    let palette: Vec<Percent> = chosen.into_iter().collect();
    let nearest =
        |c: &Percent| (0..palette.len()).min_by_key(|i| distance(*c, palette[*i])).unwrap_or_default();
    let index =
        frequent.iter().map(|c| (*c, palette.binary_search(c).unwrap_or_else(|_| nearest(c)))).collect();
    (palette, index)
}

/// The sum of squared differences of the channels.
fn distance(a: Percent, b: Percent) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::Random;

    /// The pixels in percent that a terminal shows, by the letter of the format: `None` where nothing was drawn.
    fn shown(text: &str) -> (u32, u32, Vec<Option<Percent>>) {
        let body = text.strip_prefix("\u{1b}P0;1;0q\"1;1;").unwrap().strip_suffix("\u{1b}\\").unwrap();
        let bytes = body.as_bytes();
        let mut i = 0;
        let number = |i: &mut usize| {
            let from = *i;
            while bytes.get(*i).is_some_and(u8::is_ascii_digit) {
                *i += 1;
            }
            body[from..*i].parse::<u32>().unwrap()
        };
        let w = number(&mut i);
        i += 1;
        let h = number(&mut i);
        let mut out = vec![None; (w * h) as usize];
        let (mut colours, mut pen) = (vec![[0; 3]; 256], 0);
        let (mut x, mut y, mut repeat) = (0, 0, 1);
        while i < bytes.len() {
            i += 1;
            match bytes[i - 1] {
                b'#' => {
                    pen = number(&mut i) as usize;
                    if bytes.get(i) == Some(&b';') {
                        let mut numbers = [0; 4];
                        for n in &mut numbers {
                            i += 1;
                            *n = number(&mut i);
                        }
                        assert_eq!(numbers[0], 2);
                        colours[pen] = [numbers[1] as u8, numbers[2] as u8, numbers[3] as u8];
                    }
                }
                b'!' => repeat = number(&mut i),
                b'$' => x = 0,
                b'-' => (x, y) = (0, y + 6),
                c @ b'?'..=b'~' => {
                    for _ in 0..repeat {
                        for bit in 0..6 {
                            if (c - b'?') >> bit & 1 == 1 {
                                let at = &mut out[((y + bit) * w + x) as usize];
                                assert!(x < w && y + bit < h && at.is_none(), "a pixel is drawn once");
                                *at = Some(colours[pen]);
                            }
                        }
                        x += 1;
                    }
                    repeat = 1;
                }
                c => panic!("{c}"),
            }
        }
        (w, h, out)
    }

    fn random(random: &mut Random, (width, height): (u32, u32), colours: usize) -> Image {
        let colours: Vec<[u8; 4]> = (0..colours)
            .map(|_| {
                let [r, g, b] = [0; 3].map(|_| random.below(256) as u8);
                [r, g, b, if random.below(8) == 0 { 0 } else { 255 }]
            })
            .collect();
        let mut pixels = Vec::new();
        while pixels.len() < (width * height * 4) as usize {
            let colour = colours[random.below(colours.len())];
            pixels.extend(colour.repeat(random.within(1, 9)));
        }
        pixels.truncate((width * height * 4) as usize);
        Image { width, height, pixels }
    }

    #[test]
    fn a_picture_of_few_colours_is_shown_exactly() {
        let mut r = Random(11);
        for _ in 0..gridscope_random::cases(40) {
            let size = (r.within(1, 40), r.within(1, 20));
            let image = random(&mut r, size, 60);
            let text = sixel(&image, MOST_COLOURS);
            assert!(text.is_ascii());
            let want: Vec<_> = image.pixels.chunks_exact(4).map(percent).collect();
            assert_eq!(shown(&text), (image.width, image.height, want));
        }
    }

    #[test]
    fn of_many_colours_the_frequent_are_exact_and_none_is_far() {
        let image = random(&mut Random(3), (120, 60), 2000);
        let pixels: Vec<_> = image.pixels.chunks_exact(4).map(percent).collect();
        for most in [2, 16, 256] {
            let (palette, index) = palette(&pixels, most);
            assert!(palette.len() == most && index.len() > 500, "{} of {most}", palette.len());
            let (_, _, drawn) = shown(&sixel(&image, most));
            for (was, is) in pixels.iter().zip(&drawn) {
                assert_eq!(was.is_some(), is.is_some());
                let far = was.iter().flatten().zip(is.iter().flatten()).map(|(a, b)| a.abs_diff(*b)).max();
                // Half of 256 colours are 5 steps of each channel; the nearest by squares may be farther in one of them.
                assert!(most < 256 || far.unwrap_or(0) <= 2 * 100 / 5, "{was:?} {is:?}");
            }
        }
        let run = |n: usize, c: Percent| vec![Some(c); n];
        let rare = [[90, 0, 0], [12, 10, 10], [13, 10, 10]].map(|c| run(1, c)).concat();
        let few = palette(&[run(5, [10; 3]), run(4, [11; 3]), rare].concat(), 4);
        assert_eq!(few.0, vec![[10; 3], [11; 3], [12, 10, 10], [90, 0, 0]]);
        assert_eq!(few.1[&[13, 10, 10]], 2);
    }

    #[test]
    fn pixels_that_are_rather_clear_are_left_out() {
        let image = Image { width: 3, height: 1, pixels: vec![0, 0, 0, 127, 0, 255, 0, 128, 255, 0, 0, 255] };
        assert_eq!(shown(&sixel(&image, 256)).2, vec![None, Some([0, 100, 0]), Some([100, 0, 0])]);
        let clear = Image { width: 5, height: 7, pixels: vec![0; 140] };
        assert_eq!(sixel(&clear, 256), "\u{1b}P0;1;0q\"1;1;5;7-\u{1b}\\");
    }
}
