//! Pictures in a terminal, where it can: by the protocols of kitty and iTerm2, or as sixels.
//!
//! A terminal is not asked, for some print the question; it is known by the variables that it sets.

use std::env::var;
use std::fmt::Write;
use std::io::{IsTerminal, stdout};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rebus_vision::Picture;

/// How a terminal takes pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// kitty, Ghostty, WezTerm, Konsole.
    Kitty,
    /// iTerm2, mintty.
    Iterm,
    /// foot, mlterm, xterm where it says so.
    Sixel,
}

/// Bytes of a piece of kitty's protocol.
const PIECE: usize = 4096;
/// Steps of each of red, green and blue in the colours of sixels.
const STEPS: usize = 6;
/// Rows of pixels in a line of sixels.
const BAND: usize = 6;

impl Protocol {
    /// The protocol of the terminal on stdout; `None` where there is none or colours are unwanted.
    pub(crate) fn of_stdout() -> Option<Self> {
        if !stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty())
        {
            return None;
        }
        Self::named(|name| var(name).ok().filter(|value| !value.is_empty()))
    }

    fn named(var: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let program = var("TERM_PROGRAM").unwrap_or_default();
        let term = var("TERM").unwrap_or_default();
        // Within tmux or screen, sequences do not reach the terminal.
        if var("TMUX").is_some() || term.starts_with("screen") || term.starts_with("tmux") {
            return None;
        }
        let kitty = var("KITTY_WINDOW_ID").is_some() || var("KONSOLE_VERSION").is_some();
        if kitty || term.contains("kitty") || ["ghostty", "WezTerm"].contains(&program.as_str()) {
            return Some(Self::Kitty);
        }
        if ["iTerm.app", "mintty"].contains(&program.as_str())
            || var("LC_TERMINAL").as_deref() == Some("iTerm2")
        {
            return Some(Self::Iterm);
        }
        let sixel =
            term.contains("sixel") || term.starts_with("foot") || term.starts_with("mlterm");
        sixel.then_some(Self::Sixel)
    }

    /// What makes the terminal show a picture, `lines` lines high where it can be told so.
    pub(crate) fn sequence(self, jpeg: &[u8], picture: &Picture, lines: u16) -> String {
        match self {
            Self::Kitty => kitty(picture, lines),
            Self::Iterm => iterm(jpeg, lines),
            Self::Sixel => sixel(picture),
        }
    }
}

fn kitty(picture: &Picture, lines: u16) -> String {
    let code = STANDARD.encode(picture.as_raw());
    let mut text = String::with_capacity(code.len() + 64);
    let (width, height) = picture.dimensions();
    let mut head = format!("a=T,f=24,s={width},v={height},r={lines},q=2,");
    let mut rest = code.as_str();
    while !rest.is_empty() {
        // Base64 is plain ASCII, so that any byte is a border of characters.
        let (piece, left) = rest.split_at(PIECE.min(rest.len()));
        let more = u8::from(!left.is_empty());
        // Writing to a string cannot fail.
        let _ = write!(text, "\x1b_G{head}m={more};{piece}\x1b\\");
        head.clear();
        rest = left;
    }
    text
}

fn iterm(jpeg: &[u8], lines: u16) -> String {
    let (size, code) = (jpeg.len(), STANDARD.encode(jpeg));
    format!("\x1b]1337;File=inline=1;size={size};height={lines};preserveAspectRatio=1:{code}\x07")
}

/// The colour of a pixel among [`STEPS`] cubed, with an ordered pattern in place of the error.
fn colour(picture: &Picture, x: u32, y: u32) -> usize {
    const PATTERN: [[f32; 2]; 2] = [[-0.375, 0.125], [0.375, -0.125]];
    let shift = PATTERN[(y % 2) as usize][(x % 2) as usize];
    let most = (STEPS - 1) as f32;
    picture.get_pixel(x, y).0.iter().fold(0, |index, &value| {
        let step = (f32::from(value) / 255.0 * most + shift).round().clamp(0.0, most);
        index * STEPS + step as usize
    })
}

fn sixel(picture: &Picture) -> String {
    let (width, height) = picture.dimensions();
    let mut text = format!("\x1bPq\"1;1;{width};{height}");
    for index in 0..STEPS.pow(3) {
        let share = |step: usize| step * 100 / (STEPS - 1);
        let (red, green, blue) = (index / STEPS / STEPS, index / STEPS % STEPS, index % STEPS);
        let _ = write!(text, "#{index};2;{};{};{}", share(red), share(green), share(blue));
    }
    for top in (0..height).step_by(BAND) {
        // For every colour that occurs, which of the six pixels of a column have it.
        let mut columns: std::collections::BTreeMap<usize, Vec<u8>> = Default::default();
        for y in top..(top + BAND as u32).min(height) {
            for x in 0..width {
                let of_colour = columns.entry(colour(picture, x, y));
                of_colour.or_insert_with(|| vec![0; width as usize])[x as usize] |= 1 << (y - top);
            }
        }
        for (index, bits) in columns {
            let _ = write!(text, "#{index}");
            for run in bits.chunk_by(|a, b| a == b) {
                let sign = char::from(run[0] + 0x3f);
                let _ = match run.len() {
                    1..=3 => write!(text, "{}", sign.to_string().repeat(run.len())),
                    length => write!(text, "!{length}{sign}"),
                };
            }
            text.push('$');
        }
        text.push('-');
    }
    text.push_str("\x1b\\");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        Picture::from_fn(70, 13, |x, y| {
            if (x + y) % 7 == 0 { [255, 0, 0].into() } else { [0, 0, 255].into() }
        })
    }

    #[test]
    fn terminals_are_known_by_their_variables() {
        let of = |set: &[(&str, &str)]| {
            Protocol::named(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[("TERM", "xterm-256color")]), None);
        assert_eq!(of(&[("TERM", "xterm-kitty")]), Some(Protocol::Kitty));
        assert_eq!(of(&[("TERM", "tmux-256color"), ("KITTY_WINDOW_ID", "1")]), None);
        assert_eq!(of(&[("TERM_PROGRAM", "iTerm.app")]), Some(Protocol::Iterm));
        assert_eq!(of(&[("TERM", "foot")]), Some(Protocol::Sixel));
    }

    #[test]
    fn kitty_gets_every_byte_in_pieces() {
        let text = kitty(&picture(), 5);
        let mut code = String::new();
        for piece in text.split("\x1b_G").skip(1) {
            let (head, data) = piece.strip_suffix("\x1b\\").unwrap().split_once(';').unwrap();
            assert!(data.len() <= PIECE && head.contains("m="));
            code.push_str(data);
        }
        assert_eq!(STANDARD.decode(code).unwrap(), *picture().as_raw());
    }

    /// Draws sixels as a terminal would: the colour's number at every pixel.
    fn drawn(text: &str, width: usize, height: usize) -> Vec<Option<usize>> {
        let body = text.strip_prefix("\x1bPq").unwrap().strip_suffix("\x1b\\").unwrap();
        let mut pixels = vec![None; width * height];
        let (mut x, mut top, mut colour) = (0, 0, 0);
        let mut signs = body.chars().peekable();
        let number = |signs: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            let mut number = 0;
            while let Some(digit) = signs.peek().and_then(|sign| sign.to_digit(10)) {
                number = number * 10 + digit as usize;
                signs.next();
            }
            number
        };
        while let Some(sign) = signs.next() {
            let mut draw = |x: usize, sign: char, length: usize| {
                let bits = sign as u32 - 0x3f;
                for (column, y) in (x..x + length).flat_map(|x| (0..BAND).map(move |y| (x, y))) {
                    if bits & (1 << y) != 0 {
                        pixels[(top + y) * width + column] = Some(colour);
                    }
                }
                x + length
            };
            match sign {
                '"' | ';' => {
                    number(&mut signs);
                }
                '#' => {
                    colour = number(&mut signs);
                    x = 0;
                }
                '!' => {
                    let length = number(&mut signs);
                    x = draw(x, signs.next().unwrap(), length);
                }
                '$' => x = 0,
                '-' => (x, top) = (0, top + BAND),
                sign => x = draw(x, sign, 1),
            }
        }
        pixels
    }

    #[test]
    fn sixels_draw_the_picture() {
        let picture = picture();
        let pixels = drawn(&sixel(&picture), 70, 13);
        for (x, y, _) in picture.enumerate_pixels() {
            let at = y as usize * 70 + x as usize;
            assert_eq!(pixels[at], Some(colour(&picture, x, y)), "{x} {y}");
        }
    }
}
