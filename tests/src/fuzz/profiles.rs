//! Any bytes as a profile.

use analysis_core::profile::Profile;

/// An accepted profile is written so that it reads back the same; the error for a rejected one names an existing line.
pub fn profile(bytes: &[u8]) {
    match Profile::parse(bytes, "profile") {
        Ok(profile) => {
            let text = profile.to_text();
            let again = Profile::parse(text.as_bytes(), "written");
            assert_eq!(again.unwrap_or_else(|error| panic!("{error}\n{text}")), profile, "{text}");
            let cut = Profile::parse(&text.as_bytes()[..text.len() - 1], "cut");
            assert!(cut.is_err(), "{text}");
        }
        Err(error) => {
            let lines = bytes.split(|byte| *byte == b'\n').count();
            assert!(error.line.is_none_or(|line| (1..=lines).contains(&line)), "{error}");
            assert!(error.to_string().starts_with("profile:"), "{error}");
        }
    }
}
