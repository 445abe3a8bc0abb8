//! The lines of a stream, in one large buffer that is refilled.

use std::io::{self, Read};

use memchr::memchr;

use super::syntax::{Fault, LONGEST_LINE};

/// The number of bytes read at once.
const CHUNK: usize = 1 << 17;

/// Returns the lines of a stream one by one and counts them.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// Read but not yet returned: `buffer[start..end]`.
    start: usize,
    end: usize,
    /// The end of the part of the buffer that is known to be UTF-8, except for refused lines.
    valid: usize,
    ended: bool,
    number: u64,
}

/// The position of a line, or a part of one, in the buffer.
#[derive(Clone, Copy, Default)]
pub(super) struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// Returns the bytes at this position.
    #[inline]
    pub(super) fn of(self, buffer: &[u8]) -> &[u8] {
        &buffer[self.start..self.end]
    }
}

/// The next thing in a stream.
pub(super) enum Next {
    /// A line of UTF-8 without its LF or CRLF. [`Lines::text`] has its text until [`Lines::next_read`] is called.
    Line(Span),
    /// A line that cannot be returned.
    Refused(Fault),
    /// The end.
    End,
}

impl<R> Lines<R> {
    /// Returns the number of the line returned last; the first is 1.
    #[inline]
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the bytes at `span`.
    #[inline]
    pub(super) fn text(&self, span: Span) -> &[u8] {
        span.of(&self.buffer)
    }

    /// Moves the returned lines into `text` and reuses its buffer. Spans refer to `text` afterwards.
    pub(super) fn hand_over(&mut self, text: &mut Vec<u8>) {
        let rest = &self.buffer[self.start..self.end];
        if text.len() < rest.len().max(CHUNK) {
            text.resize(rest.len().max(CHUNK), 0);
        }
        text[..rest.len()].copy_from_slice(rest);
        std::mem::swap(&mut self.buffer, text);
        self.moved_to_front();
    }

    /// Called when the bytes not yet returned have been moved to the front of the buffer.
    fn moved_to_front(&mut self) {
        self.end -= self.start;
        self.valid = self.valid.saturating_sub(self.start);
        self.start = 0;
    }

    /// Returns the position of `part` in the buffer.
    #[inline]
    pub(super) fn span(&self, part: &[u8]) -> Span {
        let start = part.as_ptr().addr() - self.buffer.as_ptr().addr();
        Span { start, end: start + part.len() }
    }
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input, buffer: vec![0; CHUNK], start: 0, end: 0, valid: 0, ended: false, number: 0 }
    }

    /// Returns the next line, if the buffer contains all of it.
    #[inline]
    pub(super) fn next_buffered(&mut self) -> Option<Next> {
        let length = memchr(b'\n', &self.buffer[self.start..self.end])?;
        Some(self.take(length, 1))
    }

    /// Returns the next line, if [`Lines::next_buffered`] has none. Invalidates the lines returned before. An error
    /// ends the stream.
    #[cold]
    pub(super) fn next_read(&mut self) -> io::Result<Next> {
        loop {
            let searched = self.end - self.start;
            if searched > LONGEST_LINE {
                self.drop_line()?;
                return Ok(Next::Refused(Fault::TooLong));
            }
            if !self.fill()? {
                return Ok(if searched == 0 { Next::End } else { self.take(searched, 0) });
            }
            if let Some(more) = memchr(b'\n', &self.buffer[self.start + searched..self.end]) {
                return Ok(self.take(searched + more, 1));
            }
        }
    }

    /// Returns the next `length` bytes and continues `newline` bytes after them.
    #[inline]
    fn take(&mut self, length: usize, newline: usize) -> Next {
        let (start, end) = (self.start, self.start + length);
        self.start = end + newline;
        self.number += 1;
        if end > self.valid && !self.validate(start, end) {
            return Next::Refused(Fault::NotUtf8);
        }
        let carriage_return = usize::from(self.buffer[start..end].last() == Some(&b'\r'));
        Next::Line(Span { start, end: end - carriage_return })
    }

    /// Validates the whole buffer at once, because the line at `start..end` needs it. Returns whether that line is
    /// UTF-8.
    #[cold]
    fn validate(&mut self, start: usize, end: usize) -> bool {
        let from = start.max(self.valid);
        let right = match std::str::from_utf8(&self.buffer[from..self.end]) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        self.valid = (from + right).max(end);
        from + right >= end
    }

    /// Skips to after the next newline.
    fn drop_line(&mut self) -> io::Result<()> {
        self.number += 1;
        loop {
            match memchr(b'\n', &self.buffer[self.start..self.end]) {
                Some(length) => {
                    self.start += length + 1;
                    return Ok(());
                }
                None => self.start = self.end,
            }
            if !self.fill()? {
                return Ok(());
            }
        }
    }

    /// Reads more. Returns false at the end of the stream.
    fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.moved_to_front();
        if self.end == self.buffer.len() {
            // Never large enough to hold an overlong line with its newline.
            self.buffer.resize((2 * self.end).min(LONGEST_LINE + 1), 0);
        }
        let read = self.read();
        self.ended = !matches!(read, Ok(1..));
        if read.is_err() {
            // Half a line is not a line.
            self.end = 0;
        }
        self.end += read?;
        Ok(!self.ended)
    }

    fn read(&mut self) -> io::Result<usize> {
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}
