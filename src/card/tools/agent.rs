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

/// What the agent is to do; of a message, to whom it goes.
fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    let names = given.text(&["title", "description", "task", "Task"]);
    let target = || given.text(&["conversationId", "conversation_id", "target", "to", "recipient", "agent_id", "id"]);
    let words = || given.text(&["message", "prompt", "objective"]);
    names.or_else(target).or_else(words).or_else(|| {
        let targets = given.nested(&["targets", "ids"])?;
        let targets: Vec<_> = targets.items().filter_map(crate::json::string).collect();
        (!targets.is_empty()).then(|| targets.join(", "))
    })
}

fn badges(facts: &Facts) -> Vec<Badge> {
    let kind = facts.given().text(&["subagent_type", "agent_type", "agentType", "agent", "agent_name", "agentName"]);
    let mut badges: Vec<_> = kind.into_iter().map(|kind| Badge::plain(super::super::one_line(&kind, 40))).collect();
    if facts.given().is_true(&["run_in_background"]) {
        badges.push(Badge::plain("bg"));
    }
    badges
}
