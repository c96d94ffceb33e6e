//! The totals of each tool as a table (specs: ledger, *Totals*).

use std::sync::Arc;

use leptos::prelude::*;

use super::Desk;
use crate::card::visible;
use crate::ledger::{Column, Direction, Part, Total, Totals, duration_text};
use crate::ui::erased::memo;
use crate::ui::piece::{Piece, button, el, perhaps};

const COLUMNS: [(&str, Column, &str); 8] = [
    ("tool", Column::Tool, "The tool's name"),
    ("calls", Column::Calls, "How many calls"),
    ("errors", Column::Errors, "How many of them failed"),
    ("total", Column::Total, "The sum of their times"),
    ("p50", Column::P50, "Half of the calls took no longer"),
    ("p95", Column::P95, "95 of 100 calls took no longer"),
    ("max", Column::Max, "The longest"),
    ("share", Column::Total, "Share of the time of all tools"),
];

pub(super) fn panel(desk: Desk) -> Piece {
    let screen = desk.screen;
    let order = RwSignal::new((Column::Total, Direction::Descending));
    let totals = memo(move || {
        screen.changed.track();
        let mut totals = screen.with_session(|session| Totals::of(&session.calls));
        let (column, direction) = order.get();
        totals.sort(column, direction);
        totals
    });
    let head = COLUMNS.iter().enumerate().map(|(place, &(name, column, title))| {
        let sort = move || {
            order.update(|(by, direction)| {
                *direction = if *by == column { direction.turned() } else { first_direction(column) };
                *by = column;
            });
        };
        let is_sorted = move || {
            let (by, direction) = order.get();
            let on = by == column && place != COLUMNS.len() - 1;
            on.then(|| if direction == Direction::Ascending { "ascending" } else { "descending" }.to_owned())
        };
        el("th")
            .attr("scope", "col")
            .attr("aria-sort", perhaps(is_sorted))
            .attr("title", title)
            .with(button("column", sort).text(name))
    });
    let body = move || {
        let rows = totals.with(|totals| {
            let tools = totals.tools.iter().map(|total| row(desk, total));
            tools.chain([row(desk, &totals.all)]).collect::<Vec<_>>()
        });
        Some(el("tbody").with_all(rows))
    };
    let table = el("table")
        .attr("data-testid", "totals")
        .attr("class", "totals")
        .with(el("caption").attr("class", "visually-hidden").text("Totals of each tool"))
        .with(el("thead").with(el("tr").with_all(head)))
        .when(body);
    el("section").attr("class", "panel").attr("aria-label", "Totals").with(table)
}

fn first_direction(column: Column) -> Direction {
    if column == Column::Tool { Direction::Ascending } else { Direction::Descending }
}

fn row(desk: Desk, total: &Total) -> Piece {
    let is_all = total.tool.is_empty();
    let name = if is_all { "all tools".to_owned() } else { visible(&total.tool).into_owned() };
    let time = |nanos: Option<i64>| nanos.map_or_else(|| "—".to_owned(), duration_text);
    let figures = [
        total.calls.to_string(),
        if total.errors == 0 { String::new() } else { total.errors.to_string() },
        time(Some(total.total).filter(|_| total.max.is_some())),
        time(total.p50),
        time(total.p95),
        time(total.max),
        format!("{}.{} %", total.share / 10, total.share % 10),
    ];
    let tool = Arc::clone(&total.tool);
    let head = el("th").attr("scope", "row");
    let head = if is_all {
        head.text(name)
    } else {
        let press = move || {
            let part = Part::Tool(Arc::clone(&tool));
            desk.screen.change_view(|view| view.filter.toggle(&part));
        };
        head.with(button("total-tool", press).attr("title", "Shows the calls of this tool alone").text(name))
    };
    el("tr").with(head).with_all(figures.into_iter().map(|figure| el("td").text(figure)))
}
