//! Where the bytes of traces come from and go to, whatever their format.

pub(super) mod data;
pub(super) mod output;
