//! How a report is printed: for a person, for scripts, as a picture.

mod data;
pub mod delays;
pub mod explain;
mod guided;
pub mod json;
mod lines;
pub mod predicted;
pub mod run;
pub mod saved;
mod sifted;
pub mod svg;
mod table;
pub mod text;
mod watched;
