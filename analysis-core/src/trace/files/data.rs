//! The bytes of a trace: a file or standard input, plain or compressed with gzip, readable more than once.
//!
//! A report needs a second pass over the trace, so input that can be read only once (standard input, a pipe) is first
//! copied to an anonymous temporary file, which disappears with the process. The first bytes, not the name, decide
//! whether data is compressed: no UTF-8 text starts like gzip. A byte order mark, which some editors put at the start of
//! a text, is no part of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::bufread::GzDecoder;

use crate::trace::vocabulary::damage::GzipFault;
use crate::trace::vocabulary::error::{ErrorKind, Place, TraceError};
use crate::trace::vocabulary::one_line::one_line;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// The bytes of a trace, which can be read any number of times.
#[derive(Debug)]
pub struct Data {
    name: Arc<str>,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    File(PathBuf),
    Spool(Arc<Mutex<File>>),
}

impl Data {
    /// Opens the file at `path`, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Data, TraceError> {
        if path.as_os_str() == "-" {
            return Data::spool("<stdin>", io::stdin().lock());
        }
        let name: Arc<str> = one_line(&path.display().to_string()).into();
        let opened = File::open(path).and_then(|file| file.metadata().map(|data| (file, data)));
        let (file, data) = opened.map_err(|error| failure(&name, ErrorKind::from_io(error)))?;
        if data.is_dir() {
            return Err(failure(&name, ErrorKind::Folder));
        }
        if !data.is_file() {
            return Data::spool(name, file);
        }
        Ok(Data { name, origin: Origin::File(path.into()) })
    }

    /// Stores everything that `reader` yields. Messages call the data `name`.
    pub fn spool(name: impl Into<Arc<str>>, mut reader: impl Read) -> Result<Data, TraceError> {
        let name = name.into();
        let spooled = tempfile::tempfile().and_then(|mut file| io::copy(&mut reader, &mut file).map(|_| file));
        let file = spooled.map_err(|error| {
            // Not `from_io`, which would report "no such file" for the wrong file.
            let folder = std::env::temp_dir();
            let text = format!("{error}, while it was copied to a temporary file in {}", folder.display());
            failure(&name, ErrorKind::Unreadable(io::Error::new(error.kind(), text)))
        })?;
        Ok(Data { name, origin: Origin::Spool(Arc::new(Mutex::new(file))) })
    }

    /// Returns the name of the data in messages.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the file itself, still compressed if it is. Use it only for mapping: others read from the same handle.
    pub(in crate::trace) fn file(&self) -> io::Result<File> {
        match &self.origin {
            Origin::File(path) => File::open(path),
            Origin::Spool(file) => file.lock().unwrap_or_else(PoisonError::into_inner).try_clone(),
        }
    }

    /// Returns a reader of the decompressed bytes, from the start. Concurrent readers do not disturb each other.
    /// Damaged gzip data yields all that can be decompressed, then an error that holds a [`GzipFault`].
    pub fn reopen(&self) -> Result<Box<dyn Read + Send>, TraceError> {
        let opened = match &self.origin {
            Origin::File(path) => File::open(path).and_then(decompressed),
            Origin::Spool(file) => decompressed(SpoolReader { file: Arc::clone(file), position: 0 }),
        };
        opened.map_err(|error| failure(&self.name, ErrorKind::from_io(error)))
    }
}

fn failure(name: &Arc<str>, kind: ErrorKind) -> TraceError {
    TraceError { file: Arc::clone(name), place: Place::File, kind }
}

fn decompressed<R: Read + Send + 'static>(mut raw: R) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::new();
    raw.by_ref().take(BYTE_ORDER_MARK.len() as u64).read_to_end(&mut head)?;
    let is_gzip = head.starts_with(&GZIP_MAGIC);
    if head == BYTE_ORDER_MARK {
        return Ok(Box::new(raw));
    }
    let whole = Cursor::new(head).chain(raw);
    Ok(if is_gzip { Box::new(Gunzip::new(BufReader::with_capacity(1 << 16, whole))) } else { Box::new(whole) })
}

/// Reads a shared file; each reader has its own position.
struct SpoolReader {
    file: Arc<Mutex<File>>,
    position: u64,
}

impl Read for SpoolReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A panic elsewhere leaves the file usable: each read sets its position.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.position))?;
        let read = file.read(buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

/// Decompresses gzip data of any number of members, with zeros allowed after the last, as gzip(1) does.
///
/// `flate2::bufread::MultiGzDecoder` mistakes a few stray bytes at the end for the start of a truncated member.
struct Gunzip<R> {
    /// `None` at the end of the data.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Gunzip<R> {
    fn new(raw: R) -> Gunzip<R> {
        Gunzip { member: Some(GzDecoder::new(raw)) }
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer).map_err(gzip_error)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let raw = self.member.take().map(GzDecoder::into_inner);
            self.member = raw.map_or(Ok(None), next_member)?;
        }
        Ok(0)
    }
}

/// Returns the next member in `raw`, if any.
fn next_member<R: BufRead>(mut raw: R) -> io::Result<Option<GzDecoder<R>>> {
    let mut padded = false;
    loop {
        let ahead = raw.fill_buf()?;
        match ahead.first() {
            None => return Ok(None),
            Some(0) => {
                let zeros = ahead.iter().take_while(|&&byte| byte == 0).count();
                raw.consume(zeros);
                padded = true;
            }
            Some(&first) if first == GZIP_MAGIC[0] && !padded => return Ok(Some(GzDecoder::new(raw))),
            Some(_) => return Err(io::Error::other(GzipFault::Trailing)),
        }
    }
}

/// Converts an error of the decompressor. Errors of the underlying file pass through.
fn gzip_error(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::other(GzipFault::Truncated),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            io::Error::other(GzipFault::Corrupt(one_line(&error.to_string())))
        }
        _ => error,
    }
}
