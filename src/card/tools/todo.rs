//! To-do lists and plans.

use super::super::facts::Facts;
use super::super::given::Given;
use super::super::part::{Part, ToDoItem, ToDoState};
use super::super::summary::{Badge, Tone, short_line};
use super::{COMMON, Family, fallback};
use crate::json::Json;

pub(super) static FAMILY: Family = Family {
    names: &[
        "todo_write",
        "TodoWrite",
        "todo",
        "update_plan",
        "TaskCreate",
        "TaskUpdate",
        "write_todos",
        "TodoRead",
        "update_todo_list",
        "SetTodoList",
        "task_tracker",
        "manage_todo_list",
    ],
    call,
    badges,
    result: |facts| Some(short_line(facts.body()).unwrap_or_default()),
    input,
    ..COMMON
};

const LISTS: [&str; 6] = ["todos", "plan", "items", "task_list", "todoList", "tasks"];

fn items(given: &Given) -> Vec<ToDoItem> {
    if let Some(text) = given.content(&LISTS) {
        return checklist(&text);
    }
    let list = given.nested(&LISTS);
    let items = list.iter().flat_map(Json::items).filter_map(|raw| {
        let item = Json::parse(raw.into()).ok()?;
        let text = |keys: &[&str]| keys.iter().find_map(|key| item.text(key)).map(std::borrow::Cow::into_owned);
        if let Some(text) = item.string() {
            return Some(ToDoItem { text: text.into_owned(), state: ToDoState::Pending });
        }
        let state = match text(&["status", "state"]).as_deref() {
            Some("in_progress" | "in-progress" | "active" | "doing") => ToDoState::InProgress,
            Some("completed" | "done" | "complete") => ToDoState::Done,
            Some("cancelled" | "canceled") => ToDoState::Cancelled,
            _ if item.is_true("completed") || item.is_true("done") => ToDoState::Done,
            _ => ToDoState::Pending,
        };
        Some(ToDoItem { text: text(&["content", "step", "title", "description", "text", "task", "subject"])?, state })
    });
    items.collect()
}

/// `[x] done`, `[-] in progress` and `[ ] pending`, a line each.
fn checklist(text: &str) -> Vec<ToDoItem> {
    let items = text.lines().filter_map(|line| {
        let line = line.trim_ascii_start();
        let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line).strip_prefix('[')?;
        let (mark, text) = line.split_once(']')?;
        let state = match mark {
            "x" | "X" => ToDoState::Done,
            "-" | "~" | ">" => ToDoState::InProgress,
            " " | "" => ToDoState::Pending,
            _ => return None,
        };
        Some(ToDoItem { text: text.trim_ascii().to_owned(), state })
    });
    items.collect()
}

/// The item in progress, else the next one, else the last.
fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    let items = items(given);
    let of_state = |state| items.iter().find(|item| item.state == state);
    if let Some(item) = of_state(ToDoState::InProgress).or_else(|| of_state(ToDoState::Pending)).or(items.last()) {
        return Some(item.text.clone());
    }
    let task = given.text(&["subject", "content", "title"]);
    let id = given.text(&["taskId", "task_id", "id"]);
    let status = given.text(&["status"]);
    match (task, id, status) {
        (Some(task), _, _) => Some(task),
        (None, Some(id), Some(status)) => Some(format!("{id} → {status}")),
        (None, id, status) => id.or(status),
    }
}

fn badges(facts: &Facts) -> Vec<Badge> {
    let items = items(facts.given());
    if items.is_empty() {
        return Vec::new();
    }
    let done = items.iter().filter(|item| item.state == ToDoState::Done).count();
    let tone = if done == items.len() { Tone::Good } else { Tone::Plain };
    vec![Badge { text: format!("{done}/{} done", items.len()), tone }]
}

fn input(facts: &Facts) -> Option<Vec<Part>> {
    let items = items(facts.given());
    if items.is_empty() {
        return None;
    }
    let mut parts = fallback::fields(facts.given().object()?, &LISTS);
    parts.push(Part::ToDo(items));
    Some(parts)
}
