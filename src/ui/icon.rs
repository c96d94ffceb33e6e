//! Icons: Lucide, as inline SVG.

use icondata_core::Icon as Data;
use leptos::prelude::*;

pub use icondata_lu::{
    LuCheck, LuChevronRight, LuCircleDashed, LuCircleSlash, LuCopy, LuFlag, LuHand, LuLoaderCircle, LuMoon, LuSun,
    LuSunMoon, LuTriangleAlert, LuWrench, LuX,
};

/// An icon that only repeats what words beside it say; assistive technology passes it over.
#[component]
pub fn Icon(
    /// Which.
    icon: Data,
) -> impl IntoView {
    // The paths are constants of the icon set, never text of a session.
    view! {
        <svg
            class="icon"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
            inner_html=icon.data
        ></svg>
    }
}
