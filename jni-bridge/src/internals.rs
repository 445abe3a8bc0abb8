//! What the agent's start needs of private methods of the JDK.
//!
//! JNI calls them without the checks of modules and of access. The same from Java would need `Instrumentation.redefineModule` and reflection,
//! whose first lambdas take a twentieth of the agent's start. A JVM that lacks a method is asked in no other way: the answer says so.

use jni::errors::Result;
use jni::objects::{JObject, JString};
use jni::{Env, JValue, jni_sig, jni_str};

/// Exports packages, with `:` between them, of a module to another one, in the JVM. Reflection does not learn of it. False if that is not
/// possible.
pub(crate) fn export(env: &mut Env, from: &JObject, packages: &str, to: &JObject) -> bool {
    let export = |env: &mut Env, package: &str| -> Result<()> {
        let class = env.find_class(jni_str!("java/lang/Module"))?;
        let package = env.new_string(package)?;
        let arguments = [JValue::Object(from), JValue::Object(&package), JValue::Object(to)];
        let signature = jni_sig!((java.lang.Module, java.lang.String, java.lang.Module));
        env.call_static_method(class, jni_str!("addExports0"), signature, &arguments)?;
        Ok(())
    };
    packages.split(':').all(|package| tried(env, |env| export(env, package)).is_some())
}

/// The value of a flag of the JVM, as text; none if it has no such flag. The library of the platform's management must be loaded.
pub(crate) fn flag(env: &mut Env, name: &str) -> Option<String> {
    tried(env, |env| {
        let class = env.find_class(jni_str!("com/sun/management/internal/Flag"))?;
        let name = env.new_string(name)?;
        let signature = jni_sig!((java.lang.String) -> com.sun.management.internal.Flag);
        let flag = env.call_static_method(class, jni_str!("getFlag"), signature, &[JValue::Object(&name)])?.l()?;
        if flag.is_null() {
            return Ok(None);
        }
        let value = env.call_method(&flag, jni_str!("getValue"), jni_sig!(() -> java.lang.Object), &[])?.l()?;
        let text = env.call_method(&value, jni_str!("toString"), jni_sig!(() -> java.lang.String), &[])?.l()?;
        Ok(Some(JString::cast_local(env, text)?.try_to_string(env)?))
    })
    .flatten()
}

/// Executes a diagnostic command, as `jcmd` does. False if that is not possible. The library of the platform's management must be loaded.
pub(crate) fn command(env: &mut Env, command: &str) -> bool {
    tried(env, |env| {
        let class = env.find_class(jni_str!("com/sun/management/internal/DiagnosticCommandImpl"))?;
        // The method needs no more than the object; its constructor would initialise all of the platform's management.
        let commands = env.alloc_object(class)?;
        let command = env.new_string(command)?;
        let signature = jni_sig!((java.lang.String) -> java.lang.String);
        env.call_method(&commands, jni_str!("executeDiagnosticCommand"), signature, &[JValue::Object(&command)])?;
        Ok(())
    })
    .is_some()
}

/// What a call returned; none, and no exception is pending, if it failed.
fn tried<T>(env: &mut Env, call: impl FnOnce(&mut Env) -> Result<T>) -> Option<T> {
    let result = call(env);
    if result.is_err() {
        env.exception_clear();
    }
    result.ok()
}
