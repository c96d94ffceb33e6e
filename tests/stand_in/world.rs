//! All sessions that the proxy holds.

use super::{Moment, Session, Story, wire};

const ARCHIVE: wire::Archive = wire::Archive { bytes: 52_428_800, max_bytes: 2_147_483_648, retention_days: 30 };

/// The sessions in memory and those on disk alone.
#[derive(Default)]
pub struct World {
    sessions: Vec<Session>,
    archived: Vec<Session>,
    /// The session that was added to last; the API calls it active.
    last: Option<String>,
}

impl World {
    /// A world of these sessions; the last one is the active one.
    pub fn of(sessions: impl IntoIterator<Item = Session>) -> Self {
        let sessions: Vec<Session> = sessions.into_iter().collect();
        let last = sessions.last().map(|session| session.id.clone());
        Self { sessions, archived: Vec::new(), last }
    }

    /// With a session that is only in the archive.
    pub fn with_archived(mut self, session: Session) -> Self {
        self.archived.push(session);
        self
    }

    pub fn add(&mut self, session: Session) {
        self.sessions.push(session);
    }

    pub fn session(&self, id: &str) -> Option<&Session> {
        self.sessions.iter().chain(&self.archived).find(|session| session.id == id)
    }

    /// Adds to a session; answers the seqs of the new events, none where there is no such session.
    pub fn play(&mut self, id: &str, tell: impl FnOnce(&mut Story)) -> Vec<u64> {
        let Some(session) = self.sessions.iter_mut().find(|session| session.id == id) else {
            return Vec::new();
        };
        self.last = Some(session.id.clone());
        Story::tell(session, tell)
    }

    /// Evicts a session and lets it come back under its old name, counted from 1.
    pub fn begin_again(&mut self, id: &str, now: Moment) {
        if let Some(session) = self.sessions.iter_mut().find(|session| session.id == id) {
            session.begin_again(now);
        }
    }

    /// The list, newest update first.
    pub(super) fn list(&self, archived: bool) -> wire::List {
        let active = |session: &Session| self.last.as_ref() == Some(&session.id);
        let mut sessions: Vec<_> = self.sessions.iter().map(|session| session.listed(None, active(session))).collect();
        if archived {
            sessions.extend(self.archived.iter().map(|session| session.listed(Some(false), false)));
        }
        sessions.sort_by_key(|session| std::cmp::Reverse(session.updated_at));
        let archive = archived.then_some(ARCHIVE);
        wire::List { sessions, archive }
    }
}
