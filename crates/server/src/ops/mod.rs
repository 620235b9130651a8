//! Operations: startup, maintenance, backup, diagnostics and the demo network.

pub mod backup;
pub mod consistency;
pub mod demo;
pub mod doctor;
pub mod first_run;
pub mod retention;
pub mod startup;
