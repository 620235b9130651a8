//! Change feed between processes that share one PostgreSQL database: statements return the rows that
//! they change, transactions publish them in the table `changes`, and every process polls that table.

pub(crate) mod instrument;
pub(crate) mod publisher;
pub(crate) mod subscriber;
