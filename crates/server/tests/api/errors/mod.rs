//! Invalid requests: each gets a fitting 4xx with a message, never a 5xx.

mod addresses;
mod bodies;
mod bounds;
mod depth;
mod fields;
mod lengths;
mod naughty;
mod queries;
mod texts;
mod words;
