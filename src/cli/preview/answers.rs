//! What a terminal answers to questions about pixels, taken from the bytes that come from it.

use super::pixels::{Protocol, is_cell};

/// The number of the question about kitty's graphics protocol, which the answer repeats.
pub(super) const KITTY_ID: u32 = 31;
/// The most bytes of an answer; longer ones are ignored.
const LONGEST: usize = 1024;
/// The parameter of the device attributes that means sixels.
const SIXELS: u32 = 4;

/// What was answered so far.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// The device attributes came, which every terminal sends and which are asked for last.
    pub ended: bool,
    /// The user pressed the key that interrupts.
    pub interrupted: bool,
    /// The number of colours of a sixel picture.
    pub colours: Option<u32>,
    /// The largest sixel picture: width and height.
    pub most: Option<[u32; 2]>,
    /// The text area in pixels: width and height.
    pub area: Option<[u32; 2]>,
    cell: Option<[u32; 2]>,
    /// A character in pixels of the screen, of which a point may have several.
    scaled_cell: Option<[u32; 2]>,
    kitty: bool,
    files: bool,
    sixels: bool,
    interrupt: u8,
    state: State,
    body: Vec<u8>,
}

/// Where in a control sequence the next byte is.
#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Outside,
    Escape,
    Sequence,
    /// A string that this byte began.
    Text(u8),
    EscapeInText(u8),
}

impl Answers {
    /// No answer yet; `interrupt` is the byte of the key that interrupts.
    pub(super) fn new(interrupt: u8) -> Self {
        Self { interrupt, ..Self::default() }
    }

    /// The best way to show pixels. What reports files is iTerm2 or follows it, and iTerm2 shows those in every pixel of the
    /// screen, but kitty's pictures in points.
    pub(super) fn protocol(&self) -> Option<Protocol> {
        match () {
            () if !self.ended => None,
            () if self.files => Some(Protocol::Iterm2),
            () if self.kitty => Some(Protocol::Kitty),
            () if self.sixels => Some(Protocol::Sixel),
            () => None,
        }
    }

    /// A character in the pixels that pictures of this protocol have; `columns` and `lines` are those of the text area.
    pub(super) fn cell(&self, protocol: Protocol, columns: u32, lines: u32) -> Option<[u32; 2]> {
        let scaled = self.scaled_cell.filter(|_| protocol == Protocol::Iterm2);
        let divided = self.area.map(|[w, h]| [w / columns.max(1), h / lines.max(1)]);
        [scaled, self.cell, divided].into_iter().flatten().find(is_cell)
    }

    /// Takes the next bytes from the terminal. What belongs to no answer was typed and is ignored.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == self.interrupt {
                self.interrupted = true;
                continue;
            }
            self.state = self.after(byte);
        }
    }

    /// The state after a byte.
    fn after(&mut self, byte: u8) -> State {
        match (self.state, byte) {
            (State::Outside | State::Escape | State::Sequence, 0x1b) => State::Escape,
            (State::Outside, _) => State::Outside,
            (State::Escape, b'[') => self.begin(State::Sequence),
            (State::Escape | State::EscapeInText(_), b']' | b'P' | b'_' | b'^' | b'X') => {
                self.begin(State::Text(byte))
            }
            (State::Escape, _) => State::Outside,
            (State::Sequence, 0x40..=0x7e) => {
                self.sequence(byte);
                State::Outside
            }
            (State::Text(kind), 0x1b) => State::EscapeInText(kind),
            (State::Text(kind), 0x07) | (State::EscapeInText(kind), b'\\') => {
                self.text(kind);
                State::Outside
            }
            (State::EscapeInText(_), b'[') => self.begin(State::Sequence),
            (State::EscapeInText(_), _) => State::Outside,
            (state @ (State::Sequence | State::Text(_)), _) => {
                if self.body.len() <= LONGEST {
                    self.body.push(byte);
                }
                state
            }
        }
    }

    fn begin(&mut self, state: State) -> State {
        self.body.clear();
        state
    }

    /// The answer that is complete, unless it is too long.
    fn body(&self) -> &str {
        let body = Some(self.body.as_slice()).filter(|b| b.len() <= LONGEST);
        body.and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default()
    }

    /// Takes a control sequence that ended in this byte.
    fn sequence(&mut self, end: u8) {
        let body = self.body();
        let private = body.strip_prefix('?');
        let numbers: Vec<u32> =
            private.unwrap_or(body).split(';').map(|n| n.parse().unwrap_or_default()).collect();
        match (end, private.is_some(), numbers.as_slice()) {
            // The first number is the kind of the terminal.
            (b'c', true, [_, features @ ..]) => {
                self.sixels |= features.contains(&SIXELS);
                self.ended = true;
            }
            (b't', false, [6, h, w, ..]) => self.cell = Some([*w, *h]),
            (b't', false, [4, h, w, ..]) => self.area = Some([*w, *h]),
            (b'S', true, [1, 0, colours, ..]) => self.colours = Some(*colours),
            (b'S', true, [2, 0, w, h, ..]) => self.most = Some([*w, *h]),
            _ => {}
        }
    }

    /// Takes a string of a kind.
    fn text(&mut self, kind: u8) {
        let body = self.body();
        if kind == b'_' {
            let id = format!("i={KITTY_ID}");
            let parts = body.strip_prefix('G').and_then(|b| b.split_once(';'));
            self.kitty |= parts.is_some_and(|(keys, said)| said == "OK" && keys.split(',').any(|k| k == id));
            return;
        }
        let report = body.strip_prefix("1337;").filter(|_| kind == b']').and_then(|b| b.split_once('='));
        match report {
            Some(("Capabilities", list)) => self.files |= has_files(list),
            Some(("ReportCellSize", numbers)) => self.scaled_cell = scaled_cell(numbers),
            _ => {}
        }
    }
}

/// Whether a list of features of iTerm2 has `F`, files and inline images. A feature is a capital, small letters and digits.
fn has_files(list: &str) -> bool {
    let mut after = list.split('F').skip(1);
    after.any(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Height and width of a character in points, and the pixels of a point.
fn scaled_cell(numbers: &str) -> Option<[u32; 2]> {
    let numbers: Vec<f64> = numbers.split(';').map(str::parse).collect::<Result<_, _>>().ok()?;
    let (h, w, scale) = match numbers.as_slice() {
        [h, w] => (*h, *w, 1.0),
        [h, w, scale] => (*h, *w, *scale),
        _ => return None,
    };
    Some([w, h].map(|side| (side * scale).round() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> Answers {
        let mut answers = Answers::new(3);
        answers.take(bytes);
        answers
    }

    #[test]
    fn the_answers_of_terminals_are_understood() {
        let protocol = |bytes: &str| of(bytes.as_bytes()).protocol();
        assert_eq!(protocol("\x1b_Gi=31;OK\x1b\\\x1b[6;22;10t\x1b[?62;c"), Some(Protocol::Kitty));
        assert_eq!(protocol("\x1b_Gi=31;ENOENT:x\x1b\\\x1b[?62;22c"), None);
        assert_eq!(protocol("\x1b_Gi=3;OK\x1b\\\x1b[?62;22c"), None);
        assert_eq!(protocol("\x1b[?65;4;6;18;22c"), Some(Protocol::Sixel));
        // A VT132, whose own number is 4.
        assert_eq!(protocol("\x1b[?4;6c"), None);
        assert_eq!(protocol("\x1b[?1;2c"), None);
        let iterm = "\x1b]1337;Capabilities=T3CwLrMSc7UUw9Ts3BFGsGoSyHNoSxF\x1b\\\x1b[?62;4c";
        assert_eq!(protocol(iterm), Some(Protocol::Iterm2));
        assert_eq!(protocol("\x1b]1337;Capabilities=T3FoSx\x07\x1b[?62c"), None);
        // Nothing counts without the last answer.
        assert_eq!(protocol("\x1b_Gi=31;OK\x1b\\"), None);
    }

    #[test]
    fn sizes_are_believed_if_they_can_be_true() {
        let cell = |bytes: &str| of(bytes.as_bytes()).cell(Protocol::Sixel, 80, 24);
        assert_eq!(cell("\x1b[6;22;10t\x1b[4;384;640t"), Some([10, 22]));
        assert_eq!(cell("\x1b[6;0;0t\x1b[4;384;640t"), Some([8, 16]));
        assert_eq!(cell("\x1b[4;99999999999;640t"), None);
        assert_eq!(cell("\x1b[6;22t\x1b[6;-3;8t\x1b[6;4294967295;4294967295t"), None);
        let retina = "\x1b[6;17;8t\x1b]1337;ReportCellSize=17.0;8.0;2.0\x1b\\";
        assert_eq!(of(retina.as_bytes()).cell(Protocol::Iterm2, 80, 24), Some([16, 34]));
        assert_eq!(cell(retina), Some([8, 17]));
        assert_eq!(of(b"\x1b]1337;ReportCellSize=nan;inf\x07").cell(Protocol::Iterm2, 80, 24), None);
        let limits = of(b"\x1b[?1;0;256S\x1b[?2;0;1000;900S\x1b[?1;3;0S");
        assert_eq!((limits.colours, limits.most), (Some(256), Some([1000, 900])));
    }

    #[test]
    fn typed_keys_are_no_answers_and_one_of_them_interrupts() {
        let typed = of(b"ls -l\r\x1b[A\x1bOP\x1b[?62;4c");
        assert!(typed.ended && !typed.interrupted && typed.protocol() == Some(Protocol::Sixel));
        let within = of(b"\x1b[?6\x032;4c");
        assert!(within.ended && within.interrupted);
        // A string that does not end is left by the next sequence.
        assert!(of(b"\x1b]1337;Capab\x1b[?62;4c").ended);
    }

    #[test]
    fn any_bytes_are_taken_in_bounded_memory() {
        let alphabet = b"\x1b[]P_\\?;:=0123456789cStGiOK\x07\x03\xff\x00F1337Capabilities";
        let mut random = gridscope_random::Random(5);
        for _ in 0..gridscope_random::cases(200) {
            let mut byte = || match random.below(4) {
                0 => random.below(256) as u8,
                _ => alphabet[random.below(alphabet.len())],
            };
            let bytes: Vec<u8> = (0..5000).map(|_| byte()).collect();
            let answers = of(&bytes);
            assert!(answers.body.capacity() <= 2 * LONGEST + 2);
            let _ = (answers.protocol(), answers.cell(Protocol::Iterm2, 0, 0));
        }
        let long = [b"\x1b]1337;Capabilities=".as_slice(), &vec![b'F'; 1 << 20], b"\x07"].concat();
        assert!(!of(&long).files && of(&long).body.capacity() <= 2 * LONGEST + 2);
    }
}
