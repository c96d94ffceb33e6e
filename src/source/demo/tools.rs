//! The tools of the script, with inputs and outputs shaped as Claude Code writes them.

use super::call::Call;

/// Where the invented repository lies.
const ROOT: &str = "/home/ines/gale";

pub fn bash(command: &str, description: &str) -> Call {
    Call::new("Bash", object(&[("command", command), ("description", description)]))
}

/// Reads lines of a file, the first of which has the number `first`.
pub fn read(path: &str, first: usize, text: &str) -> Call {
    let call = Call::new("Read", object(&[("file_path", &full(path))])).takes(240).gives(numbered(first, text));
    if first == 1 {
        return call;
    }
    let limit = text.lines().count().to_string();
    call.with("offset", &first.to_string()).with("limit", &limit)
}

/// Replaces `old`, which begins on line `line`, by `new`.
pub fn edit(path: &str, line: usize, old: &str, new: &str) -> Call {
    let path = full(path);
    let input = object(&[("file_path", &path), ("old_string", old), ("new_string", new)]);
    let minus = old.lines().map(|text| quoted(&format!("-{text}")));
    let plus = new.lines().map(|text| quoted(&format!("+{text}")));
    let structured = format!(
        r#"{{"filePath":{},"oldString":{},"newString":{},"structuredPatch":[{{"oldStart":{line},"oldLines":{},"newStart":{line},"newLines":{},"lines":[{}]}}],"userModified":false,"replaceAll":false}}"#,
        quoted(&path),
        quoted(old),
        quoted(new),
        old.lines().count(),
        new.lines().count(),
        minus.chain(plus).collect::<Vec<_>>().join(","),
    );
    let snippet = numbered(line, new);
    Call::new("Edit", input)
        .gives(format!("The file {path} has been updated. Here is the edited part, with line numbers:\n{snippet}"))
        .structured(structured)
}

pub fn multi_edit(path: &str, edits: &[(&str, &str)]) -> Call {
    let list: Vec<_> = edits.iter().map(|(old, new)| object(&[("old_string", old), ("new_string", new)])).collect();
    let path = full(path);
    Call::new("MultiEdit", object(&[("file_path", &path)]))
        .with("edits", &format!("[{}]", list.join(",")))
        .gives(format!("Applied {} edits to {path}", edits.len()))
}

pub fn write(path: &str, content: &str) -> Call {
    let path = full(path);
    Call::new("Write", object(&[("file_path", &path), ("content", content)]))
        .gives(format!("File created successfully at: {path}"))
}

/// Shows the lines that match.
pub fn grep(pattern: &str, path: &str, found: &str) -> Call {
    let mut files: Vec<_> = found.lines().filter_map(|line| line.split(':').next()).collect();
    files.dedup();
    Call::new("Grep", object(&[("pattern", pattern), ("path", &full(path)), ("output_mode", "content")]))
        .with("-n", "true")
        .gives(found)
        .structured(format!(r#"{{"mode":"content","numFiles":{},"numLines":{}}}"#, files.len(), found.lines().count()))
}

pub fn glob(pattern: &str, found: &[&str]) -> Call {
    let files: Vec<_> = found.iter().map(|path| full(path)).collect();
    let names: Vec<_> = files.iter().map(|path| quoted(path)).collect();
    let structured = format!(
        r#"{{"filenames":[{}],"durationMs":14,"numFiles":{},"truncated":false}}"#,
        names.join(","),
        names.len()
    );
    Call::new("Glob", object(&[("pattern", pattern)])).gives(files.join("\n")).structured(structured)
}

/// A list of items, each with what doing it is called, of which the first `done` are done.
pub fn todo<'a>(items: impl IntoIterator<Item = (&'a str, &'a str)>, done: usize) -> Call {
    let items: Vec<_> = items
        .into_iter()
        .enumerate()
        .map(|(at, (content, active))| {
            let status = match at.cmp(&done) {
                std::cmp::Ordering::Less => "completed",
                std::cmp::Ordering::Equal => "in_progress",
                std::cmp::Ordering::Greater => "pending",
            };
            object(&[("content", content), ("status", status), ("activeForm", active)])
        })
        .collect();
    Call::new("TodoWrite", format!(r#"{{"todos":[{}]}}"#, items.join(",")))
        .takes(60)
        .gives("The to-do list is up to date.")
}

/// Starts a sub-agent, which works while its caller goes on.
pub fn agent(id: &str, kind: &str, description: &str, prompt: &str) -> Call {
    Call::new("Agent", object(&[("description", description), ("prompt", prompt), ("subagent_type", kind)]))
        .with("run_in_background", "true")
        .gives(format!(
            "The agent was started.\nagentId: {id}\nIt works in the background; read what it found with TaskOutput."
        ))
        .structured(format!(
            r#"{{"isAsync":true,"status":"async_launched","agentId":"{id}","description":{}}}"#,
            quoted(description)
        ))
}

/// Lines as a file's reader gets them: right-aligned numbers, an arrow, the text.
fn numbered(first: usize, text: &str) -> String {
    let lines: Vec<_> = (first..).zip(text.lines()).map(|(number, line)| format!("{number:>6}→{line}")).collect();
    lines.join("\n")
}

fn full(path: &str) -> String {
    format!("{ROOT}/{path}")
}

/// A JSON object of texts, in the order given.
pub fn object(fields: &[(&str, &str)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
    format!("{{{}}}", fields.join(","))
}

pub fn quoted(text: &str) -> String {
    crate::json::quote(text)
}
