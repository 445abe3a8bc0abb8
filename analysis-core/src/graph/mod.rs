//! Relations between events and between transactions that several analyses keep, and the shell that engines share.

pub mod accesses;
pub(crate) mod begins;
pub(crate) mod blocks;
pub mod law;
pub(crate) mod lowering;
pub(crate) mod prefetch;
pub(crate) mod rows;
pub(crate) mod shell;
pub(crate) mod users;
