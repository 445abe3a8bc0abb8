//! A trace as a driver takes it: opened, recognised, checked, looked up, counted.

pub mod input;
pub(super) mod lookup;
pub(super) mod reader;
pub mod statistics;
pub mod wellformed;
