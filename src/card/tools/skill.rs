//! Skills.

use super::{COMMON, Family, Shown};

pub(super) static FAMILY: Family = Family {
    names: &["load_skill", "skill", "activate_skill", "SlashCommand"],
    call: |facts| facts.given().text(&["skill", "name", "command", "skill_name"]),
    shown: Shown::Verbatim,
    ..COMMON
};
