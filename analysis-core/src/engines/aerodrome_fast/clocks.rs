//! Vector clocks that cost one bit for each running transaction.
//!
//! AeroDrome compares clocks only with the begins of running transactions. So a component only says whether a running
//! transaction reaches the clock's owner, and a clock is a set of *slots*: a transaction takes a slot at its begin and
//! gives it back at its end, when its bit is cleared wherever it is set. [`Clocks::holders`] records where it is set,
//! so the end visits only what changes.
//!
//! Each clock is a pair. `all` is what the paper writes `C`, `W`, `L` or `R`; `check` is the part of `all` that makes a
//! cycle when the transaction with that slot follows the clock: a transaction that follows only itself closes none. The
//! paper has the pair for reads (`R` and `chR`, section 4.3); here it serves for all, and replaces `lastWThr` and
//! `lastRelThr`.
//!
//! A clock that no running transaction reaches carries no information. It is reclaimed at once, and its name becomes
//! invalid: names have a *life*, which ends with the clock, so the places that still hold the name need no visit.

/// The name of a clock. The default, and a name whose clock has been reclaimed, name the empty clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Name {
    index: u32,
    life: u32,
}

impl Name {
    /// The empty clock.
    pub(super) const NOTHING: Name = Name { index: 0, life: 0 };
}

/// What a clock belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The running transaction with this slot: the clock grows with the transaction.
    Running(u32),
    /// An ended transaction, or events outside blocks.
    Past,
    /// Several accesses to one variable or lock, which alone names the clock, so that it may grow in place.
    Several,
}

struct Head {
    life: u32,
    role: Role,
}

/// The store of clocks.
pub(super) struct Clocks {
    heads: Vec<Head>,
    /// For each clock `words` words of `all` and `words` words of `check`.
    bits: Vec<u64>,
    words: usize,
    free: Vec<u32>,
    free_slots: Vec<u32>,
    /// By slot: each live clock that has the slot in `all`, once. May include names of reclaimed clocks.
    holders: Vec<Vec<Name>>,
    /// The number of names in `holders`, and the number at which to [`Clocks::collect`].
    entries: usize,
    threshold: usize,
    /// What reaches the transaction that ends; kept to reuse its memory.
    reaching: Vec<u64>,
}

/// With fewer entries than this a collection does not pay off.
const FEW: usize = 4096;

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks {
            heads: vec![Head { life: 1, role: Role::Past }],
            bits: vec![0; 2],
            words: 1,
            free: Vec::new(),
            free_slots: Vec::new(),
            holders: Vec::new(),
            entries: 0,
            threshold: FEW,
            reaching: Vec::new(),
        }
    }
}

impl Clocks {
    /// Returns the name itself, or [`Name::NOTHING`] if its clock has been reclaimed.
    #[inline]
    pub(super) fn current(&self, name: Name) -> Name {
        if self.is_alive(name) { name } else { Name::NOTHING }
    }

    /// Begins a transaction in a thread whose clock was `before`. Returns the clock of the transaction.
    pub(super) fn begin(&mut self, before: Name) -> Name {
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.holders.push(Vec::new());
            u32::try_from(self.holders.len() - 1).expect("no more slots than threads")
        });
        if self.holders.len() > 64 * self.words {
            self.widen();
        }
        let mine = self.make(Role::Running(slot));
        if self.is_alive(before) {
            self.add_all(mine, before);
        }
        let (word, bit) = place(slot);
        self.add_word(mine, word, bit);
        mine
    }

    /// Ends the transaction with the clock `mine`: all that reaches it now reaches what it reaches (lines 37 to 46).
    /// Returns whether that closes a cycle.
    pub(super) fn end(&mut self, mine: Name) -> bool {
        let Role::Running(slot) = self.role(mine) else { unreachable!("a running transaction has a slot") };
        let (word, bit) = place(slot);
        let at = self.at(mine);
        let mut reaching = std::mem::take(&mut self.reaching);
        reaching.clear();
        reaching.extend_from_slice(&self.bits[at..at + self.words]);
        reaching[word] &= !bit;
        self.heads[mine.index as usize].role = Role::Past;
        let mut holders = std::mem::take(&mut self.holders[slot as usize]);
        self.entries -= holders.len();
        let mut is_cycle = false;
        for holder in holders.drain(..) {
            if !self.is_alive(holder) {
                continue;
            }
            let at = self.at(holder);
            self.bits[at + word] &= !bit;
            self.bits[at + self.words + word] &= !bit;
            if let Role::Running(other) = self.role(holder) {
                let (word, bit) = place(other);
                is_cycle |= reaching[word] & bit != 0;
            }
            self.grow(holder, &reaching);
        }
        self.holders[slot as usize] = holders;
        self.free_slots.push(slot);
        self.reaching = reaching;
        is_cycle
    }

    /// Returns whether the running transaction with the clock `mine` closes a cycle by following `source` (line 10).
    #[inline]
    pub(super) fn closes_cycle(&self, mine: Name, source: Name) -> bool {
        let Role::Running(slot) = self.role(mine) else { return false };
        let (word, bit) = place(slot);
        self.is_alive(source) && self.bits[self.at(source) + self.words + word] & bit != 0
    }

    /// Returns the clock of a thread, so far `mine`, after it follows `source` (line 12).
    #[inline]
    pub(super) fn join(&mut self, mine: Name, source: Name) -> Name {
        if !self.is_alive(source) || self.is_all_below(source, mine) {
            return mine;
        }
        self.join_news(mine, source)
    }

    fn join_news(&mut self, mine: Name, source: Name) -> Name {
        if self.is_alive(mine) && matches!(self.role(mine), Role::Running(_)) {
            self.add_all(mine, source);
            return mine;
        }
        // What was done under the old clock does not follow `source`: it keeps that clock.
        if self.role(source) == Role::Past && self.is_all_below(mine, source) {
            return source;
        }
        let new = self.make(Role::Past);
        self.add_all(new, source);
        if self.is_alive(mine) {
            self.add_all(new, mine);
        }
        new
    }

    /// Returns the clock of the accesses to one variable or lock, so far `accesses`, after another by a thread with
    /// clock `mine`.
    #[inline]
    pub(super) fn with_access(&mut self, accesses: Name, mine: Name) -> Name {
        if !self.is_alive(mine) {
            return accesses;
        }
        if !self.is_alive(accesses) {
            return mine;
        }
        if self.is_below(accesses, mine) {
            self.release(accesses);
            return mine;
        }
        if self.is_below(mine, accesses) {
            return accesses;
        }
        if self.role(accesses) == Role::Several {
            self.add_both(accesses, mine);
            return accesses;
        }
        let several = self.make(Role::Several);
        self.add_both(several, accesses);
        self.add_both(several, mine);
        several
    }

    /// Releases the clock of the accesses to a variable or lock, which no longer names it.
    #[inline]
    pub(super) fn release(&mut self, accesses: Name) {
        if self.is_alive(accesses) && self.role(accesses) == Role::Several {
            self.take_back(accesses.index);
        }
    }

    /// Returns whether it is time to [`Clocks::collect`].
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.entries >= self.threshold
    }

    /// Reclaims each clock that is not among `used`: a long-running transaction reaches more and more clocks, most of
    /// which are no longer named. Runs when the entries have doubled and at least as many were added as there are names
    /// to look at, so its cost is a constant share of the cost of adding them.
    #[cold]
    pub(super) fn collect(&mut self, used: impl Iterator<Item = Name>) {
        let mut is_used = vec![false; self.heads.len()];
        let mut names = 0;
        for name in used {
            names += 1;
            is_used[name.index as usize] |= self.is_alive(name);
        }
        for (index, is_used) in is_used.into_iter().enumerate().skip(1) {
            let at = 2 * self.words * index;
            if !is_used && self.bits[at..at + self.words].iter().any(|word| *word != 0) {
                self.take_back(u32::try_from(index).expect("indices were made from u32"));
            }
        }
        self.entries = 0;
        let mut holders = std::mem::take(&mut self.holders);
        for of_slot in &mut holders {
            of_slot.retain(|holder| self.is_alive(*holder));
            self.entries += of_slot.len();
        }
        self.holders = holders;
        self.threshold = FEW.max(2 * self.entries).max(self.entries + names);
    }

    /// The number of clocks that something reaches.
    #[cfg(test)]
    pub(super) fn alive(&self) -> usize {
        self.bits.chunks_exact(2 * self.words).filter(|bits| bits.iter().any(|word| *word != 0)).count()
    }

    /// The largest number of clocks that existed at one time, the empty clock included.
    #[cfg(test)]
    pub(super) fn places(&self) -> usize {
        self.heads.len()
    }

    #[inline]
    fn is_alive(&self, name: Name) -> bool {
        self.heads[name.index as usize].life == name.life
    }

    fn role(&self, name: Name) -> Role {
        self.heads[name.index as usize].role
    }

    /// Where the bits of a clock are.
    #[inline]
    fn at(&self, name: Name) -> usize {
        2 * self.words * name.index as usize
    }

    /// Returns whether `all` of `low` is a subset of `all` of `high`. The empty clock is below every clock, and above
    /// no other.
    #[inline]
    fn is_all_below(&self, low: Name, high: Name) -> bool {
        self.is_below_in(low, high, self.words)
    }

    /// Returns whether both halves of `low` are subsets of those of `high`.
    #[inline]
    fn is_below(&self, low: Name, high: Name) -> bool {
        self.is_below_in(low, high, 2 * self.words)
    }

    #[inline]
    fn is_below_in(&self, low: Name, high: Name, words: usize) -> bool {
        let (low, high) = (self.at(self.current(low)), self.at(self.current(high)));
        let pairs = self.bits[low..low + words].iter().zip(&self.bits[high..high + words]);
        pairs.into_iter().all(|(low, high)| low & !high == 0)
    }

    /// Adds all that reaches `source` to both halves of `target`, except that a transaction does not check itself.
    fn add_all(&mut self, target: Name, source: Name) {
        let (to, from) = (self.at(target), self.at(source));
        for word in 0..self.words {
            let news = self.bits[from + word];
            self.add_word(target, word, news);
            self.bits[to + self.words + word] |= news;
        }
        if let Role::Running(slot) = self.role(target) {
            let (word, bit) = place(slot);
            self.bits[to + self.words + word] &= !bit;
        }
    }

    /// Adds each half of `source` to its half of `target`.
    fn add_both(&mut self, target: Name, source: Name) {
        let (to, from) = (self.at(target), self.at(source));
        for word in 0..self.words {
            self.add_word(target, word, self.bits[from + word]);
            self.bits[to + self.words + word] |= self.bits[from + self.words + word];
        }
    }

    /// Adds `reaching` to both halves of a clock, and reclaims the clock if nothing reaches it.
    fn grow(&mut self, clock: Name, reaching: &[u64]) {
        let at = self.at(clock);
        let mut all = 0;
        for (word, &news) in reaching.iter().enumerate() {
            self.add_word(clock, word, news);
            self.bits[at + self.words + word] |= news;
            all |= self.bits[at + word];
        }
        if all == 0 {
            self.take_back(clock.index);
        }
    }

    #[inline]
    fn add_word(&mut self, target: Name, word: usize, bits: u64) {
        let all = self.at(target) + word;
        let mut news = bits & !self.bits[all];
        self.bits[all] |= bits;
        while news != 0 {
            let slot = 64 * word + news.trailing_zeros() as usize;
            self.hold(u32::try_from(slot).expect("slots were made from u32"), target);
            news &= news - 1;
        }
    }

    fn hold(&mut self, slot: u32, holder: Name) {
        self.holders[slot as usize].push(holder);
        self.entries += 1;
    }

    /// Makes a new empty clock.
    fn make(&mut self, role: Role) -> Name {
        let index = self.free.pop().unwrap_or_else(|| {
            self.heads.push(Head { life: 1, role });
            self.bits.resize(self.bits.len() + 2 * self.words, 0);
            u32::try_from(self.heads.len() - 1).expect("fewer than 2^32 clocks in use")
        });
        let head = &mut self.heads[index as usize];
        head.role = role;
        Name { index, life: head.life }
    }

    fn take_back(&mut self, index: u32) {
        let at = 2 * self.words * index as usize;
        self.bits[at..at + 2 * self.words].fill(0);
        let head = &mut self.heads[index as usize];
        head.life += 1;
        // A life that could recur would let a stale name refer to another clock, so the place is retired.
        if head.life < u32::MAX {
            self.free.push(index);
        }
    }

    /// Makes room for more slots.
    #[cold]
    fn widen(&mut self) {
        let words = 2 * self.words;
        let mut bits = vec![0; 2 * words * self.heads.len()];
        for (new, old) in bits.chunks_exact_mut(words).zip(self.bits.chunks_exact(self.words)) {
            new[..self.words].copy_from_slice(old);
        }
        (self.bits, self.words) = (bits, words);
    }
}

#[inline]
fn place(slot: u32) -> (usize, u64) {
    (slot as usize / 64, 1 << (slot % 64))
}
