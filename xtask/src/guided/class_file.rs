//! The synchronized methods of a class file, and removing the lock from one of them (JVM specification, chapter 4).
//!
//! Only lengths and flags are parsed, so that a file of any version can be read. A file that cannot be read counts as
//! none.

/// A synchronized method.
const SYNCHRONIZED: u16 = 0x0020;

/// A class file.
pub(super) struct ClassFile {
    bytes: Vec<u8>,
    methods: Vec<Method>,
}

/// One of its methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) name: String,
    pub(super) descriptor: String,
    flags: u16,
    /// The offset of the flags.
    at: usize,
    /// The number of bytes of code; 0 for a native or abstract method.
    pub(super) code: usize,
}

impl ClassFile {
    /// Reads a class file; `None` if it is not one.
    pub(super) fn read(bytes: Vec<u8>) -> Option<ClassFile> {
        let mut reader = Reader { bytes: &bytes, at: 0 };
        if reader.number(4)? != 0xcafe_babe {
            return None;
        }
        reader.skip(4)?; // the version
        let constants = reader.constants()?;
        reader.skip(6)?; // flags, this class, its superclass
        let interfaces = reader.number(2)?;
        reader.skip(2 * interfaces)?;
        reader.members(&constants)?; // fields
        let methods = reader.members(&constants)?;
        Some(ClassFile { methods, bytes })
    }

    /// Returns the methods that are synchronized and have code.
    pub(super) fn synchronized(&self) -> impl Iterator<Item = &Method> {
        self.methods.iter().filter(|method| method.flags & SYNCHRONIZED != 0 && method.code > 0)
    }

    /// Returns the file with this method unchanged except that it is not synchronized.
    pub(super) fn unlocked(&self, method: &Method) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[method.at..method.at + 2].copy_from_slice(&(method.flags & !SYNCHRONIZED).to_be_bytes());
        bytes
    }
}

/// Reads from the beginning; `None` means that the file ends early, or is malformed.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(drop)
    }

    /// Reads a number of up to four bytes.
    fn number(&mut self, bytes: usize) -> Option<usize> {
        Some(self.take(bytes)?.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// Returns the text of each constant that has one, by its index; index 0 has none.
    fn constants(&mut self) -> Option<Vec<Option<String>>> {
        let count = self.number(2)?;
        let mut constants = vec![None];
        while constants.len() < count {
            let tag = self.number(1)?;
            let mut text = None;
            match tag {
                1 => {
                    let length = self.number(2)?;
                    text = Some(String::from_utf8_lossy(self.take(length)?).into_owned());
                }
                7 | 8 | 16 | 19 | 20 => self.skip(2)?,
                15 => self.skip(3)?,
                3 | 4 | 9..=12 | 17 | 18 => self.skip(4)?,
                5 | 6 => self.skip(8)?,
                _ => return None,
            }
            constants.push(text);
            if matches!(tag, 5 | 6) {
                constants.push(None); // numbers of eight bytes have two indices
            }
        }
        Some(constants)
    }

    /// Reads fields, or methods.
    fn members(&mut self, constants: &[Option<String>]) -> Option<Vec<Method>> {
        let text = |index: usize| constants.get(index)?.clone();
        let mut members = Vec::new();
        for _ in 0..self.number(2)? {
            let at = self.at;
            let flags = u16::try_from(self.number(2)?).ok()?;
            let (name, descriptor) = (text(self.number(2)?)?, text(self.number(2)?)?);
            let mut code = 0;
            for _ in 0..self.number(2)? {
                let attribute = text(self.number(2)?)?;
                let length = self.number(4)?;
                let content = self.take(length)?;
                if attribute == "Code" {
                    // After the sizes of the stack and of the locals.
                    code = Reader { bytes: content, at: 4 }.number(4)?;
                }
            }
            members.push(Method { name, descriptor, flags, at, code });
        }
        Some(members)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A class with a long constant, a field, and the methods `run` (synchronized), `get` (not) and `put` (synchronized, native).
    pub(in crate::guided) fn class() -> Vec<u8> {
        let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        let member = |flags: u16, name: u8, descriptor: u8, attributes: &[u8]| {
            [&flags.to_be_bytes()[..], &[0, name, 0, descriptor], attributes].concat()
        };
        let code = [0, 1, 0, 5, 0, 0, 0, 15, 0, 1, 0, 1, 0, 0, 0, 3, 0x2a, 0x57, 0xb1, 0, 0, 0, 0];
        [
            &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 11][..],
            &[5, 0, 0, 0, 0, 0, 0, 0, 7], // 1 and 2
            &text("run"),
            &text("()V"),
            &text("Code"), // 5
            &text("get"),
            &text("put"),
            &text("size"), // 8
            &text("I"),
            &[7, 0, 3], // 10
            &[0, 0x21, 0, 10, 0, 0, 0, 1, 0, 10],
            &[0, 1],
            &member(0x20, 8, 9, &[0, 0]),
            &[0, 3],
            &member(0x0021, 3, 4, &code),
            &member(0x0001, 6, 4, &code),
            &member(0x0121, 7, 4, &[0, 0]),
            &[0, 0],
        ]
        .concat()
    }

    #[test]
    fn synchronized_methods_with_code_are_found_and_one_flag_is_cleared() {
        let file = ClassFile::read(class()).expect("a class file");
        let found: Vec<&Method> = file.synchronized().collect();
        assert_eq!(found.iter().map(|method| (method.name.as_str(), method.code)).collect::<Vec<_>>(), [("run", 3)]);
        assert_eq!(found[0].descriptor, "()V");
        let changed = file.unlocked(found[0]);
        let bytes = class();
        let differs: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != changed[at]).collect();
        assert_eq!(differs.iter().map(|&at| (bytes[at], changed[at])).collect::<Vec<_>>(), [(0x21, 0x01)]);
        let changed = ClassFile::read(changed).expect("a class file");
        assert_eq!(changed.synchronized().count(), 0);
        assert_eq!(changed.methods.len(), 3);
    }

    #[test]
    fn what_is_cut_off_or_no_class_file_is_none() {
        let bytes = class();
        let methods_end = bytes.len() - 2;
        assert!((0..methods_end).all(|end| ClassFile::read(bytes[..end].to_vec()).is_none()));
        assert!(ClassFile::read(b"PK\x03\x04 a jar".to_vec()).is_none());
    }
}
