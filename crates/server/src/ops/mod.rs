//! Operations: startup, maintenance, backup, moves between engines, diagnostics and the demo network.

pub mod backup;
pub mod consistency;
pub mod demo;
pub mod doctor;
pub mod first_run;
pub mod move_network;
pub mod retention;
pub mod startup;
