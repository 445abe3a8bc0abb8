//! How a report is printed: for a person, for scripts, for build servers and reviews, as a picture.

mod attached;
mod data;
pub mod delays;
pub(super) mod escape;
pub mod explain;
pub(super) mod format;
mod github;
mod guided;
mod html;
mod item;
pub mod json;
mod junit;
mod lanes;
mod lines;
mod markdown;
mod names;
mod paint;
mod place;
pub mod predicted;
pub mod run;
mod sarif;
pub mod saved;
mod sifted;
pub mod svg;
mod table;
pub mod text;
mod watched;
