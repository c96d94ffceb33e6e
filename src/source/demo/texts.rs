//! The longer texts of the story: code, outputs and pages, all invented.

use std::fmt::Write;

use super::weather::STATIONS;

/// Thirteen lines, of which a card hides one.
pub const DEW: &str = "\
//! Dew point and frost point by the Magnus formula.

/// Magnus coefficients after Sonntag 1990.
const MAGNUS: (f64, f64) = (17.62, 243.12);

/// Dew point in °C of air at `celsius` with `humidity` percent;
/// below 0 °C that is the frost point.
pub fn dew_point(celsius: f64, humidity: f64) -> f64 {
    let (a, b) = MAGNUS;
    let gamma = (humidity / 100.0).ln() + a * celsius / (b + celsius);
    b * gamma / (a - gamma)
}
pub use dew_point as frost_point;
";

pub const PAIR_OLD: &str = "/// Magnus coefficients after Sonntag 1990.
const MAGNUS: (f64, f64) = (17.62, 243.12);
";

pub const PAIR_NEW: &str = "/// Magnus coefficients after Sonntag 1990, over water and over ice.
const MAGNUS: (f64, f64) = (17.62, 243.12);
const ICE: (f64, f64) = (22.46, 272.62);
";

pub const POINT_OLD: &str = "    let gamma = (humidity / 100.0).ln() + a * celsius / (b + celsius);
    b * gamma / (a - gamma)
";

pub const POINT_NEW: &str = "    let gamma = (humidity / 100.0).ln() + a * celsius / (b + celsius);
    // The percent refer to water at all temperatures; what settles below 0 °C is ice.
    let (a, b) = if gamma < 0.0 { ICE } else { MAGNUS };
    b * gamma / (a - gamma)
";

/// Twelve lines, of which a card hides none.
pub const TEST: &str = "\
#[path = \"dew_point/above.rs\"]
mod above;
use gale::dew::frost_point;

#[test]
fn frost_point_below_freezing() {
    // By hand, from the tables of the weather service.
    for (celsius, humidity, expected) in [(-10.0, 80.0, -11.39), (-25.0, 60.0, -27.60)] {
        let point = frost_point(celsius, humidity);
        assert!((point - expected).abs() < 0.05, \"{celsius} °C at {humidity} %: expected {expected}, got {point:.2}\");
    }
}
";

pub const RED_TEST: &str = "Exit code 101
\x1b[1m\x1b[32m   Compiling\x1b[0m gale v0.7.2 (/home/ines/gale)
\x1b[1m\x1b[32m    Finished\x1b[0m `test` profile [unoptimized + debuginfo] target(s) in 11.84s
\x1b[1m\x1b[32m     Running\x1b[0m tests/dew_point.rs (target/debug/deps/dew_point-3f9c51d07a2be846)

running 4 tests
test above::dew_point_at_saturation_is_the_temperature ... \x1b[32mok\x1b[0m
test above::dew_point_of_a_summer_day ... \x1b[32mok\x1b[0m
test above::dew_point_rises_with_humidity ... \x1b[32mok\x1b[0m
test frost_point_below_freezing ... \x1b[31mFAILED\x1b[0m

failures:

---- frost_point_below_freezing stdout ----

thread 'frost_point_below_freezing' panicked at tests/dew_point.rs:10:9:
-10 °C at 80 %: expected -11.39, got -12.80
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace


failures:
    frost_point_below_freezing

test result: \x1b[31mFAILED\x1b[0m. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

\x1b[1m\x1b[31merror\x1b[0m: test failed, to rerun pass `--test dew_point`
";

pub const CALLERS: &str = "\
src/dew.rs:8:pub fn dew_point(celsius: f64, humidity: f64) -> f64 {
src/dew.rs:13:pub use dew_point as frost_point;
src/smooth.rs:66:        points.extend(day.iter().map(|hour| frost_point(hour.celsius, hour.humidity)));
src/page/now.rs:31:    let frost = frost_point(reading.celsius, reading.humidity);
src/alarm.rs:48:    if frost_point(reading.celsius, reading.humidity) > surface { Alarm::Ice } else { Alarm::None }";

pub const COEFFICIENTS: &str = "\
src/dew.rs:4:const MAGNUS: (f64, f64) = (17.62, 243.12);
CHANGELOG.md:58:- The frost point is reckoned over ice (22.46, 272.62).";

pub const COMMIT: &str = "\
commit 4be12a9c1f70d8e25b3a6f0417ce99d2b86a5e13
Author: Tomas Brandl <tomas@gale.example>
Date:   Wed Jul 16 18:22:41 2025 +0200

    Use one Magnus formula for all temperatures

    The branch for ice is never taken in our data.

diff --git a/src/dew.rs b/src/dew.rs
index 7c1e0aa..e29f4d5 100644
--- a/src/dew.rs
+++ b/src/dew.rs
@@ -2,5 +2,4 @@
\x20
 /// Magnus coefficients after Sonntag 1990.
-const WATER: (f64, f64) = (17.62, 243.12);
-const ICE: (f64, f64) = (22.46, 272.62);
+const MAGNUS: (f64, f64) = (17.62, 243.12);
\x20
@@ -13,8 +12,2 @@
 }
-
-/// Frost point in °C; the percent refer to water.
-pub fn frost_point(celsius: f64, humidity: f64) -> f64 {
-    let gamma = gamma(celsius, humidity);
-    let (a, b) = if gamma < 0.0 { ICE } else { WATER };
-    b * gamma / (a - gamma)
-}
+pub use dew_point as frost_point;
";

pub const NOTES: &str = "\
# Notes of the station keepers

* **札幌** (sapporo): 1月は風が弱く、霜は日の出前に降ります。湿度計は水に対する値です ❄️
* **أسوان** (aswan): لا صقيع هنا أبدًا، والرطوبة نادرًا ما تزيد على ٤٠٪ ☀️
* **Якутск** (yakutsk): ниже −40 °C датчик молчит, это нормально 🥶
* **ལེ** (leh): power only 06:00–22:00, so nights are filled in from the ridge station 🏔️
* **Tromsø**: the mast is iced from November on; 👩🏽‍🔧 climbs up twice a month

All sensors give relative humidity in percent. Over water or over ice? Nobody has written it down.
";

/// Odd, and allowed: an empty name, a null, a name in another script, a number in scientific notation.
pub const STATIONS_INPUT: &str =
    r#"{"":null,"near":[64.81,-18.85],"within_km":1.5e4,"flags":["--all",true,[]],"περιοχή":"Ísland","comments":true}"#;

/// What the public wrote into it, markup and a direction override included.
pub const STATIONS_OUTPUT: &str = concat!(
    r#"{"total":24,"online":23,"stations":["#,
    r#"{"id":"hofsjokull","height":1765,"comment":"lovely view"},"#,
    r#"{"id":"sapporo","height":17,"comment":"<script>alert('frost')</script>"},"#,
    r#"{"id":"tromso","height":100,"comment":"<img src=x onerror=\"document.title='iced'\"> & more"},"#,
    r#"{"id":"leh","height":3500,"comment":"my photo is "#,
    "\u{202e}gpj.exe\u{202c}",
    r#""},{"id":"aswan","height":194,"online":false,"comment":null}]}"#,
);

pub const FINDINGS: &str = r#"{"cause":"Commit 4be12a9 dropped the coefficients over ice as dead code; all test data was from summer, so no test noticed.","commit":"4be12a9","since":"2025-07-16","callers":["src/smooth.rs:66","src/page/now.rs:31","src/alarm.rs:48"],"stations":{"concerned":19,"of":24},"unknown":"Whether the sensors' percent refer to water or ice below 0 °C (docs/sensor-notes.md, last line)."}"#;

pub const FOUND: &str = "\
status: completed
cause: commit 4be12a9 (2025-07-16) dropped the coefficients over ice as dead code; all test data was from summer
callers: src/smooth.rs:66, src/page/now.rs:31, src/alarm.rs:48
stations: 19 of 24 were below freezing this January
open: whether the sensors' percent refer to water or ice below 0 °C";

pub const SEARCH: &str = "\
Web search results for \"Magnus formula coefficients over ice -65 to 0 °C\"

1. Vapour pressure formulas compared
   https://journal.example.net/2019/vapour-pressure-review
   Twelve formulas between −65 and 60 °C; Magnus stays within 0.35 K of the reference.
2. Guide to humidity formulas
   https://met.example.org/guide/humidity-formulas
   Coefficients over water and over ice, with their ranges, and how to get from one to the other.
3. Why your frost point is wrong in winter
   https://blog.example.com/frost-point
   Sensors report humidity over water even when it is freezing, and most code forgets it.";

pub const PAGE: &str = "\
Over water, −45 to 60 °C: a = 17.62, b = 243.12 °C (uncertainty ±0.35 °C).
Over ice, −65 to 0 °C: a = 22.46, b = 272.62 °C.

By convention relative humidity refers to water at every temperature. To get a frost point, take the vapour pressure \
over water from the humidity, then solve the formula over ice for the temperature. Below freezing the frost point lies \
above the dew point, by up to 3 °C at −25 °C.";

pub const QUESTION: &str = r#"{"questions":[{"question":"What do your sensors' percent refer to below 0 °C?","header":"Humidity","multiSelect":false,"options":[{"label":"Water","description":"The usual convention; frost point at −10 °C and 80 % is −11.39 °C"},{"label":"Ice","description":"Some older hygrometers; the same reading is then −12.49 °C"}]}]}"#;

pub const ANSWER: &str = r#"{"questions":[{"question":"What do your sensors' percent refer to below 0 °C?","header":"Humidity"}],"answers":{"What do your sensors' percent refer to below 0 °C?":"Water"}}"#;

/// All tests of the workspace, on 128 lines.
pub fn all_tests() -> String {
    let mut text = String::from(
        "\x1b[1m\x1b[32m   Compiling\x1b[0m gale v0.7.2 (/home/ines/gale)\n\
         \x1b[1m\x1b[32m    Finished\x1b[0m `test` profile [unoptimized + debuginfo] target(s) in 14.02s\n\
         \x1b[1m\x1b[32m     Running\x1b[0m tests/stations.rs (target/debug/deps/stations-b81f7c0d52e6a394)\n\n\
         running 120 tests\n",
    );
    for (station, _) in STATIONS {
        for rule in ["dew_point", "frost_point", "gaps_are_filled", "alarm_for_ice", "page_shows_now"] {
            let _ = writeln!(text, "test {}::{rule} ... \x1b[32mok\x1b[0m", station.replace('-', "_"));
        }
    }
    text.push_str("\ntest result: \x1b[32mok\x1b[0m. 120 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 3.71s\n\n");
    text
}

pub const SMOOTH: &str = "\
/// Frost points, each day smoothed with its neighbours.
pub fn smooth(hours: &[Hour]) -> Vec<f64> {
    let mut smoothed = Vec::new();
    for day in hours.chunks(24) {
        let mut points = Vec::new();
        // One transcendental function an hour.
        points.reserve(day.len());
        points.extend(day.iter().map(|hour| frost_point(hour.celsius, hour.humidity)));
        smoothed.extend(spline(&points));
    }
    smoothed
}
";

pub const SMOOTH_EDITS: [(&str, &str); 3] = [
    (
        "    let mut smoothed = Vec::new();",
        "    let mut smoothed = Vec::with_capacity(hours.len());\n    let mut points = Vec::with_capacity(24);",
    ),
    (
        "        let mut points = Vec::new();\n        // One transcendental function an hour.\n        points.reserve(day.len());",
        "        points.clear();",
    ),
    ("        smoothed.extend(spline(&points));", "        spline_into(&points, &mut smoothed);"),
];

pub const BENCH: &str = "\
<status>completed</status>
<exit_code>0</exit_code>
<stdout>
\x1b[38;5;34msmooth/hourly_year\x1b[0m      time:   [283.11 µs \x1b[1m284.90 µs\x1b[0m 286.97 µs]
                        change: [-32.114% \x1b[1m\x1b[38;5;34m-31.268%\x1b[0m -30.402%] (p = 0.00 < 0.05)
                        \x1b[38;5;34mPerformance has improved.\x1b[0m
\x1b[38;5;34msmooth/one_day\x1b[0m          time:   [812.44 ns \x1b[1m815.03 ns\x1b[0m 818.20 ns]
                        change: [-3.3120% \x1b[1m-2.6127%\x1b[0m -1.9015%] (p = 0.00 < 0.05)
                        \x1b[38;5;244mChange within noise threshold.\x1b[0m
\x1b[38;5;208mFound 7 outliers among 100 measurements (7.00%)\x1b[0m
  \x1b[38;5;244m4 (4.00%) high mild, 3 (3.00%) high severe\x1b[0m
</stdout>";

pub const NOTE: &str = "\
# Which formula holds where

The sensors' percent refer to water at all temperatures (asked, not guessed).

| dew point | settles as | coefficients |
| --- | --- | --- |
| from 0 °C | water | 17.62, 243.12 °C |
| below | ice | 22.46, 272.62 °C |

At −10 °C and 80 % the difference is 1.4 °C: enough to miss black ice on a road.
";

pub const BRANCH: &str = "\
diff --git a/src/dew.rs b/src/dew.rs
index e29f4d5..50c7b1e 100644
--- a/src/dew.rs
+++ b/src/dew.rs
@@ -2,4 +2,5 @@
\x20
-/// Magnus coefficients after Sonntag 1990.
+/// Magnus coefficients after Sonntag 1990, over water and over ice.
 const MAGNUS: (f64, f64) = (17.62, 243.12);
+const ICE: (f64, f64) = (22.46, 272.62);
\x20
@@ -9,3 +10,5 @@
     let (a, b) = MAGNUS;
     let gamma = (humidity / 100.0).ln() + a * celsius / (b + celsius);
+    // The percent refer to water at all temperatures; what settles below 0 °C is ice.
+    let (a, b) = if gamma < 0.0 { ICE } else { MAGNUS };
     b * gamma / (a - gamma)
[src/smooth.rs and docs/frost-point.md: see the whole output]";

pub const OPEN_PULL_REQUEST: &str = "\
gh pr create --draft --base main --head frost-point --title 'Reckon the frost point over ice again' --body-file - <<'EOF'
Since 4be12a9 the frost point was reckoned over water at all temperatures, 1.4 °C too low at −10 °C and 80 %.
The ice alarm came late at 19 of 24 stations.

- the coefficients over ice are back, with a winter test
- the hourly smoothing reuses its buffer: 31 % faster than main in spite of the branch
EOF";

pub const SO_FAR: &str = "\
The test is green again. Commit 4be12a9 had dropped the coefficients over ice; I put them back, and the frost point at \
−10 °C and 80 % is −11.39 °C as the tables say.

- The hourly smoothing is 31 % faster than on main.
- The page is served on http://127.0.0.1:7878.
- The draft of the pull request waits for your approval.";
