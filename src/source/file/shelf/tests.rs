use super::*;
use crate::source::file::join;
use crate::trace::Session;

fn reading(file: &str, format: Format, id: &str, parent: Option<&str>) -> Reading {
    let belongs = parent.map_or(Belongs::Alone, |parent| Belongs::Child { parent: parent.into() });
    let session = Session { id: id.into(), ..Session::default() };
    Reading { format, file: file.into(), session, orphans: 0, belongs }
}

fn shelf(readings: &[Reading]) -> Shelf {
    let mut shelf = Shelf::default();
    for reading in readings {
        shelf.put(vec![reading.clone()], join);
    }
    shelf
}

fn ids(shelf: &Shelf) -> Vec<&str> {
    shelf.sessions().map(|reading| &*reading.session.id).collect()
}

#[test]
fn each_session_has_an_id_of_its_own() {
    let shelf = shelf(&[
        reading("one", Format::Codex, "s", None),
        reading("two", Format::Pi, "s", None),
        reading("s", Format::Api, "", None),
        reading("three", Format::Goose, "", None),
    ]);
    assert_eq!(ids(&shelf), ["s", "s~2", "s~3", "three"]);
}

#[test]
fn what_is_opened_later_is_joined_with_what_is_there() {
    let mut shelf = shelf(&[reading("child", Format::Codex, "c", Some("p"))]);
    assert_eq!(ids(&shelf), ["c"], "its parent is not there yet");
    shelf.put(vec![reading("parent", Format::Codex, "p", None)], join);
    assert_eq!(ids(&shelf), ["p"]);
    shelf.put(vec![reading("copy", Format::Codex, "p", None)], join);
    assert_eq!(ids(&shelf), ["p"]);
}

#[test]
fn closing_takes_a_session_with_all_that_was_joined_into_it() {
    let mut shelf = shelf(&[
        reading("grandchild", Format::Codex, "g", Some("c")),
        reading("parent", Format::Codex, "p", None),
        reading("child", Format::Codex, "c", Some("p")),
        reading("again", Format::Codex, "p", None),
        reading("other", Format::Pi, "p", None),
        reading("unnamed", Format::Api, "", None),
    ]);
    assert_eq!(ids(&shelf), ["p", "p~2", "unnamed"]);
    shelf.close("nobody", join);
    assert_eq!(ids(&shelf).len(), 3);
    shelf.close("p", join);
    assert_eq!(ids(&shelf), ["p", "unnamed"], "that of another agent has the id for itself now");
    shelf.close("unnamed", join);
    shelf.close("p", join);
    assert!(ids(&shelf).is_empty());
}
