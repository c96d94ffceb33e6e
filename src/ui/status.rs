//! How an outcome looks and what it is called.

use icondata_core::Icon;

use super::icon::{LuCheck, LuCircleDashed, LuCircleSlash, LuFlag, LuHand, LuLoaderCircle, LuX};
use crate::trace::Outcome;

/// The word for it.
pub fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::EndsRun => "ends run",
        Outcome::AwaitingApproval => "awaiting approval",
        other => other.name(),
    }
}

/// Its mark.
pub fn icon(outcome: &Outcome) -> Icon {
    match outcome {
        Outcome::Running => LuLoaderCircle,
        Outcome::Ok => LuCheck,
        Outcome::Error => LuX,
        Outcome::Lost => LuCircleDashed,
        Outcome::EndsRun => LuFlag,
        Outcome::AwaitingApproval => LuHand,
        Outcome::Refused { .. } | Outcome::Cancelled => LuCircleSlash,
    }
}
