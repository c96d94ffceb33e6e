//! Search in the web.

use super::super::facts::Facts;
use super::super::summary::counted;
use super::{COMMON, Family};
use crate::json::Json;

pub(super) static FAMILY: Family = Family {
    names: &["web_search", "WebSearch", "web_search_call", "google_web_search", "search_web", "SearchWeb"],
    call,
    result,
    ..COMMON
};

/// The query in quotes. One tool does for searches and pages: then the page.
fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    let action = given.nested(&["action"]);
    let query = given.text(&["query", "search_term", "q", "Query"]);
    let query =
        query.or_else(|| action.as_ref().and_then(|action| action.text("query")).map(std::borrow::Cow::into_owned));
    query.map(|query| format!("\"{query}\"")).or_else(|| given.text(&["url"]))
}

fn result(facts: &Facts) -> Option<String> {
    if let Some(json) = facts.structured() {
        let results = json.nested("results").filter(Json::is_array);
        let results = results.as_ref().map(|results| {
            let items = results.items().filter_map(|item| Json::parse(item.into()).ok());
            // Claude Code keeps lists of hits among words of the model.
            items.map(|item| item.count("content").unwrap_or(usize::from(item.is_object()))).sum()
        });
        if let Some(count) = results.filter(|count| *count > 0) {
            return Some(counted(count, "result", "results"));
        }
    }
    let text = facts.body();
    if !text.starts_with('[') {
        return None;
    }
    let array = Json::parse(text.into()).ok().filter(Json::is_array)?;
    Some(counted(array.items().count(), "result", "results"))
}
