//! Questions to the user.

use super::super::facts::Facts;
use super::super::part::{Choice, Part, Question};
use super::{COMMON, Family, fallback};
use crate::json::{self, Json};

pub(super) static FAMILY: Family = Family {
    names: &[
        "AskUserQuestion",
        "ask",
        "question",
        "request_user_input",
        "ask_user",
        "ask_followup_question",
        "ask_question",
    ],
    call,
    result,
    input,
    ..COMMON
};

const QUESTION: [&str; 4] = ["question", "prompt", "text", "message"];

fn call(facts: &Facts) -> Option<String> {
    let questions = questions(facts);
    let texts: Vec<_> = questions.iter().map(|question| question.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join(" · "))
}

/// The answers, as the questions stand.
fn result(facts: &Facts) -> Option<String> {
    let answers: Vec<_> = questions(facts).iter().flat_map(answers).collect();
    if answers.is_empty() {
        return facts.first_line();
    }
    Some(super::super::one_line(&answers.join(" · "), super::super::SUMMARY_LIMIT))
}

fn answers(question: &Question) -> Vec<String> {
    let chosen = question.options.iter().filter(|option| option.chosen).map(|option| option.label.clone());
    chosen.chain(question.answer.clone()).collect()
}

fn input(facts: &Facts) -> Option<Vec<Part>> {
    let questions = questions(facts);
    if questions.is_empty() {
        return None;
    }
    let mut shown = QUESTION.to_vec();
    shown.extend(["questions", "options", "follow_up", "header"]);
    let mut parts = vec![Part::Questions(questions)];
    parts.extend(fallback::fields(facts.given().object()?, &shown));
    Some(parts)
}

fn questions(facts: &Facts) -> Vec<Question> {
    let Some(object) = facts.given().object() else { return Vec::new() };
    let told = Told::read(facts);
    if let Some(list) = object.nested("questions") {
        let items = list.items().filter_map(|item| Json::parse(item.into()).ok());
        return items.enumerate().filter_map(|(place, item)| question(&item, place, &told)).collect();
    }
    question(object, 0, &told).into_iter().collect()
}

fn question(json: &Json, place: usize, told: &Told) -> Option<Question> {
    let text =
        |json: &Json, keys: &[&str]| keys.iter().find_map(|key| json.text(key)).map(std::borrow::Cow::into_owned);
    let asked = json.string().map(std::borrow::Cow::into_owned).or_else(|| text(json, &QUESTION))?;
    let given = told.answers(&asked, json.text("id").as_deref(), place);
    let list = json.nested("options").or_else(|| json.nested("follow_up"));
    let options: Vec<_> = list
        .iter()
        .flat_map(Json::items)
        .filter_map(|raw| {
            let item = Json::parse(raw.into()).ok()?;
            let label = item.string().map(std::borrow::Cow::into_owned);
            let label = label.or_else(|| text(&item, &["label", "text", "value", "title"]))?;
            let chosen = given.contains(&label)
                // Several answers in one text.
                || given.iter().any(|answer| answer.split(", ").any(|part| part == label));
            Some(Choice { label, description: text(&item, &["description"]), chosen })
        })
        .collect();
    let is_option = options.iter().any(|option| option.chosen);
    let answer = (!is_option && !given.is_empty()).then(|| given.join(", "));
    Some(Question { header: text(json, &["header"]), text: asked, options, answer })
}

/// The answers that came back: by question, by id, or in the order of the questions.
#[derive(Default)]
struct Told(Vec<(String, Vec<String>)>);

impl Told {
    fn read(facts: &Facts) -> Self {
        if !facts.has_output() || facts.failed() {
            return Self::default();
        }
        let body = facts.body();
        let own = Json::parse(body.into()).ok();
        let json = facts.structured().filter(|json| json.get("answers").is_some()).or(own.as_ref());
        if let Some(answers) = json.and_then(|json| json.nested("answers")) {
            let fields = answers.fields().map(|(key, raw)| (key.into_owned(), texts(raw)));
            let items = answers.items().map(|raw| (String::new(), texts(raw)));
            return Self(fields.chain(items).collect());
        }
        Self(pairs(body))
    }

    fn answers(&self, question: &str, id: Option<&str>, place: usize) -> Vec<String> {
        let named = self.0.iter().find(|(key, _)| key == question || Some(key.as_str()) == id);
        let placed = || self.0.get(place).filter(|(key, _)| key.is_empty());
        named.or_else(placed).map(|(_, answers)| answers.clone()).unwrap_or_default()
    }
}

/// A text, a list of texts, or an object with such a list.
fn texts(raw: &str) -> Vec<String> {
    if let Some(text) = json::string(raw) {
        return vec![text.into_owned()];
    }
    let Ok(json) = Json::parse(raw.into()) else { return Vec::new() };
    if let Some(answers) = json.nested("answers") {
        return answers.items().filter_map(json::string).map(std::borrow::Cow::into_owned).collect();
    }
    json.items().filter_map(json::string).map(std::borrow::Cow::into_owned).collect()
}

/// `"question"="answer"`, as Claude Code and opencode write it in a sentence.
fn pairs(text: &str) -> Vec<(String, Vec<String>)> {
    let parts = text.split("\"=\"").collect::<Vec<_>>();
    let pairs = parts.windows(2).filter_map(|two| {
        let question = two[0].rsplit_once(['"']).map_or(two[0], |(_, question)| question);
        let answer = two[1].split('"').next()?;
        Some((question.to_owned(), vec![answer.to_owned()]))
    });
    pairs.collect()
}
