//! Being told things over a WebSocket. Bound by hand: no wrapper that streams and sends weighs as little.

use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, WebSocket};

/// What happens to a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// The other side took it up.
    Opened,
    /// It says something. What it says in bytes is left out.
    Text(String),
    /// It hung up, or never took it up. Nothing more comes.
    Closed,
}

/// A socket that only listens; dropping it hangs up without a word.
pub struct Socket {
    socket: WebSocket,
    // Held for as long as the socket calls it.
    callback: Closure<dyn FnMut(Event)>,
}

/// What the socket calls it for.
const KINDS: [&str; 3] = ["open", "message", "close"];

impl Socket {
    /// Opens `url` and tells of it until it is dropped. `None` where the browser refuses the address.
    #[must_use]
    pub fn open(url: &str, mut on_told: impl FnMut(Told) + 'static) -> Option<Self> {
        let callback = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            let told = match event.dyn_ref::<MessageEvent>() {
                Some(message) => message.data().as_string().map(Told::Text),
                None if event.type_() == "open" => Some(Told::Opened),
                None => Some(Told::Closed),
            };
            told.into_iter().for_each(&mut on_told);
        });
        let socket = WebSocket::new(url).ok()?;
        for kind in KINDS {
            // Fails for no kind that has a name.
            let _ = socket.add_event_listener_with_callback(kind, callback.as_ref().unchecked_ref());
        }
        Some(Self { socket, callback })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        for kind in KINDS {
            let _ = self.socket.remove_event_listener_with_callback(kind, self.callback.as_ref().unchecked_ref());
        }
        // Fails for codes alone, and none is given.
        let _ = self.socket.close();
    }
}
