//! The weather that the script's stations measured, and the program that prints it.

use std::fmt::Write;

/// The stations, with their mean temperature in January in °C.
pub const STATIONS: [(&str, f64); 24] = [
    ("hofsjokull", -8.5),
    ("sapporo", -4.5),
    ("aswan", 15.5),
    ("tromso", -4.0),
    ("ushuaia", 9.5),
    ("leh", -7.5),
    ("kiruna", -12.5),
    ("bergen", 2.0),
    ("davos", -5.0),
    ("quito", 14.0),
    ("akureyri", -1.5),
    ("irkutsk", -17.5),
    ("nuuk", -8.0),
    ("oslo", -3.5),
    ("hobart", 17.0),
    ("zermatt", -4.0),
    ("yakutsk", -38.0),
    ("la-paz", 9.0),
    ("harbin", -18.5),
    ("aomori", -1.0),
    ("innsbruck", -1.5),
    ("pituffik", -23.0),
    ("lhasa", -1.0),
    ("murmansk", -10.5),
];

/// Magnus coefficients.
pub const WATER: (f64, f64) = (17.62, 243.12);
pub const ICE: (f64, f64) = (22.46, 272.62);

/// What a station measured in one hour.
pub struct Reading {
    pub celsius: f64,
    pub humidity: f64,
}

/// The reading of a station some hours into the year.
pub fn reading(station: usize, hour: u32) -> Reading {
    let (_, mean) = STATIONS[station % STATIONS.len()];
    let hour = f64::from(hour);
    let daily = 3.2 * (hour * std::f64::consts::TAU / 24.0 - 2.1).sin();
    let celsius = mean + daily + 2.4 * (hour * 0.043 + mean).sin();
    let usual = if mean > 12.0 { 48.0 } else { 74.0 };
    Reading { celsius, humidity: (usual - 1.9 * (celsius - mean)).clamp(22.0, 99.0) }
}

impl Reading {
    /// Dew point in °C; with the coefficients for ice, the frost point.
    pub fn point(&self, (a, b): (f64, f64)) -> f64 {
        let gamma = (self.humidity / 100.0).ln() + WATER.0 * self.celsius / (WATER.1 + self.celsius);
        b * gamma / (a - gamma)
    }

    /// Whether it is too cold for the sensor to answer.
    pub fn is_silent(&self) -> bool {
        self.celsius < -40.0
    }

    fn line(&self) -> String {
        if self.is_silent() {
            return "no answer".into();
        }
        let dew = self.point(WATER);
        let frost = if dew < 0.0 { format!("  frost {:6.1}", self.point(ICE)) } else { String::new() };
        format!("{:6.1} °C  {:3.0} %  dew {dew:6.1}{frost}", self.celsius, self.humidity)
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
            format!(r#"{{"hour":{hour},"celsius":{celsius:.1},"humidity":{humidity:.0}}}"#)
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
            let warm = ((reading(station, hour).celsius - mean + 6.0) / 12.0).clamp(0.0, 1.0);
            let (red, blue) = (60.0 + 180.0 * warm, 240.0 - 170.0 * warm);
            let _ = write!(text, "\x1b[38;2;{red:.0};110;{blue:.0}m█");
        }
        let _ = writeln!(text, "\x1b[0m {mean:6.1} °C");
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
