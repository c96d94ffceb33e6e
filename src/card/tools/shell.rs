//! Commands: `run_shell`, `Bash`, `exec_command` and their like.

use super::super::facts::Facts;
use super::super::given::Given;
use super::super::lines::{Language, Lines};
use super::super::part::Part;
use super::super::summary::{Badge, line_count};
use super::{COMMON, Family, Shown, fallback};
use crate::json::{self, Json};

pub(super) static FAMILY: Family = Family {
    names: &[
        "bash",
        "shell",
        "run_shell",
        "shell_command",
        "exec_command",
        "exec",
        "run_shell_command",
        "run_command",
        "run_commands",
        "run_terminal_cmd",
        "run_terminal",
        "run_in_terminal",
        "runInTerminal",
        "execute",
        "execute_command",
        "execute_bash",
        "terminal",
        "run",
        "PowerShell",
        "local_shell_call",
        "local_shell",
        "shell_call",
        "bash_code_execution",
        "developer__shell",
        "BashOutput",
        "write_stdin",
        "read_bash",
        "write_bash",
        "command",
    ],
    call: |facts| {
        let given = facts.given();
        let first = command(given).and_then(|command| first_line(&command));
        // What follows a running command names it.
        first.or_else(|| given.text(&["bash_id", "shell_id", "session_id", "sessionId", "task_id"]))
    },
    badges,
    result,
    failure: |facts| Some(ended(facts)),
    input,
    shown: Shown::Terminal,
    ..COMMON
};

const COMMAND: [&str; 8] = ["command", "cmd", "CommandLine", "script", "commands", "argv", "chars", "code"];

/// The whole command, as it would be typed.
fn command(given: &Given) -> Option<String> {
    match given {
        Given::Absent => None,
        Given::Text(text) => Some(text.to_string()),
        Given::Json(json) if json.is_array() => arguments(json),
        Given::Json(json) => {
            // Hosted shells put it one level deeper.
            let action = json.nested("action");
            let json = action.as_ref().unwrap_or(json);
            COMMAND.iter().find_map(|key| {
                let raw = json.get(key)?;
                if let Some(text) = json::string(raw) {
                    return Some(text.into_owned()).filter(|text| !text.is_empty());
                }
                let array = json.nested(key).filter(Json::is_array)?;
                if *key == "commands" {
                    let commands: Vec<_> =
                        array.items().map(|item| json::string(item).unwrap_or(item.into())).collect();
                    return Some(commands.join("\n"));
                }
                arguments(&array)
            })
        }
    }
}

/// An array of arguments joined as a shell would need it; `bash -lc X` is X.
fn arguments(array: &Json) -> Option<String> {
    let words: Vec<_> = array.items().map(|item| json::string(item).unwrap_or(item.into())).collect();
    if let [shell, flag, script] = words.as_slice()
        && is_shell(shell)
        && matches!(&**flag, "-c" | "-lc" | "-ic" | "-lic" | "-Command" | "-command" | "/c" | "/C")
    {
        return Some(script.to_string());
    }
    (!words.is_empty()).then(|| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "fish" | "ksh" | "powershell" | "pwsh" | "cmd")
}

/// A word with quotes where a shell would take it apart.
fn quoted(word: &str) -> String {
    let is_safe = |char: char| char.is_alphanumeric() || "-_./:=@%+,".contains(char);
    if !word.is_empty() && word.chars().all(is_safe) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// `bash -lc 'X'` typed as one text is X, when nothing follows the quotes.
fn unwrapped(command: &str) -> Option<String> {
    let mut words = command.trim_ascii().splitn(3, ' ');
    let (shell, flag, script) = (words.next()?, words.next()?, words.next()?.trim_ascii());
    if !is_shell(shell) || !matches!(flag, "-c" | "-lc") {
        return None;
    }
    let quote = script.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let inside = script.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inside.contains([quote, '\\'])).then(|| inside.to_owned())
}

fn first_line(command: &str) -> Option<String> {
    let unwrapped = unwrapped(command);
    let command = unwrapped.as_deref().unwrap_or(command);
    command.lines().find(|line| !line.trim().is_empty()).map(str::to_owned)
}

fn badges(facts: &Facts) -> Vec<Badge> {
    let given = facts.given();
    let mut badges = Vec::new();
    let structured = facts.structured();
    let has_task = structured.is_some_and(|json| json.text("backgroundTaskId").is_some());
    if has_task || given.is_true(&["run_in_background", "is_background", "isBackground", "background"]) {
        badges.push(Badge::plain("bg"));
    }
    if let Some(limit) = given.integer(&["timeout_ms", "timeout", "timeoutMs"]).filter(|limit| *limit > 0) {
        let is_millis = given.integer(&["timeout"]).is_none() || limit >= 1_000;
        badges.push(Badge::plain(format!("timeout {}", span(if is_millis { limit } else { limit * 1_000 }))));
    }
    badges
}

/// `500ms`, `10s`, `1m30s`.
fn span(millis: i64) -> String {
    match (millis / 60_000, millis % 60_000 / 1_000) {
        (0, 0) => format!("{millis}ms"),
        (0, seconds) => format!("{seconds}s"),
        (minutes, 0) => format!("{minutes}m"),
        (minutes, seconds) => format!("{minutes}m{seconds}s"),
    }
}

fn result(facts: &Facts) -> Option<String> {
    if facts.exit().is_some_and(|exit| exit != 0) {
        return Some(ended(facts));
    }
    let envelope = facts.envelope();
    if envelope.timed_out {
        return Some("timed out".to_owned());
    }
    if envelope.truncated {
        return Some("truncated".to_owned());
    }
    if envelope.runs_on {
        return Some(match line_count(facts.body()).as_str() {
            "no output" => "still running".to_owned(),
            lines => format!("still running · {lines}"),
        });
    }
    let has_image = facts.structured().is_some_and(|json| json.is_true("isImage"));
    (!has_image && facts.body().trim_ascii().is_empty() && !facts.text().is_empty()).then(|| "no output".to_owned())
}

/// `exit 2 · 12 lines`.
fn ended(facts: &Facts) -> String {
    let envelope = facts.envelope();
    if envelope.timed_out {
        return "timed out".to_owned();
    }
    let how = match facts.exit() {
        Some(exit) if exit != 0 => format!("exit {exit}"),
        _ => "failed".to_owned(),
    };
    let what = if envelope.truncated { "truncated".to_owned() } else { line_count(facts.body()) };
    format!("{how} · {what}")
}

fn input(facts: &Facts) -> Option<Vec<Part>> {
    let given = facts.given();
    // The free text of `exec` is a program that runs commands, and no command itself.
    if given.free_text().is_some() && facts.call.name.eq_ignore_ascii_case("exec") {
        return None;
    }
    let command = command(given)?;
    let mut parts = vec![Part::Lines(Lines::new(command, Language::Shell))];
    if let Some(object) = given.object() {
        parts.extend(fallback::fields(object, &COMMAND));
    }
    Some(parts)
}
