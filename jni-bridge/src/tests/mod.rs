//! The bridge without a JVM: threads write recorded streams into rings through the session, as the hooks do.

mod ends;
mod hooks;
mod items;
mod memory;
mod numbers;
mod predictions;
mod program;
mod repeated;
mod reports;
mod rounds;
mod runs;
mod scopes;
mod seam;
mod steered;
