//! The error policy of all exports: how an error or a panic is handled so that it never crosses JNI.
//!
//! | what happens | the caller sees |
//! |---|---|
//! | [`Trouble::Refused`] | `IllegalArgumentException` with the line to print |
//! | any other error, or a panic, in `start` | `IllegalStateException` with its text: the program does not start |
//! | the same elsewhere | the call's neutral answer; the run is incomplete and says why |

use std::any::Any;

use jni::errors::{Error, ErrorPolicy, Result};
use jni::{Env, jni_str, strings::JNIString};

use crate::observed::What;
use crate::session::Session;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The user asked for something impossible; the line says what.
    #[error("{0}")]
    Refused(String),
    /// The Java side broke the contract of the interface.
    #[error("{0}")]
    Broken(String),
    /// A JNI call failed.
    #[error("JNI: {0}")]
    Jni(#[from] Error),
}

/// The policy.
pub(crate) struct Contained;

/// What the policy needs to know about a call.
pub(crate) struct Call<'a, T> {
    /// The name of the native.
    pub(crate) name: &'static str,
    /// The session; none in `start`.
    pub(crate) session: Option<&'a Session>,
    /// The neutral answer.
    pub(crate) neutral: fn() -> T,
}

impl<T> ErrorPolicy<T, Trouble> for Contained {
    type Captures<'local: 'method, 'method> = Call<'static, T>;

    fn on_error<'local: 'method, 'method>(
        env: &mut Env<'local>,
        call: &mut Call<'static, T>,
        trouble: Trouble,
    ) -> Result<T> {
        if let Trouble::Refused(line) = &trouble {
            throw(env, true, line);
        } else {
            call.note(env, &trouble.to_string());
        }
        Ok((call.neutral)())
    }

    fn on_panic<'local: 'method, 'method>(
        env: &mut Env<'local>,
        call: &mut Call<'static, T>,
        payload: Box<dyn Any + Send + 'static>,
    ) -> Result<T> {
        call.note(env, &crate::panics::text(&*payload));
        Ok((call.neutral)())
    }
}

impl<T> Call<'_, T> {
    fn note(&self, env: &mut Env, why: &str) {
        let line = format!("the bridge failed in {}: {why}", self.name);
        match self.session {
            Some(session) => session.describe(What::Lost, 1, &line),
            None => throw(env, false, &line),
        }
    }
}

/// Leaves a pending exception. The `jni` crate returns an error to say that one is pending.
fn throw(env: &mut Env, is_refusal: bool, line: &str) {
    let line = JNIString::from(line);
    let _ = match is_refusal {
        true => env.throw_new(jni_str!("java/lang/IllegalArgumentException"), line),
        false => env.throw_new(jni_str!("java/lang/IllegalStateException"), line),
    };
}
