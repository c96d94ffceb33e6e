//! Looking at images.

use super::super::image;
use super::{COMMON, Family, PATH};

pub(super) static FAMILY: Family = Family {
    names: &["consult_vision", "view_image", "inspect_image"],
    call: |facts| facts.given().text(&["question", "prompt"]).or_else(|| facts.given().text(&PATH)),
    result: |facts| facts.first_line().or_else(|| image::summary(facts.blocks())),
    ..COMMON
};
