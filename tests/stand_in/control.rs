//! Levers for trying the page by hand: `curl -X POST http://127.0.0.1:8090/_control/call`.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};

use super::server::Shared;
use super::{EXAMPLE, Fault, Moment, Route, api, live_step};

const LEVERS: &str = "\
POST /_control/call              the example's main agent ends its call and makes another
POST /_control/hang-up           drops all event streams
POST /_control/begin-again       the example comes back as a new session, counted from 1
POST /_control/behave            ends all faults
POST /_control/{route}/{fault}   route: all list session event timeline stream
                                 fault: not-found server-error unreachable cut-json null-arrays year-one slow
";

pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/_control", get(async || api::plain(StatusCode::OK, LEVERS)))
        .route("/_control/{lever}", post(pull))
        .route("/_control/{route}/{fault}", post(set_fault))
}

async fn pull(State(shared): State<Arc<Shared>>, Path(lever): Path<String>) -> Response {
    match lever.as_str() {
        "call" => {
            let step = shared.next_step();
            shared.play(EXAMPLE, |story| live_step(story, step));
        }
        "hang-up" => shared.hang_up(),
        "begin-again" => {
            shared.world().begin_again(EXAMPLE, Moment::now());
            let step = shared.next_step();
            shared.play(EXAMPLE, |story| live_step(story, step));
        }
        "behave" => shared.behave(),
        _ => return api::plain(StatusCode::NOT_FOUND, LEVERS),
    }
    api::plain(StatusCode::OK, "done\n")
}

async fn set_fault(State(shared): State<Arc<Shared>>, Path((route, fault)): Path<(String, String)>) -> Response {
    match routes(&route).zip(fault_named(&fault)) {
        Some((routes, fault)) => {
            shared.misbehave(&routes, fault);
            api::plain(StatusCode::OK, "done\n")
        }
        None => api::plain(StatusCode::NOT_FOUND, LEVERS),
    }
}

fn routes(name: &str) -> Option<Vec<Route>> {
    Some(match name {
        "all" => Route::ALL.to_vec(),
        "list" => vec![Route::List],
        "session" => vec![Route::Session],
        "event" => vec![Route::Event],
        "timeline" => vec![Route::Timeline],
        "stream" => vec![Route::Stream],
        _ => return None,
    })
}

fn fault_named(name: &str) -> Option<Fault> {
    Some(match name {
        "not-found" => Fault::NotFound,
        "server-error" => Fault::ServerError,
        "unreachable" => Fault::Unreachable,
        "cut-json" => Fault::CutJson,
        "null-arrays" => Fault::NullArrays,
        "year-one" => Fault::YearOne,
        "slow" => Fault::Slow(Duration::from_secs(3)),
        _ => return None,
    })
}
