//! Numbers of variable length: seven bits a byte, lowest first, the eighth set in all bytes but the last (LEB128).

/// Appends `number`.
#[inline]
pub(super) fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads from the front of `bytes`, which it shortens. `None` if there is no number of 32 bits.
#[inline]
pub(super) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for index in 0..5 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return (index < 4 || byte < 0x10).then_some(number);
        }
    }
    None
}

/// A difference as a number that is small if the difference is.
#[inline]
pub(super) fn zigzag(difference: u32) -> u32 {
    difference << 1 ^ ((difference as i32) >> 31) as u32
}

/// The difference that [`zigzag`] was given.
#[inline]
pub(super) fn unzigzag(number: u32) -> u32 {
    number >> 1 ^ (number & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_was_written() {
        for number in (0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, (1 << bit) + 1]).chain([u32::MAX]) {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            let mut rest = &bytes[..];
            assert_eq!((take(&mut rest), rest), (Some(number), &b""[..]));
            assert_eq!(take(&mut &bytes[..bytes.len() - 1]), None);
            assert_eq!(unzigzag(zigzag(number)), number);
        }
        assert_eq!([0, 1, u32::MAX, 2].map(zigzag), [0, 2, 1, 4]);
        assert_eq!(take(&mut &[0xff, 0xff, 0xff, 0xff, 0x10][..]), None);
    }
}
