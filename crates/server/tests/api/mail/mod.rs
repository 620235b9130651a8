//! Mail through a server that is not always kind.

mod encrypted;
mod faults;
mod office;
