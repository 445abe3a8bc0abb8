//! Relations between events and between transactions that several analyses keep.

pub mod accesses;
pub(crate) mod begins;
pub mod bits;
pub(crate) mod blocks;
pub mod law;
pub(crate) mod lowering;
pub(crate) mod prefetch;
pub(crate) mod rows;
