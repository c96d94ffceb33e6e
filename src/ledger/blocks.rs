//! Which sub-agents' blocks stand around an agent's rows (specs: ledger, *Time order*).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::trace::{AgentId, Session};

/// The agents whose blocks hide the rows of `agent` while they are closed, itself among them.
#[must_use]
pub fn blocks_around(session: &Session, agent: &AgentId) -> HashSet<AgentId> {
    let agents: HashMap<&AgentId, Option<&str>> =
        session.agents.iter().map(|agent| (&agent.id, agent.spawned_by.as_deref())).collect();
    // The first call of an id is the one that spawns.
    let spawners: HashMap<&str, &AgentId> =
        session.calls.iter().rev().map(|call| (call.key.id.as_ref(), &call.key.agent)).collect();
    let mut around = HashSet::new();
    let mut at = agent;
    while around.insert(Arc::clone(at)) {
        let spawner = agents.get(at).copied().flatten().and_then(|id| spawners.get(id));
        let Some(parent) = spawner else { break };
        at = parent;
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Agent, CallKey, Content, Outcome, Span, ToolCall};

    fn session(spawns: &[(&str, &str, &str)]) -> Session {
        let mut session = Session::default();
        for (parent, call, child) in spawns {
            session.calls.push(Arc::new(ToolCall {
                key: CallKey { agent: (*parent).into(), id: (*call).into(), nth: 0 },
                name: "Agent".into(),
                asked_by: None,
                span: Span::default(),
                approximate: false,
                outcome: Outcome::Ok,
                preview: None,
                input: Content::None,
                output: Content::None,
                structured: None,
            }));
            let spawned_by = Some((*call).into());
            session.agents.push(Agent { id: (*child).into(), label: None, spawned_by, run: Span::default() });
        }
        session
    }

    fn around(session: &Session, agent: &str) -> Vec<String> {
        let mut around: Vec<_> = blocks_around(session, &agent.into()).iter().map(ToString::to_string).collect();
        around.sort();
        around
    }

    #[test]
    fn each_level_up_to_the_top() {
        let session = session(&[("main", "c1", "a"), ("a", "c2", "b"), ("x", "c3", "x")]);
        assert_eq!(around(&session, "b"), ["a", "b", "main"]);
        assert_eq!(around(&session, "main"), ["main"]);
        assert_eq!(around(&session, "x"), ["x"], "one that spawned itself");
        assert_eq!(around(&session, "nobody"), ["nobody"]);
    }
}
