//! The message for wrong use of the command: one line, like every other error.

use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::output;

/// Prints the message, and returns the exit code; help and the version are not errors.
pub(crate) fn told(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // The reader may be gone.
        _ = error.print();
        return ExitCode::SUCCESS;
    }
    // If nothing was requested, print the whole help.
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        _ = error.print();
        return ExitCode::from(2);
    }
    output::complain(&line(&error.render().to_string()));
    ExitCode::from(2)
}

/// The sentences of a message, without the usage.
fn line(message: &str) -> String {
    let told =
        message.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let parts: Vec<&str> = told.map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = parts.join("; ").replace(":; ", ": ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    format!("{text}; see --help")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line() {
        let message = "error: unrecognized subcommand 'chek'\n\n  tip: a similar subcommand exists: 'check'\n\nUsage: regiontrack <COMMAND>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            line(message),
            "unrecognized subcommand 'chek'; tip: a similar subcommand exists: 'check'; see --help"
        );
        let message = "error: the following required arguments were not provided:\n  <TRACE>...\n\nUsage: x\n";
        assert_eq!(line(message), "the following required arguments were not provided: <TRACE>...; see --help");
    }
}
