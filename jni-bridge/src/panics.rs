//! The message of a caught panic.

use std::any::Any;

/// The text of a panic's payload.
pub(crate) fn text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
}
