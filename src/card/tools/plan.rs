//! Plans that an agent lays before its user.

use super::super::lines::Lines;
use super::super::part::Part;
use super::{COMMON, Family, fallback};

pub(super) static FAMILY: Family = Family {
    names: &["ExitPlanMode", "exit_plan_mode", "EnterPlanMode", "plan_mode_respond", "present_plan"],
    call: |facts| {
        let plan = facts.given().text(&PLAN)?;
        let line = plan.lines().find(|line| !line.trim().is_empty())?;
        Some(line.trim_start_matches(['#', ' ']).to_owned())
    },
    input: |facts| {
        let given = facts.given();
        let plan = given.text(&PLAN)?;
        let mut parts = vec![Part::Lines(Lines::plain(plan))];
        parts.extend(fallback::fields(given.object()?, &PLAN));
        Some(parts)
    },
    ..COMMON
};

const PLAN: [&str; 2] = ["plan", "response"];
