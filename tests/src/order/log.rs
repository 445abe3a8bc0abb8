//! The tap's log: every access of every thread, as `Tap.java` writes it.
//!
//! The file starts with `regiontrack-tap 1` and a line end. Then follow for each thread: its number and the length of its name
//! (u32), its name, the number of accesses (u64), and four u64 for each access: kind, object, value, covering stamp. In the kind,
//! bits 0 to 6 are the code of a read or write, bit 7 says whether the access was recorded, and the bits from 8 on are the slot.
//! Everything is little-endian.

use std::io::Read;

use anyhow::{Context as _, Result, bail, ensure};

const MAGIC: &[u8] = b"regiontrack-tap 1\n";
const ENTRY: usize = 32;
/// The codes in event-codes.txt of the agent.
const READ: u64 = 2;
const WRITE: u64 = 3;

/// A variable: an object's id and a slot of the object.
pub type Variable = (u64, u64);

/// One access of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Whether it is a write.
    pub is_write: bool,
    /// Whether it is an event of the trace. If not, the filter has dropped it.
    pub is_recorded: bool,
    /// The accessed variable.
    pub variable: Variable,
    /// The value read or written, as bits.
    pub value: u64,
    /// The stamp of the event that stands for the access: its own, or the covering one.
    pub stamp: u64,
}

/// The accesses of one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadLog {
    /// The agent's number for the thread.
    pub number: u32,
    /// The thread's name.
    pub thread: String,
    /// Its accesses, in program order.
    pub accesses: Vec<Access>,
}

/// Reads the logs of all threads.
///
/// # Errors
/// The input is no such log, or it ends early.
pub fn read_logs(mut input: impl Read) -> Result<Vec<ThreadLog>> {
    let mut magic = [0; MAGIC.len()];
    input.read_exact(&mut magic).context("the log ends within its first line")?;
    ensure!(
        magic == MAGIC,
        "this is no log of the tap; run the program with regiontrack.test.probe=dev.regiontrack.runtime.testing.Tap"
    );
    let mut logs = Vec::new();
    let mut number = [0; 4];
    while has_more(&mut input, &mut number)? {
        let mut length = [0; 4];
        input.read_exact(&mut length).context("the log ends before a thread's name")?;
        let mut name = vec![0; u32::from_le_bytes(length) as usize];
        input.read_exact(&mut name).context("the log ends within a thread's name")?;
        let thread = String::from_utf8(name).context("a thread's name is not UTF-8")?;
        let accesses = accesses(&mut input).with_context(|| format!("the log of thread `{thread}`"))?;
        logs.push(ThreadLog { number: u32::from_le_bytes(number), thread, accesses });
    }
    Ok(logs)
}

/// Reads the first bytes of the next part. Returns false at the end of the input.
fn has_more(input: &mut impl Read, first: &mut [u8; 4]) -> Result<bool> {
    let read = input.read(&mut first[..1])?;
    if read == 1 {
        input.read_exact(&mut first[1..]).context("the log ends within a number")?;
    }
    Ok(read == 1)
}

fn accesses(input: &mut impl Read) -> Result<Vec<Access>> {
    let mut count = [0; 8];
    input.read_exact(&mut count).context("ends before its accesses")?;
    let mut result = Vec::new();
    let mut entry = [0; ENTRY];
    for _ in 0..u64::from_le_bytes(count) {
        input.read_exact(&mut entry).context("ends early")?;
        result.push(access(&entry)?);
    }
    Ok(result)
}

fn access(entry: &[u8; ENTRY]) -> Result<Access> {
    let word = |at: usize| u64::from_le_bytes(entry[at * 8..][..8].try_into().expect("an entry has four words"));
    let kind = word(0);
    let is_write = match kind & 127 {
        READ => false,
        WRITE => true,
        code => bail!("code {code} is neither a read nor a write"),
    };
    Ok(Access {
        is_write,
        is_recorded: kind & 128 != 0,
        variable: (word(1), kind >> 8),
        value: word(2),
        stamp: word(3),
    })
}
