//! A text as lines, folded to its first and last six (specs: cards, *Elision*).

use leptos::prelude::*;

use super::erased::{dynamic, state, words};
use crate::card::{Lines, Run};

/// A text as lines.
#[component]
pub fn LinesView(
    /// The text.
    lines: Lines,
) -> impl IntoView {
    let elision = lines.elision();
    let total = lines.len();
    let lines = StoredValue::new(lines);
    let open = RwSignal::new(false);
    let some = move |range: std::ops::Range<usize>| range.map(|at| view! { <Line lines at /> }).collect_view();
    if elision.hidden == 0 {
        return view! { <pre class="lines">{some(0..total)}</pre> }.into_any();
    }
    let tail = total - elision.tail;
    let label = move || match (open.get(), elision.hidden) {
        (true, _) => "Show fewer lines".to_owned(),
        (false, 1) => "⋯ 1 more line".to_owned(),
        (false, hidden) => format!("⋯ {} more lines", grouped(hidden)),
    };
    view! {
        <pre class="lines">
            {some(0..elision.head)}
            {dynamic(move || open.get().then(|| some(elision.head..tail).into_any()))}
            <button
                class="elision"
                type="button"
                aria-expanded=state(move || open.get())
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {words(label)}
            </button>
            {some(tail..total)}
        </pre>
    }
    .into_any()
}

/// A number with commas between its thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// One line, cut where it is very long.
#[component]
fn Line(lines: StoredValue<Lines>, at: usize) -> impl IntoView {
    let whole = RwSignal::new(false);
    let content = move || {
        lines.with_value(|lines| {
            if whole.get() {
                return (lines.line(at), 0);
            }
            let cut = lines.short_line(at);
            (cut.runs, cut.hidden)
        })
    };
    let more = move |hidden: usize| {
        let label = format!("+{} characters", grouped(hidden));
        (hidden > 0).then(|| view! { <button class="elision-inline" type="button" on:click=move |_| whole.set(true)>{label}</button> })
    };
    view! {
        <span class="output-line">
            {dynamic(move || {
                let (runs, hidden) = content();
                Some(view! { {runs.into_iter().map(run).collect_view()} {more(hidden)} }.into_any())
            })}
        </span>
    }
}

fn run(run: Run) -> AnyView {
    let classes = run.style.classes();
    let (foreground, background) = (run.style.foreground.css(), run.style.background.css());
    if classes.is_empty() && foreground.is_none() && background.is_none() {
        return run.text.into_any();
    }
    view! { <span class=classes style:color=foreground style:background-color=background>{run.text}</span> }.into_any()
}
