//! The VM's death: a JVMTI event, because `java.lang.instrument` does not report it.
//!
//! It comes after the shutdown hooks, however the VM ends (return from `main`, `System.exit`, `halt`, a signal), while
//! other threads can still be running. `jvmti-rs` provides the environment and the table of functions; its other
//! wrappers are not used, because a callback must not unwind into the VM.

use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use jni::Env;
use jvmti_rs::{Jvmti, sys};

/// How long the flush of the C libraries' buffers may take. It waits for a thread that is in native code which holds a
/// stream, such as one that waits for a line of standard input, perhaps forever.
const FLUSH: Duration = Duration::from_secs(5);

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
/// waited for, unless it holds one of these, and then not for long. Whatever the program has not flushed by now it would
/// have lost anyway.
pub(crate) fn exit(code: u8) -> ! {
    flush(FLUSH);
    // SAFETY: a function of the C library.
    unsafe { _exit(c_int::from(code)) }
}

/// Flushes the streams of the C libraries. False if that takes longer than `limit`.
fn flush(limit: Duration) -> bool {
    let (done, flushed) = mpsc::channel();
    let thread = std::thread::Builder::new().name("regiontrack-flush".into()).spawn(move || {
        // SAFETY: a function of the C library; a null stream means all of them.
        unsafe { fflush(std::ptr::null_mut()) };
        let _ = done.send(());
    });
    thread.is_ok() && flushed.recv_timeout(limit).is_ok()
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

#[cfg(test)]
mod tests {
    use std::ffi::{c_char, c_int, c_void};
    use std::time::Duration;

    use super::flush;

    unsafe extern "C" {
        fn tmpfile() -> *mut c_void;
        fn flockfile(stream: *mut c_void);
        fn funlockfile(stream: *mut c_void);
        fn fputs(text: *const c_char, stream: *mut c_void) -> c_int;
        fn fclose(stream: *mut c_void) -> c_int;
    }

    /// A thread that waits for standard input inside the C library holds its stream in the same way.
    #[test]
    fn a_stream_that_is_held_does_not_keep_the_process() {
        // SAFETY: functions of the C library, on a stream that this test opens and closes.
        let stream = unsafe { tmpfile() };
        assert!(!stream.is_null());
        // SAFETY: as above.
        unsafe {
            fputs(c"not flushed".as_ptr(), stream);
            flockfile(stream);
        }
        assert!(!flush(Duration::from_millis(100)), "the stream is held");
        // SAFETY: as above.
        unsafe { funlockfile(stream) };
        assert!(flush(Duration::from_secs(60)), "nobody holds it any more");
        // SAFETY: as above.
        unsafe { fclose(stream) };
    }
}
