//! Agents that are started, spoken to and waited for.

use super::super::facts::Facts;
use super::super::summary::Badge;
use super::{COMMON, Family};

pub(super) static FAMILY: Family = Family {
    names: &[
        "summon_agent",
        "send_agent_message",
        "read_agent",
        "list_agents",
        "agent",
        "task",
        "spawn_agent",
        "wait_agent",
        "close_agent",
        "send_input",
        "resume_agent",
        "SendMessage",
        "invoke_subagent",
        "delegate_to_agent",
        "subagent",
        "new_task",
    ],
    call,
    badges,
    result: |facts| facts.first_line(),
    ..COMMON
};

/// To whom a message goes, else what the agent is to do.
fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    if let Some(target) = given.text(&["conversationId", "conversation_id", "target", "to", "recipient"]) {
        return Some(target);
    }
    let task =
        given.text(&["title", "description", "task", "message", "prompt", "objective", "Task", "id", "agent_id"]);
    task.or_else(|| {
        let targets = given.nested(&["targets", "ids"])?;
        let targets: Vec<_> = targets.items().filter_map(crate::json::string).collect();
        (!targets.is_empty()).then(|| targets.join(", "))
    })
}

fn badges(facts: &Facts) -> Vec<Badge> {
    let kind =
        facts.given().text(&["subagent_type", "agent_type", "agentType", "agent", "agent_name", "agentName", "mode"]);
    let mut badges: Vec<_> = kind.into_iter().map(|kind| Badge::plain(super::super::one_line(&kind, 40))).collect();
    if facts.given().is_true(&["run_in_background"]) {
        badges.push(Badge::plain("bg"));
    }
    badges
}
