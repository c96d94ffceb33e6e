//! What a terminal would have shown: colours and attributes kept, other escapes dropped, overwritten text gone.

use std::ops::Range;

use anstyle_parse::{DefaultCharAccumulator, Params, Parser, Perform};
use memchr::memchr;

use super::style::{Attributes, Color, Style};

const ESCAPE: u8 = 0x1b;

/// A stretch of a line in one style; the range is of bytes of the line as it was written.
pub(super) type Span = (Range<usize>, Style);

/// The shown stretches of a line, and the style in which the next line begins.
///
/// An escape ends with its line at the latest, so that a cut one takes no more than that.
pub(super) fn spans(line: &str, start: Style) -> (Vec<Span>, Style) {
    let bytes = line.as_bytes();
    let is_control = |byte: &u8| (*byte < b' ' && *byte != b'\t') || *byte == 0x7f;
    let plain = bytes.iter().position(is_control).unwrap_or(bytes.len());
    let mut screen = Screen { spans: Vec::new(), finished: Vec::new(), style: start, end: plain };
    screen.show(0..plain);
    if plain < bytes.len() {
        run(&bytes[plain..], &mut screen, plain);
    }
    let Screen { mut spans, finished, style, .. } = screen;
    if spans.is_empty() {
        spans = finished;
    }
    (spans, style)
}

fn run(bytes: &[u8], screen: &mut Screen, offset: usize) {
    let mut parser = Parser::<DefaultCharAccumulator>::new();
    for (at, &byte) in bytes.iter().enumerate() {
        screen.end = offset + at + 1;
        parser.advance(screen, byte);
    }
}

struct Screen {
    spans: Vec<Span>,
    /// What stood there before the carriage went back.
    finished: Vec<Span>,
    style: Style,
    /// The place after the byte that is being read.
    end: usize,
}

impl Screen {
    fn show(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        match self.spans.last_mut() {
            Some((last, style)) if last.end == range.start && *style == self.style => last.end = range.end,
            _ => self.spans.push((range, self.style)),
        }
    }

    fn carriage_return(&mut self) {
        if !self.spans.is_empty() {
            self.finished = std::mem::take(&mut self.spans);
        }
    }
}

impl Perform for Screen {
    fn print(&mut self, char: char) {
        if char != '\x7f' {
            self.show(self.end - char.len_utf8()..self.end);
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\t' => self.show(self.end - 1..self.end),
            b'\r' => self.carriage_return(),
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _ignore: bool, action: u8) {
        match action {
            b'm' if intermediates.is_empty() => select_graphic_rendition(params, &mut self.style),
            // "To the first column" is what progress bars write for a carriage return.
            b'G' if params.iter().all(|param| matches!(param, [0 | 1])) => self.carriage_return(),
            _ => {}
        }
    }
}

fn select_graphic_rendition(params: &Params, style: &mut Style) {
    let mut params = params.iter();
    while let Some(param) = params.next() {
        let code = param.first().copied().unwrap_or(0);
        let attributes = &mut style.attributes;
        match code {
            0 => *style = Style::default(),
            1 => attributes.set(Attributes::BOLD),
            2 => attributes.set(Attributes::DIM),
            3 => attributes.set(Attributes::ITALIC),
            4 if param.get(1) == Some(&0) => attributes.unset(Attributes::UNDERLINE),
            4 | 21 => attributes.set(Attributes::UNDERLINE),
            7 => attributes.set(Attributes::INVERSE),
            9 => attributes.set(Attributes::STRIKE),
            22 => {
                attributes.unset(Attributes::BOLD);
                attributes.unset(Attributes::DIM);
            }
            23 => attributes.unset(Attributes::ITALIC),
            24 => attributes.unset(Attributes::UNDERLINE),
            27 => attributes.unset(Attributes::INVERSE),
            29 => attributes.unset(Attributes::STRIKE),
            30..=37 | 90..=97 => style.foreground = named(code),
            40..=47 | 100..=107 => style.background = named(code - 10),
            39 => style.foreground = Color::Default,
            49 => style.background = Color::Default,
            38 | 48 | 58 => {
                let color = match param {
                    [_, 5, index, ..] => Some(indexed(*index)),
                    // `38:2:<colour space>:r:g:b`, and without the colour space as many write it.
                    [_, 2, _, red, green, blue, ..] | [_, 2, red, green, blue] => rgb(*red, *green, *blue),
                    [_] => match next(&mut params) {
                        Some(5) => next(&mut params).map(indexed),
                        Some(2) => {
                            let (red, green, blue) = (next(&mut params), next(&mut params), next(&mut params));
                            red.zip(green).zip(blue).and_then(|((red, green), blue)| rgb(red, green, blue))
                        }
                        _ => None,
                    },
                    _ => None,
                };
                match (code, color) {
                    (38, Some(color)) => style.foreground = color,
                    (48, Some(color)) => style.background = color,
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

fn next<'a>(params: &mut impl Iterator<Item = &'a [u16]>) -> Option<u16> {
    params.next()?.first().copied()
}

/// 30 to 37 are the dark colours, 90 to 97 the bright ones.
fn named(code: u16) -> Color {
    Color::Named(u8::try_from(if code >= 90 { code - 90 + 8 } else { code - 30 }).unwrap_or(0))
}

/// The 256 colours of xterm: 16 by name, a cube of six steps a side, and 24 greys.
fn indexed(index: u16) -> Color {
    let Ok(index) = u8::try_from(index) else { return Color::Default };
    let step = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    match index {
        0..=15 => Color::Named(index),
        16..=231 => {
            let cube = index - 16;
            Color::Rgb(step(cube / 36), step(cube / 6 % 6), step(cube % 6))
        }
        232..=255 => {
            let grey = 8 + 10 * (index - 232);
            Color::Rgb(grey, grey, grey)
        }
    }
}

fn rgb(red: u16, green: u16, blue: u16) -> Option<Color> {
    let part = |value: u16| u8::try_from(value).ok();
    Some(Color::Rgb(part(red)?, part(green)?, part(blue)?))
}

/// The lines of a terminal's output that begin in another style than the line before, with that style.
///
/// Passes from escape to escape and reads nothing between them.
pub(super) fn carried(text: &str, starts: &[usize]) -> Vec<(usize, Style)> {
    let bytes = text.as_bytes();
    let mut carried = Vec::new();
    let mut pen = Pen::default();
    let mut parser = Parser::<DefaultCharAccumulator>::new();
    let mut line = 0;
    let mut from = 0;
    while let Some(escape) = memchr(ESCAPE, bytes.get(from..).unwrap_or_default()) {
        let escape = from + escape;
        while starts.get(line + 1).is_some_and(|&next| next <= escape) {
            line += 1;
        }
        let end = starts.get(line + 1).copied().unwrap_or(bytes.len());
        let before = pen.style;
        if let Some(length) = control_sequence(&bytes[escape..end]) {
            from = escape + length;
            bytes[escape..from].iter().for_each(|&byte| parser.advance(&mut pen, byte));
        } else {
            // What begins here may hold further escapes: the rest of the line is read as it is when it is shown.
            from = end;
            bytes[escape..end].iter().for_each(|&byte| parser.advance(&mut pen, byte));
            parser = Parser::<DefaultCharAccumulator>::new();
        }
        if pen.style != before {
            match carried.last_mut() {
                Some((next, style)) if *next == line + 1 => *style = pen.style,
                _ => carried.push((line + 1, pen.style)),
            }
        }
    }
    carried.dedup_by_key(|(_, style)| *style);
    carried
}

/// The length of the `ESC [ … m` at the start of the bytes, or of one with another letter at its end.
fn control_sequence(bytes: &[u8]) -> Option<usize> {
    let inside = bytes.strip_prefix(b"\x1b[")?;
    let length = inside.iter().position(|byte| !matches!(byte, b' '..=b'?'))?;
    matches!(inside[length], b'@'..=b'~').then_some(length + 3)
}

/// Follows the style alone.
#[derive(Default)]
struct Pen {
    style: Style,
}

impl Perform for Pen {
    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _ignore: bool, action: u8) {
        if action == b'm' && intermediates.is_empty() {
            select_graphic_rendition(params, &mut self.style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn passing_over_lines_ends_in_the_style_of_reading_them(
            text in "(\x1b\\[[0-9;:]{0,6}[mK]|\x1b\\]|\x07|\x1b\\\\|\x1b|\x18|[\\[m0-9;a✜\r]|\n){0,40}",
        ) {
            let lines: Vec<_> = text.split_inclusive('\n').collect();
            let starts: Vec<_> = lines.iter().scan(0, |at, line| { let start = *at; *at += line.len(); Some(start) }).collect();
            let carried = carried(&text, &starts);
            let mut style = Style::default();
            for (at, line) in lines.iter().enumerate() {
                let noted = carried.iter().rev().find(|(from, _)| *from <= at).map(|(_, style)| *style);
                prop_assert_eq!(noted.unwrap_or_default(), style, "line {}", at);
                style = spans(line, style).1;
            }
        }
    }
}
