//! All natives of `dev.regiontrack.runtime.bridge.NativeBridge`. Each is a thin wrapper around the session.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use jni::objects::{JObject, JObjectArray, JString};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned};

use crate::internals;
use crate::models;
use crate::observed::What;
use crate::options::Options;
use crate::policy::{Call, Contained, Trouble};
use crate::rings;
use crate::session::Session;
use crate::vm_events;

static SESSION: OnceLock<Session> = OnceLock::new();

/// Runs the body of a native under the policy.
fn native<'local, T>(
    env: &mut EnvUnowned<'local>,
    name: &'static str,
    neutral: fn() -> T,
    body: impl FnOnce(&mut Env<'local>) -> Result<T, Trouble>,
) -> T
where
    T: Default + 'static,
{
    let session = if name == "start" { None } else { SESSION.get() };
    env.with_env(body).resolve_with::<Contained, _>(|| Call { name, session, neutral })
}

/// Runs the body of a native that answers with a text, or with null, under the policy. The neutral answer is null.
fn answered<'local>(
    mut env: EnvUnowned<'local>,
    name: &'static str,
    body: impl FnOnce(&mut Env<'local>) -> Result<Option<String>, Trouble>,
) -> JString<'local> {
    let body = |env: &mut Env<'local>| -> Result<JString<'local>, Trouble> {
        match body(env)? {
            Some(answer) => Ok(env.new_string(answer)?),
            None => Ok(JString::null()),
        }
    };
    env.with_env(body).resolve_with::<Contained, _>(|| Call { name, session: SESSION.get(), neutral: JString::null })
}

fn session() -> Result<&'static Session, Trouble> {
    SESSION.get().ok_or_else(|| Trouble::Broken("called before start".to_owned()))
}

fn text(env: &mut Env, string: &JString) -> Result<String, Trouble> {
    Ok(string.try_to_string(env)?)
}

/// Defines natives that run under the policy. `or` is the neutral answer.
macro_rules! natives {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($env:pat $(, $argument:ident: $type:ty)*) -> $result:ty, or $neutral:expr, $body:block
    )*) => {$(
        const _: () = {
            $(#[$doc])*
            #[unsafe(export_name = concat!("Java_dev_regiontrack_runtime_bridge_NativeBridge_", stringify!($name)))]
            extern "system" fn $name<'local>(
                mut env: EnvUnowned<'local>,
                _this: JObject<'local>,
                $($argument: $type,)*
            ) -> $result {
                native(&mut env, stringify!($name), $neutral, |$env| $body)
            }
        };
    )*};
}

natives! {
    /// `includes(internalName)`.
    fn includes(env, name: JString<'_>) -> jboolean, or || false, {
        Ok(session()?.includes(&text(env, &name)?))
    }

    /// `names(internalName)`.
    fn names(env, name: JString<'_>) -> jboolean, or || false, {
        Ok(session()?.names_class(&text(env, &name)?))
    }

    /// `describe(what, number, text)`.
    fn describe(env, what: jint, number: jint, description: JString<'_>) -> (), or || (), {
        let kind = What::of(what).ok_or_else(|| Trouble::Broken(format!("unknown kind of description: {what}")))?;
        session()?.describe(kind, number as u32, &text(env, &description)?);
        Ok(())
    }

    /// `open(thread, position, name)`.
    fn open(env, thread: jint, position: jlong, name: JString<'_>) -> jlong, or nowhere, {
        Ok(session()?.open(thread as u32, position as u64, &text(env, &name)?) as jlong)
    }

    /// `full(ring, records)`: can block.
    fn full(_, ring: jlong, records: jint) -> jlong, or nowhere, {
        Ok(session()?.full(ring as usize, records.max(1) as u64) as jlong)
    }

    /// `counters(buffer, count)`.
    fn counters(_, buffer: jlong, count: jint) -> jlong, or nowhere, {
        Ok(session()?.counters(buffer as usize, usize::try_from(count).unwrap_or(0)) as jlong)
    }

    /// `unwatched(stripes, blocks)`.
    fn unwatched(_, stripes: jint, blocks: jint) -> jlong, or nowhere, {
        let [stripes, blocks] = [stripes, blocks].map(|count| usize::try_from(count).unwrap_or(0));
        Ok(session()?.unwatched(stripes, blocks) as jlong)
    }

    /// `burst(isBurst)`: can wait for long.
    fn burst(_, is_burst: jboolean) -> jint, or || -1, {
        Ok(session()?.burst(is_burst).map_or(-1, |shares| shares as jint))
    }

    /// `judge(name, checksum)`.
    fn judge(env, name: JString<'_>, checksum: jlong) -> jint, or || 0, {
        Ok(session()?.judge(&text(env, &name)?, checksum as u64) as jint)
    }

    /// `table(which, bytes)`.
    fn table(_, which: jint, bytes: jlong) -> jlong, or || 0, {
        Ok(session()?.table(which as u32, usize::try_from(bytes).unwrap_or(0)) as jlong)
    }

    /// `scope(parent)`: begins a scope.
    fn scope(_, parent: jint) -> jint, or || 0, {
        Ok(session()?.begin_scope(parent as u32) as jint)
    }

    /// `export(from, packages, to)`: called before `start`.
    fn export(env, from: JObject<'_>, packages: JString<'_>, to: JObject<'_>) -> jboolean, or || false, {
        let packages = text(env, &packages)?;
        Ok(internals::export(env, &from, &packages, &to))
    }

    /// `command(text)`.
    fn command(env, command: JString<'_>) -> jboolean, or || false, {
        let command = text(env, &command)?;
        Ok(internals::command(env, &command))
    }

    /// `pause(gives)`: may be called in the middle of any hook.
    fn pause(_, gives: jboolean) -> (), or || (), {
        if gives {
            std::thread::yield_now();
        } else {
            std::hint::spin_loop();
        }
        Ok(())
    }

    /// `close(ring)`.
    fn close(_, ring: jlong) -> (), or || (), {
        session()?.close(ring as usize);
        Ok(())
    }

    /// `finish()`: the end, if the VM does not announce its death. If it does, this call comes too early and does nothing.
    fn finish(_) -> (), or || (), {
        if !vm_events::are_told() {
            end();
        }
        Ok(())
    }
}

/// `start(layout, options)`: begins the session.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_start<'local>(
    mut env: EnvUnowned<'local>,
    _this: JObject<'local>,
    layout: jint,
    options: JString<'local>,
) -> JString<'local> {
    let session = None;
    let body = |env: &mut Env<'local>| -> Result<JString<'local>, Trouble> {
        if layout != rings::LAYOUT {
            let ours = rings::LAYOUT;
            return Err(Trouble::Refused(format!(
                "the native library has record layout {ours}, the jar {layout}; build both together"
            )));
        }
        // The policy and the report say what a panic led to. The hook silences only this library's own copy of `std`.
        std::panic::set_hook(Box::new(|_| {}));
        let options = text(env, &options)?;
        let environment: Vec<(String, String)> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let options = Options::parse(&options, &environment).map_err(Trouble::Refused)?;
        let mut answer = options.answer();
        if SESSION.get().is_some() {
            return Err(Trouble::Refused("the agent was started before; load it once".to_owned()));
        }
        let is_to_be_told = options.vm_death;
        let started = Session::start(options).map_err(Trouble::Refused)?;
        answer.push_str(&started.profile_answer());
        answer.push_str(&started.provoke_answer());
        SESSION.get_or_init(|| started).on_halt(end);
        let is_told = is_to_be_told && vm_events::on_death(env, end);
        answer.push_str(&format!("vm_death={is_told}\n"));
        Ok(env.new_string(answer)?)
    };
    env.with_env(body).resolve_with::<Contained, _>(|| Call { name: "start", session, neutral: JString::null })
}

/// `select(classText)`: if it fails, no method is atomic and the run is incomplete.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_select<'local>(
    env: EnvUnowned<'local>,
    _this: JObject<'local>,
    class: JString<'local>,
) -> JString<'local> {
    answered(env, "select", |env| {
        let class = text(env, &class)?;
        let session = session()?;
        Ok(Some(session.select(&class).unwrap_or_else(|reason| {
            session.describe(What::Failed, 1, &reason);
            "0".repeat(class.lines().count().saturating_sub(1))
        })))
    })
}

/// `facts()`: without them everything is watched.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_facts<'local>(
    env: EnvUnowned<'local>,
    _this: JObject<'local>,
) -> JString<'local> {
    answered(env, "facts", |_| Ok(Some(session()?.facts())))
}

/// `models()`: the words of the tables of models; without them the program does not start. Equal words are one string, whose hash is
/// computed once.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_models<'local>(
    mut env: EnvUnowned<'local>,
    _this: JObject<'local>,
) -> JObjectArray<'local, JString<'local>> {
    let body = |env: &mut Env<'local>| -> Result<JObjectArray<'local, JString<'local>>, Trouble> {
        let words = models::words(&session()?.tables_of_models());
        let distinct: HashSet<&str> = words.iter().flatten().copied().collect();
        // A native may have sixteen references unless it asks for more.
        env.ensure_local_capacity(distinct.len() + 16)?;
        let array = JObjectArray::<JString>::new(env, words.len(), JString::null())?;
        let mut strings: HashMap<&str, JString> = HashMap::with_capacity(distinct.len());
        for (index, word) in words.iter().enumerate() {
            let Some(word) = word else { continue };
            let string = match strings.entry(word) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(env.new_string(word)?),
            };
            array.set_element(env, index, string)?;
        }
        Ok(array)
    };
    env.with_env(body).resolve_with::<Contained, _>(|| Call {
        name: "models",
        session: SESSION.get(),
        neutral: JObjectArray::<JString>::null,
    })
}

/// `flag(name)`: null if the JVM has no such flag.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_flag<'local>(
    env: EnvUnowned<'local>,
    _this: JObject<'local>,
    name: JString<'local>,
) -> JString<'local> {
    answered(env, "flag", |env| {
        let name = text(env, &name)?;
        Ok(internals::flag(env, &name))
    })
}

/// `plan()`: without one nothing is steered.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_plan<'local>(
    env: EnvUnowned<'local>,
    _this: JObject<'local>,
) -> JString<'local> {
    answered(env, "plan", |_| Ok(Some(session()?.plan())))
}

/// `told(scope)`: ends a scope; waits for the analysis.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_told<'local>(
    env: EnvUnowned<'local>,
    _this: JObject<'local>,
    scope: jint,
) -> JString<'local> {
    answered(env, "told", |_| Ok(Some(session()?.end_scope(scope as u32))))
}

/// `repeat(step, scope)`: what a repeated test reports and asks; can wait for the analysis.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_repeat<'local>(
    env: EnvUnowned<'local>,
    _this: JObject<'local>,
    step: jint,
    scope: jint,
) -> JString<'local> {
    answered(env, "repeat", |_| Ok(Some(session()?.repeat(step as u32, scope as u32))))
}

/// `item(buffer, records, position)`: true if the thread is to describe its stack. It is called for every dependency
/// between threads and needs no JVM, so it goes without the policy: the session lets no panic out.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_regiontrack_runtime_bridge_NativeBridge_item<'local>(
    _env: EnvUnowned<'local>,
    _this: JObject<'local>,
    buffer: jlong,
    records: jint,
    position: jlong,
) -> jboolean {
    let count = u64::try_from(records).unwrap_or(0);
    SESSION.get().is_some_and(|session| session.item(buffer as usize, count, position as u64) == Some(true))
}

/// Ends the run: writes the report, and exits with the exit code if one was asked for.
fn end() {
    let Some(session) = SESSION.get() else { return };
    // A panic means that the report failed; the exit code can be known nonetheless.
    let _ = catch_unwind(AssertUnwindSafe(|| session.finish()));
    if let Some(code) = session.exit_code() {
        vm_events::exit(code);
    }
}

/// The neutral answer to a request for a ring: memory that nobody reads.
fn nowhere() -> jlong {
    rings::nowhere() as jlong
}
