//! Transcripts of videos.

use super::{COMMON, Family, Shown};

pub(super) static FAMILY: Family = Family {
    names: &["youtube_transcript"],
    call: |facts| facts.given().text(&["url", "video_url", "videoUrl", "video_id", "videoId"]),
    shown: Shown::Verbatim,
    ..COMMON
};
