//! Long names, shortened in the middle of their packages: readers look for the end of a name.

use unicode_width::UnicodeWidthStr;

/// Stands for the packages that are left out.
const LEFT_OUT: &str = "...";

/// `name` in `width` columns, if that is possible without cutting the class or the member:
/// `com.acme.shop.catalogue.Range.set` becomes `com...Range.set`; `Range.set` stays whole, however long.
pub(super) fn cut(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let end = name.find(['(', ':']).unwrap_or(name.len());
    let mut dots = name[..end].rmatch_indices('.').map(|(at, _)| at);
    dots.next();
    let Some(class) = dots.next() else { return name.to_owned() };
    let kept = &name[class + 1..];
    let room = width.saturating_sub(kept.width() + LEFT_OUT.len());
    // The first whole packages, as many as there is room for.
    let packages =
        name[..class].match_indices('.').map(|(at, _)| at).take_while(|at| name[..*at].width() <= room).last();
    format!("{}{LEFT_OUT}{kept}", packages.map_or("", |at| &name[..at]))
}

/// Like [`cut`], for what an event did: `read com.acme.shop.Range.low`, `w(com.acme.shop.Range.low)`.
pub(super) fn cut_operation(operation: &str, width: usize) -> String {
    if operation.width() <= width {
        return operation.to_owned();
    }
    let name = operation[..operation.find('"').unwrap_or(operation.len())].find([' ', '(']).map_or(0, |at| at + 1);
    let (did, on) = operation.split_at(name);
    format!("{did}{}", cut(on, width.saturating_sub(did.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_go_and_members_stay() {
        assert_eq!(cut("com.acme.shop.Range.set", 40), "com.acme.shop.Range.set");
        assert_eq!(cut("com.acme.shop.catalogue.Range.set", 24), "com.acme...Range.set");
        assert_eq!(cut("com.acme.shop.catalogue.Range.set(int)", 10), "...Range.set(int)");
        let member = "m".repeat(10_000);
        assert_eq!(cut(&format!("com.acme.Range.{member}"), 20), format!("...Range.{member}"));
        assert_eq!(cut(&member, 20), member);
    }

    #[test]
    fn what_was_done_stays() {
        assert_eq!(cut_operation("read com.acme.shop.Range.low", 20), "read com...Range.low");
        assert_eq!(cut_operation("w(com.acme.shop.Range.low)", 0), "w(...Range.low)");
        assert_eq!(cut_operation("write Prices.KNOWN.put(\"a b.c.d\")", 0), "write ...KNOWN.put(\"a b.c.d\")");
    }
}
