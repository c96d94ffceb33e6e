//! Icons: Lucide, as inline SVG.

use icondata_core::Icon;

use super::piece::{Piece, el};

pub use icondata_lu::{
    LuCheck, LuChevronRight, LuCircleDashed, LuCircleSlash, LuCopy, LuFlag, LuHand, LuLoaderCircle, LuMoon, LuSun,
    LuSunMoon, LuTriangleAlert, LuWrench, LuX,
};

/// An icon that only repeats what words beside it say; assistive technology passes it over.
pub fn icon(icon: Icon) -> Piece {
    el("svg")
        .attr("class", "icon")
        .attr("viewBox", "0 0 24 24")
        .attr("fill", "none")
        .attr("stroke", "currentColor")
        .attr("stroke-width", "2")
        .attr("stroke-linecap", "round")
        .attr("stroke-linejoin", "round")
        .attr("aria-hidden", "true")
        .markup(icon.data)
}
