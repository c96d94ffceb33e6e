//! What the tools of our sessions print.

use std::fmt::Write as _;

/// An image that hostile text asks for; whoever fetches it has taken text for HTML.
pub const HOSTILE_IMAGE: &str = "/hostile.png";

/// `line 1` to `line n`.
pub fn lines(n: usize) -> String {
    (1..=n).fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "line {line}");
        text
    })
}

/// A source file as a reading tool prints it, with numbers.
pub fn source_file(n: usize) -> String {
    (1..=n).fold(String::new(), |mut text, line| {
        let _ = match line {
            1 => writeln!(text, "{line:>6}\tpackage tui"),
            2 => writeln!(text, "{line:>6}\t"),
            _ if line % 12 == 3 => writeln!(text, "{line:>6}\tfunc column{line}(row Row) Cell {{"),
            _ if line % 12 == 1 => writeln!(text, "{line:>6}\t}}"),
            _ => writeln!(text, "{line:>6}\t\tcells = append(cells, Cell{{Width: {}}})", line * 7 % 40),
        };
        text
    })
}

/// The log of a test run, `n` lines long.
pub fn test_log(n: usize) -> String {
    let mut text = String::from("=== RUN   TestColumns\n");
    for line in 2..n {
        let _ = writeln!(text, "    columns_test.go:{}: column {line} keeps its width", line + 40);
    }
    text.push_str("ok  \texample.org/table/tui\t11.902s\n");
    text
}

/// Colours of a terminal, a progress line that overwrites itself, and an escape that moves the cursor.
pub fn coloured() -> String {
    concat!(
        "\u{1b}[1mrunning 3 tests\u{1b}[0m\n",
        "downloading  10%\rdownloading  60%\rdownloading 100%\n",
        "test widths ... \u{1b}[32mok\u{1b}[0m\n",
        "test spans  ... \u{1b}[1;31mFAILED\u{1b}[0m\n",
        "test colours ... \u{1b}[38;5;208mslow\u{1b}[0m \u{1b}[38;2;120;200;255mblue\u{1b}[0m\n",
        "\u{1b}[2K\u{1b}[1Gdone\n",
    )
    .into()
}

/// Text that would do harm if anybody took it for HTML, and that hides what it says with bidi controls.
pub fn hostile_text() -> String {
    format!(
        "<img src=x onerror=alert(1)>\n\
         <img src=\"{HOSTILE_IMAGE}\">\n\
         <script>alert(2)</script>\n\
         </span></article><h1 id=\"escaped\">escaped</h1>\n\
         access_level = \"user\u{202e} \u{2066}// only for admins\u{2069} \u{2066}\"\n\
         zero\u{200b}width and\u{feff} marks\n\
         javascript:alert(3)\n"
    )
}
