//! What of a view stands in a link, so that whoever follows it sees what its sender saw (specs: design §3).
//!
//! Names and values are as a reader might type them: `sort=duration&status=error&min=2s&q=timeout`. What is as it always
//! is at first is left out, and what a link does not know is passed over.

use std::sync::Arc;

use super::{Direction, Sort, View, duration_text, read_duration};
use crate::trace::Timestamp;

/// A pair of a link's query.
pub type Pair<'a> = (&'a str, &'a str);

impl View {
    /// What a link says of this view.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        let mut say = |name: &'static str, value: &str| pairs.push((name, value.to_owned()));
        let filter = &self.filter;
        if !self.needle.is_empty() {
            say("q", &self.needle);
        }
        if self.only_found {
            say("only", "found");
        }
        for outcome in &filter.outcomes {
            say("status", outcome);
        }
        for tool in &filter.tools {
            say("tool", tool);
        }
        for agent in &filter.agents {
            say("agent", agent);
        }
        if filter.min_duration > 0 {
            say("min", &exact_duration(filter.min_duration));
        }
        if let Some((from, to)) = filter.range {
            say("from", &from.0.to_string());
            say("to", &to.0.to_string());
        }
        if (self.sort, self.direction) != (Sort::Time, Direction::Ascending) {
            say("sort", &self.sort.name().replace(' ', "-"));
        }
        if self.direction != self.sort.direction() {
            say("dir", if self.direction == Direction::Ascending { "up" } else { "down" });
        }
        if !self.quiet {
            say("quiet", "off");
        }
        if self.cards_only {
            say("cards", "only");
        }
        pairs
    }

    /// This view as a link with these pairs wants it; which blocks are open stays as it is.
    #[must_use]
    pub fn told<'a>(&self, pairs: impl IntoIterator<Item = Pair<'a>>) -> Self {
        let mut view = Self { open_agents: self.open_agents.clone(), ..Self::default() };
        let (mut from, mut to, mut direction) = (None, None, None);
        let filter = &mut view.filter;
        for (name, value) in pairs {
            match name {
                "q" => value.clone_into(&mut view.needle),
                "only" => view.only_found = value == "found",
                "status" => add(&mut filter.outcomes, value),
                "tool" => add(&mut filter.tools, value),
                "agent" => add(&mut filter.agents, value),
                "min" => filter.min_duration = read_exact_duration(value).unwrap_or(0).max(0),
                "from" => from = value.parse().ok().map(Timestamp),
                "to" => to = value.parse().ok().map(Timestamp),
                "sort" => view.sort = Sort::named(&value.replace('-', " ")).unwrap_or_default(),
                "dir" => direction = Some(if value == "down" { Direction::Descending } else { Direction::Ascending }),
                "quiet" => view.quiet = value != "off",
                "cards" => view.cards_only = value == "only",
                _ => {}
            }
        }
        if from.is_some() || to.is_some() {
            filter.range = Some((from.unwrap_or(Timestamp(i64::MIN)), to.unwrap_or(Timestamp(i64::MAX))));
        }
        view.direction = direction.unwrap_or(view.sort.direction());
        // Both speak of the search alone, which has not run yet.
        view.matches.clone_from(&self.matches);
        if view.needle != self.needle || !view.only_found {
            view.matches = None;
        }
        view
    }
}

/// Whether these pairs go on where others stood, as while the reader types or draws a range: the same but for its value.
#[must_use]
pub fn goes_on(former: &[(&'static str, String)], pairs: &[(&'static str, String)]) -> bool {
    let flows = |name: &str| matches!(name, "q" | "from" | "to");
    let same =
        |(former, now): (&(&str, String), &(&str, String))| former.0 == now.0 && (former.1 == now.1 || flows(now.0));
    former.len() == pairs.len() && former.iter().zip(pairs).all(same)
}

fn add(values: &mut Vec<Arc<str>>, value: &str) {
    if !values.iter().any(|held| **held == *value) {
        values.push(value.into());
    }
}

/// As the reader would type it, where that says the same.
fn exact_duration(nanos: i64) -> String {
    let text = duration_text(nanos);
    if read_duration(&text) == Some(nanos) { text } else { format!("{nanos}ns") }
}

fn read_exact_duration(text: &str) -> Option<i64> {
    match text.strip_suffix("ns") {
        Some(nanos) => nanos.parse().ok(),
        None => read_duration(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Filter;
    use proptest::prelude::*;

    fn told(query: &str) -> View {
        View::default().told(query.split('&').filter_map(|pair| pair.split_once('=')))
    }

    fn link(view: &View) -> String {
        view.pairs().iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }

    #[test]
    fn a_link_says_only_what_is_not_as_it_always_is() {
        for (query, same) in [
            ("", ""),
            ("sort=time&dir=up&quiet=on&cards=no&q=", ""),
            ("sort=duration", "sort=duration"),
            ("sort=duration&dir=down", "sort=duration"),
            ("sort=result-size&dir=up", "sort=result-size&dir=up"),
            ("dir=down", "sort=time&dir=down"),
            ("tool=Bash&tool=Read&tool=Bash&status=error", "status=error&tool=Bash&tool=Read"),
            ("min=2s&quiet=off&cards=only", "min=2.00s&quiet=off&cards=only"),
            ("min=1234567ns", "min=1234567ns"),
            ("q=a b&only=found", "q=a b&only=found"),
            ("sort=beauty&dir=left&min=fast&from=then&nothing=here", ""),
        ] {
            assert_eq!(link(&told(query)), same, "{query}");
        }
    }

    #[test]
    fn what_no_link_tells_stays() {
        let mut view = View { needle: "a".into(), only_found: true, matches: Some(Arc::default()), ..View::default() };
        view.open_agents.insert("sub".into());
        let same = view.told([("q", "a"), ("only", "found"), ("cards", "only")]);
        assert!(same.open_agents.contains("sub") && same.matches.is_some() && same.cards_only);
        assert!(view.told([("q", "b"), ("only", "found")]).matches.is_none(), "found for other words");
        assert!(view.told([("q", "a")]).matches.is_none(), "all are shown again");
    }

    #[test]
    fn typing_on_is_told_apart() {
        let goes_on = |former: &str, now: &str| goes_on(&told(former).pairs(), &told(now).pairs());
        assert!(goes_on("q=a", "q=ab") && goes_on("from=1&to=2&tool=x", "from=1&to=3&tool=x"));
        assert!(!goes_on("", "q=a"), "the first letter begins a search");
        assert!(!goes_on("q=a", "q=ab&cards=only") && !goes_on("tool=x", "tool=y"));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            needle in ".*",
            tools in prop::collection::hash_set("[a-z]{1,3}", 0..3),
            min_duration in 0..i64::MAX,
            range in prop::option::of((any::<i64>(), any::<i64>())),
            sort in 0..4usize,
            down: bool,
            quiet: bool,
            cards_only: bool,
        ) {
            let filter = Filter {
                tools: tools.iter().map(|tool| tool.as_str().into()).collect(),
                min_duration,
                range: range.map(|(from, to)| (Timestamp(from), Timestamp(to))),
                ..Filter::default()
            };
            let direction = if down { Direction::Descending } else { Direction::Ascending };
            let view = View { needle, filter, sort: Sort::ALL[sort], direction, quiet, cards_only, ..View::default() };
            let pairs = view.pairs();
            prop_assert_eq!(View::default().told(pairs.iter().map(|(name, value)| (*name, value.as_str()))), view);
        }
    }
}
