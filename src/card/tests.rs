//! Tests of whole cards.
