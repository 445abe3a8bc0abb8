//! The bridge without a JVM: threads that write recorded streams into rings as the hooks do, through the session.

mod ends;
mod memory;
mod numbers;
mod program;
mod reports;
mod runs;
mod seam;
