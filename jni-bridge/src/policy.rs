//! The one error policy of all exports: what becomes of an error or a panic before it could cross JNI.
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

/// Why an export cannot do what it should.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The user asked for something that cannot be; the line says what.
    #[error("{0}")]
    Refused(String),
    /// The program's side broke the seam's contract.
    #[error("{0}")]
    Broken(String),
    /// JNI refuses.
    #[error("JNI: {0}")]
    Jni(#[from] Error),
}

/// The policy.
pub(crate) struct Contained;

/// What the policy needs to know of a call.
pub(crate) struct Call<'a, T> {
    /// The name of the native.
    pub(crate) name: &'static str,
    /// What it belongs to; none in `start`.
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

/// Leaves a pending exception. That this answers with an error is how `jni` says so.
fn throw(env: &mut Env, is_refusal: bool, line: &str) {
    let line = JNIString::from(line);
    let _ = match is_refusal {
        true => env.throw_new(jni_str!("java/lang/IllegalArgumentException"), line),
        false => env.throw_new(jni_str!("java/lang/IllegalStateException"), line),
    };
}
