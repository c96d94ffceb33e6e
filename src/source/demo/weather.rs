//! The weather that the script's stations measured, and the program that prints it.

use std::fmt::{self, Write};

/// A number with one decimal, kept as tenths: floating point would weigh 25 kB in the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tenths(pub i64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        f.pad(&format!("{sign}{}.{}", self.0.abs() / 10, self.0.abs() % 10))
    }
}

/// The stations, with their mean temperature in January in °C.
pub const STATIONS: [(&str, Tenths); 24] = [
    ("hofsjokull", Tenths(-85)),
    ("sapporo", Tenths(-45)),
    ("aswan", Tenths(155)),
    ("tromso", Tenths(-40)),
    ("ushuaia", Tenths(95)),
    ("leh", Tenths(-75)),
    ("kiruna", Tenths(-125)),
    ("bergen", Tenths(20)),
    ("davos", Tenths(-50)),
    ("quito", Tenths(140)),
    ("akureyri", Tenths(-15)),
    ("irkutsk", Tenths(-175)),
    ("nuuk", Tenths(-80)),
    ("oslo", Tenths(-35)),
    ("hobart", Tenths(170)),
    ("zermatt", Tenths(-40)),
    ("yakutsk", Tenths(-380)),
    ("la-paz", Tenths(90)),
    ("harbin", Tenths(-185)),
    ("aomori", Tenths(-10)),
    ("innsbruck", Tenths(-15)),
    ("pituffik", Tenths(-230)),
    ("lhasa", Tenths(-10)),
    ("murmansk", Tenths(-105)),
];

/// Magnus coefficients, in hundredths.
pub const WATER: (i64, i64) = (1_762, 24_312);
pub const ICE: (i64, i64) = (2_246, 27_262);

/// What a station measured in one hour.
pub struct Reading {
    pub celsius: Tenths,
    /// Percent.
    pub humidity: i64,
}

/// The reading of a station some hours into the year.
pub fn reading(station: usize, hour: u32) -> Reading {
    let (_, Tenths(mean)) = STATIONS[station % STATIONS.len()];
    let hour = i64::from(hour);
    let daily = 32 * sine(hour * 15 - 120) / 1_000;
    let celsius = mean + daily + 24 * sine(hour * 5 / 2 + 6 * mean) / 1_000;
    let usual = if mean > 120 { 48 } else { 74 };
    Reading { celsius: Tenths(celsius), humidity: (usual - 19 * (celsius - mean) / 100).clamp(22, 99) }
}

/// The sine of an angle in degrees, in thousandths (Bhaskara's formula).
fn sine(degrees: i64) -> i64 {
    let angle = degrees.rem_euclid(360);
    let half = angle % 180;
    let product = half * (180 - half);
    let sine = 4_000 * product / (40_500 - product);
    if angle < 180 { sine } else { -sine }
}

/// The natural logarithm of a percentage as a fraction, in billionths: twice the area tangent of (h − 1) / (h + 1).
fn logarithm(percent: i64) -> i64 {
    const ONE: i64 = 1_000_000_000;
    let z = (percent - 100) * ONE / (percent + 100);
    let square = z * z / ONE;
    let (mut power, mut sum) = (z, z);
    for odd in (3..42).step_by(2) {
        power = power * square / ONE;
        sum += power / odd;
    }
    2 * sum
}

impl Reading {
    /// Dew point in °C; with the coefficients for ice, the frost point.
    pub fn point(&self, (a, b): (i64, i64)) -> Tenths {
        let (water_a, water_b) = WATER;
        let gamma = logarithm(self.humidity) + water_a * self.celsius.0 * 100_000_000 / (water_b + 10 * self.celsius.0);
        let (above, below) = (10 * b * gamma, a * 1_000_000_000 - 100 * gamma);
        Tenths((2 * above + below).div_euclid(2 * below))
    }

    /// Whether it is too cold for the sensor to answer.
    pub fn is_silent(&self) -> bool {
        self.celsius < Tenths(-400)
    }

    fn line(&self) -> String {
        if self.is_silent() {
            return "no answer".into();
        }
        let dew = self.point(WATER);
        let frost = if dew < Tenths(0) { format!("  frost {:>6}", self.point(ICE)) } else { String::new() };
        format!("{:>6} °C  {:>3} %  dew {dew:>6}{frost}", self.celsius, self.humidity)
    }
}

/// A line for each hour of the first days of the year, at most 59.
pub fn replay(station: usize, days: u32) -> String {
    let mut text = String::new();
    for hour in 0..days * 24 {
        let day = hour / 24 + 1;
        let (month, day) = if day > 31 { (2, day - 31) } else { (1, day) };
        let line = reading(station, hour).line();
        let _ = writeln!(text, "2026-{month:02}-{day:02} {:02}:00  {line}", hour % 24);
    }
    text
}

/// A station's hours as JSON on one line.
pub fn hours_json(station: usize, first: u32, hours: u32) -> String {
    let list: Vec<_> = (first..first + hours)
        .map(|hour| (hour, reading(station, hour)))
        .filter(|(_, reading)| !reading.is_silent())
        .map(|(hour, Reading { celsius, humidity })| {
            format!(r#"{{"hour":{hour},"celsius":{celsius},"humidity":{humidity}}}"#)
        })
        .collect();
    let (name, _) = STATIONS[station % STATIONS.len()];
    format!(r#"{{"station":"{name}","unit":"°C","hourly":[{}]}}"#, list.join(","))
}

/// Two days of temperatures as strips of colour: blue is cold, red is warm.
pub fn strips(stations: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    for station in stations {
        let (name, mean) = STATIONS[station % STATIONS.len()];
        let _ = write!(text, "{name:>11} ");
        for hour in 0..48 {
            let warm = (reading(station, hour).celsius.0 - mean.0 + 60).clamp(0, 120);
            let (red, blue) = (60 + 180 * warm / 120, 240 - 170 * warm / 120);
            let _ = write!(text, "\x1b[38;2;{red};110;{blue}m█");
        }
        let _ = writeln!(text, "\x1b[0m {mean:>6} °C");
    }
    text
}

/// A download's progress, which overwrites its one line.
pub fn progress(stations: usize) -> String {
    let mut text = String::new();
    for done in 0..=stations {
        let (bar, rest) = ("=".repeat(done), " ".repeat(stations - done));
        let _ = write!(text, "\r\x1b[2Kfetching [{bar}>{rest}] {done}/{stations}");
    }
    let _ = writeln!(text, "\r\x1b[2K\x1b[32mfetched\x1b[0m {stations} stations, 1,416 hours each, 0 gaps");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_the_magnus_formula() {
        for (celsius, humidity, dew, frost) in [(-100, 80, -128, -114), (-250, 60, -305, -276), (200, 50, 93, 81)] {
            let reading = Reading { celsius: Tenths(celsius), humidity };
            assert_eq!((reading.point(WATER), reading.point(ICE)), (Tenths(dew), Tenths(frost)), "{celsius}");
        }
        assert_eq!(format!("{:>6}|{}", Tenths(-5), Tenths(123)), "  -0.5|12.3");
    }
}
