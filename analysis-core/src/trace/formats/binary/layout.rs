//! The fixed parts of a binary trace: the headers of the file and of its frames, with their check sums.

/// The first bytes of a binary trace. The first byte is neither UTF-8 text nor gzip; a copy that changed line ends or
/// dropped the eighth bit starts differently.
pub(super) const MAGIC: [u8; 8] = *b"\x89RTB\r\n\x1a\n";
/// The version that is written; older ones are read too. Version 1 has no notes, version 2 no `together` and no
/// `update`.
pub const VERSION: u32 = 3;
/// The number of bytes of the file's header: magic, version, check sum of both.
pub(super) const FILE_HEADER: usize = 16;
/// The number of bytes of a frame's header.
pub(super) const FRAME_HEADER: usize = 36;
/// The most events of a frame.
pub const MOST_EVENTS: u32 = 1 << 16;
/// The most bytes of a name or a location.
pub const LONGEST_NAME: usize = 1 << 28;
/// LZ4 expands one byte to at most this many: a header that claims more is damaged or hostile, and gets no memory.
const MOST_EXPANSION: u64 = 255;

const EVENTS: u8 = 1;
const END: u8 = 2;
const NOTES: u8 = 3;

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// Events, and the names that they use first.
    Events,
    /// The end of the trace; nothing follows.
    End,
    /// Notes, given in addition to the events.
    Notes,
}

/// One of the two parts of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The number of bytes in the file.
    pub(super) stored: u32,
    /// The number of bytes after decompression.
    pub(super) raw: u32,
    pub(super) is_compressed: bool,
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHeader {
    pub(super) kind: FrameKind,
    /// The number of the frame in the file; the first is 1.
    pub(super) number: u32,
    pub(super) events: u32,
    /// Names and events.
    pub(super) events_part: Part,
    /// Locations.
    pub(super) sites_part: Part,
    /// The check sum of both parts as stored.
    pub(super) check: u32,
}

/// Returns whether `head`, the first bytes of a file, can start a binary trace, which may be cut within the magic.
pub(super) fn is_start(head: &[u8]) -> bool {
    !head.is_empty() && head.iter().zip(&MAGIC).all(|(a, b)| a == b)
}

/// Returns the header of a file of this version.
pub(super) fn file_header() -> [u8; FILE_HEADER] {
    let mut bytes = [0; FILE_HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    let check = crc32fast::hash(&bytes[..12]);
    bytes[12..].copy_from_slice(&check.to_le_bytes());
    bytes
}

/// Returns the version in a file's header; `None` if the header is damaged.
pub(super) fn version(bytes: &[u8]) -> Option<u32> {
    let is_whole = bytes[..8] == MAGIC && crc32fast::hash(&bytes[..12]) == word(bytes, 12);
    is_whole.then(|| word(bytes, 8))
}

impl FrameHeader {
    pub(super) fn to_bytes(self) -> [u8; FRAME_HEADER] {
        let kind = match self.kind {
            FrameKind::Events => EVENTS,
            FrameKind::End => END,
            FrameKind::Notes => NOTES,
        };
        let flags = u8::from(self.events_part.is_compressed) | u8::from(self.sites_part.is_compressed) << 1;
        let mut bytes = [0; FRAME_HEADER];
        bytes[..4].copy_from_slice(&[kind, flags, 0, 0]);
        let (events, sites) = (self.events_part, self.sites_part);
        let words = [self.number, self.events, events.stored, events.raw, sites.stored, sites.raw, self.check];
        for (place, word) in bytes[4..].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let check = crc32fast::hash(&bytes[..FRAME_HEADER - 4]);
        bytes[FRAME_HEADER - 4..].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    /// Parses the header in these [`FRAME_HEADER`] bytes; `None` if it is damaged, or if no writer of this version
    /// makes it.
    pub(super) fn parse(bytes: &[u8]) -> Option<FrameHeader> {
        if crc32fast::hash(&bytes[..FRAME_HEADER - 4]) != word(bytes, FRAME_HEADER - 4) {
            return None;
        }
        let kind = match bytes[0] {
            EVENTS => FrameKind::Events,
            END => FrameKind::End,
            NOTES => FrameKind::Notes,
            _ => return None,
        };
        let flags = bytes[1];
        let part =
            |at, bit| Part { stored: word(bytes, at), raw: word(bytes, at + 4), is_compressed: flags & bit != 0 };
        let header = FrameHeader {
            kind,
            number: word(bytes, 4),
            events: word(bytes, 8),
            events_part: part(12, 1),
            sites_part: part(20, 2),
            check: word(bytes, 28),
        };
        let has_events = (1..=MOST_EVENTS).contains(&header.events);
        let is_possible = flags < 4 && bytes[2..4] == [0, 0] && has_events == (kind == FrameKind::Events);
        (is_possible && header.events_part.is_possible() && header.sites_part.is_possible()).then_some(header)
    }

    /// Returns the number of bytes of the contents.
    pub(super) fn stored(&self) -> u64 {
        u64::from(self.events_part.stored) + u64::from(self.sites_part.stored)
    }
}

impl Part {
    fn is_possible(&self) -> bool {
        if self.is_compressed {
            u64::from(self.raw) <= u64::from(self.stored) * MOST_EXPANSION
        } else {
            self.raw == self.stored
        }
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}
