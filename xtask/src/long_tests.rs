//! Tests that run longer than the suite allows.

pub(crate) mod attack;
pub(crate) mod invite_race;
pub(crate) mod login_timing;
pub(crate) mod model;
pub(crate) mod nodes;
pub(crate) mod package_test;
pub(crate) mod proofs;
