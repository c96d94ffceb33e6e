//! SWE-agent's trajectories: steps that hold a call with its result, or the history alone; and mini-swe-agent's messages,
//! where the call is a block of shell in the model's words (specs: session-files §14).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use memchr::memmem;

use super::content;
use super::otlp::objects;
use super::source::{Container, Sample, Source};
use super::transcript::{Answer, Asked};
use super::wire::Wire;
use super::{Belongs, Format, Reading};
use crate::json::{Json, decimal};
use crate::trace::{AgentId, Block, Content, Text};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.container == Container::Document
        && sample.any(|json| {
            json.nested("trajectory").is_some_and(|steps| steps.is_array())
                || json.nested("history").is_some_and(|history| is_history(&history))
                || is_mini(messages(json).as_ref().unwrap_or(json))
        })
}

fn is_history(json: &Json<'_>) -> bool {
    objects(json).take(20).any(|message| message.get("role").is_some() && message.get("content").is_some())
}

/// mini-swe-agent's later versions put the messages into an object.
fn messages<'a>(json: &'a Json<'_>) -> Option<Json<'a>> {
    json.nested("messages").filter(|_| json.get("info").is_some())
}

/// Whether the model is told to write a block of shell, or does so in its first words and nothing else tells of calls.
fn is_mini(list: &Json<'_>) -> bool {
    list.is_array()
        && objects(list).take(6).any(|message| {
            message.text("content").is_some_and(|text| {
                let told = message.text("role").is_some_and(|role| role != "assistant");
                told && (text.contains("```mswea_bash_command")
                    || text.contains("```bash") && text.contains("EXACTLY ONE"))
            })
        })
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut wire = Wire::new(&source.name, &source.buffer);
    wire.transcript.session.host = Some("swe-agent".into());
    if let Some(json) = source.document() {
        if let Some(steps) = json.nested("trajectory").filter(Json::is_array) {
            read_steps(&mut wire, &steps);
        } else if let Some(history) = json.nested("history") {
            read_history(&mut wire, &history);
        } else {
            wire.transcript.session.host = Some("mini-swe-agent".into());
            read_mini(&mut wire, messages(&json).as_ref().unwrap_or(&json));
        }
    }
    vec![source.reading(Format::SweAgent, wire.transcript.finish(false), Belongs::Alone)]
}

/// Steps know the order and the duration, but no clock.
fn read_steps(wire: &mut Wire, steps: &Json<'_>) {
    let agent = Arc::clone(&wire.agent);
    for (position, raw) in steps.items().enumerate() {
        let Some(step) = Json::parse(raw.into()).ok().filter(Json::is_object) else {
            wire.transcript.problem(format!("trajectory[{position}]"), "it is no object");
            continue;
        };
        let exchange = wire.transcript.exchange(&agent, &Arc::default(), None);
        exchange.said = content::text(&wire.buffer, &step, "thought");
        let action = step.text("action").unwrap_or_default();
        if action.trim().is_empty() {
            continue;
        }
        let buffer = Arc::clone(&wire.buffer);
        let input = content::input(&buffer, step.get("action"));
        let asked = Asked { agent: Arc::clone(&agent), id: Arc::default(), name: command(&action), input, at: None };
        let place = wire.transcript.call_anew(asked);
        if let Some(raw) = step.get("observation").filter(|raw| *raw != "null") {
            let output = content::blocks(&buffer, raw);
            wire.transcript.result_of(place, Answer { output, ..Answer::default() });
        }
        if let (Some(call), Some(time)) = (wire.transcript.call_at(place), step.get("execution_time")) {
            call.preview = decimal(time, 3).map(|millis| format!("ran {millis} ms").into());
        }
    }
}

/// The command that an action runs: its first word.
fn command(action: &str) -> Arc<str> {
    action.split_whitespace().next().unwrap_or_default().into()
}

/// The history alone: calls of functions by their ids, else the action of each message with the one after it.
fn read_history(wire: &mut Wire, history: &Json<'_>) {
    if objects(history).any(|message| message.nested("tool_calls").is_some_and(|calls| calls.items().next().is_some()))
    {
        wire.messages(history);
        return;
    }
    let agent = Arc::clone(&wire.agent);
    let mut open = None;
    for message in objects(history) {
        if message.is_true("is_demo") {
            continue;
        }
        let is_model = message.text("role").as_deref() == Some("assistant");
        let action = message.text("action").filter(|action| is_model && !action.trim().is_empty());
        if let Some(action) = action {
            wire.transcript.exchange(&agent, &Arc::default(), None);
            let input = content::input(&wire.buffer, message.get("action"));
            let asked =
                Asked { agent: Arc::clone(&agent), id: Arc::default(), name: command(&action), input, at: None };
            open = Some(wire.transcript.call_anew(asked));
        } else if let Some(place) = open.take_if(|_| !is_model) {
            let output = content::blocks(&wire.buffer, message.get("content").unwrap_or("null"));
            wire.transcript.result_of(place, Answer { output, ..Answer::default() });
        }
    }
}

fn read_mini(wire: &mut Wire, messages: &Json<'_>) {
    let agent = Arc::clone(&wire.agent);
    let mut open = None;
    for (position, raw) in messages.items().enumerate() {
        let Some(message) = Json::parse(raw.into()).ok().filter(Json::is_object) else {
            wire.transcript.problem(format!("messages[{position}]"), "it is no object");
            continue;
        };
        let blocks = content::blocks(&wire.buffer, message.get("content").unwrap_or("null"));
        match message.text("role").as_deref() {
            Some("assistant") => open = mini_call(wire, &agent, blocks),
            Some("user" | "tool" | "exit") => match open.take() {
                Some(place) => mini_result(wire, place, blocks),
                None if wire.transcript.session.prompts.is_empty() => {
                    if let Some(text) = content::words(blocks) {
                        wire.transcript.prompt(&agent, None, text);
                    }
                }
                None => {}
            },
            _ => {}
        }
    }
}

/// One block of shell is the call; none or several are a mistake, which runs nothing.
fn mini_call(wire: &mut Wire, agent: &AgentId, blocks: Vec<Block>) -> Option<usize> {
    let said = content::words(blocks)?;
    let input = shell(&said.read()).map(Text::from);
    wire.transcript.exchange(agent, &Arc::default(), None).said = Some(said);
    let asked = Asked {
        agent: Arc::clone(agent),
        id: Arc::default(),
        name: "bash".into(),
        input: Content::Held(input?),
        at: None,
    };
    Some(wire.transcript.call_anew(asked))
}

/// The inside of the only block of shell.
fn shell(text: &str) -> Option<String> {
    let open = ["```mswea_bash_command\n", "```bash\n"];
    let open = open.into_iter().find(|open| text.contains(open))?;
    let starts: Vec<usize> = memmem::find_iter(text.as_bytes(), open).map(|at| at + open.len()).collect();
    let [start] = starts[..] else { return None };
    let rest = text.get(start..)?;
    Some(rest.split_once("\n```").map_or(rest, |(inside, _)| inside).to_owned())
}

fn mini_result(wire: &mut Wire, place: usize, output: Vec<Block>) {
    let code = output.iter().find_map(|block| match block {
        Block::Text(text) => exit_code(&text.read()),
        _ => None,
    });
    let is_error = code.is_some_and(|code| code != 0);
    wire.transcript.result_of(place, Answer { output, is_error, ..Answer::default() });
}

/// The number between `<returncode>` and its end.
fn exit_code(text: &str) -> Option<i64> {
    text.split_once("<returncode>")?.1.split_once("</returncode>")?.0.trim().parse().ok()
}
