//! The VM's death: a JVMTI event, because `java.lang.instrument` does not report it.
//!
//! It comes after the shutdown hooks, however the VM ends (return from `main`, `System.exit`, `halt`, a signal), while
//! other threads can still be running. `jvmti-rs` provides the environment and the table of functions; its other
//! wrappers are not used, because a callback must not unwind into the VM.

use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;
use std::sync::OnceLock;

use jni::Env;
use jvmti_rs::{Jvmti, sys};

static AT_DEATH: OnceLock<fn()> = OnceLock::new();

unsafe extern "C" {
    fn fflush(stream: *mut c_void) -> c_int;
    fn _exit(code: c_int) -> !;
}

/// Registers `at_death` to be called when the VM dies. False if the VM lacks the event; then it is never called.
pub(crate) fn on_death(env: &mut Env, at_death: fn()) -> bool {
    let Ok(vm) = env.get_java_vm() else { return false };
    // SAFETY: the VM is alive; both crates use JNI's own type.
    let Ok(vm) = (unsafe { jvmti_rs::JavaVM::from_raw(vm.get_raw().cast()) }) else { return false };
    let is_told = vm.get_jvmti_env().is_ok_and(|jvmti| {
        // SAFETY: the environment stays valid as long as the VM lives.
        unsafe { subscribe(jvmti.jvmti_raw()) }.is_some()
    });
    if is_told {
        AT_DEATH.get_or_init(|| at_death);
    }
    is_told
}

/// True if the VM announces its death.
pub(crate) fn are_told() -> bool {
    AT_DEATH.get().is_some()
}

/// Ends the process now. The VM has finished its work. The buffers of C libraries are flushed, and no other thread is
/// waited for. Whatever the program has not flushed by now it would have lost anyway.
pub(crate) fn exit(code: u8) -> ! {
    // SAFETY: functions of the C library; a null stream means all of them.
    unsafe {
        fflush(std::ptr::null_mut());
        _exit(c_int::from(code))
    }
}

/// # Safety
/// `jvmti` must be a valid environment.
unsafe fn subscribe(jvmti: *mut sys::jvmtiEnv) -> Option<()> {
    // SAFETY: all members are nullable function pointers, for which zero is none.
    let mut callbacks: sys::jvmtiEventCallbacks = unsafe { std::mem::zeroed() };
    callbacks.VMDeath = Some(vm_death);
    let size = c_int::try_from(size_of::<sys::jvmtiEventCallbacks>()).expect("a small struct");
    // SAFETY: a valid environment, and a callback with static lifetime.
    unsafe {
        let table = &**jvmti;
        let set = (table.SetEventCallbacks?)(jvmti, &raw const callbacks, size);
        let enabled = (table.SetEventNotificationMode?)(
            jvmti,
            sys::JVMTI_ENABLE,
            sys::JVMTI_EVENT_VM_DEATH,
            std::ptr::null_mut(),
        );
        (set == 0 && enabled == 0).then_some(())
    }
}

unsafe extern "C" fn vm_death(_jvmti: *mut sys::jvmtiEnv, _env: *mut sys::JNIEnv) {
    // No panic may unwind into the VM, which continues to shut down.
    let _ = catch_unwind(|| AT_DEATH.get().map(|at_death| at_death()));
}
