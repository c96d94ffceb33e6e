//! Component tests.
