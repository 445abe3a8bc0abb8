//! The families, as data.

use super::Family;
use super::scheduler::{Shape, Weights};

const BASE: Weights = Weights { read: 24, write: 16, acquire: 6, release: 12, begin: 14, end: 12, fork: 1, join: 1 };

pub(super) const DENSE: Family = Family {
    name: "dense",
    about: "few threads that share few variables and locks",
    shape: Shape {
        threads: (2, 4),
        vars: (1, 4),
        locks: (1, 2),
        events: (8, 40),
        weights: BASE,
        depth: 2,
        labels: 6,
        burst: 40,
        repeat: 0,
        phased: 0,
        is_tree: false,
        idle: 0,
        lawless: 0,
    },
};

pub(super) const MANY_THREADS: Family = Family {
    name: "many-threads",
    about: "five to sixteen threads",
    shape: Shape { threads: (5, 16), vars: (4, 24), locks: (1, 4), events: (20, 90), burst: 60, ..DENSE.shape },
};

pub(super) const SPARSE: Family = Family {
    name: "sparse",
    about: "long blocks with few conflicts between them: many cycles blame nobody",
    shape: Shape {
        threads: (4, 7),
        vars: (24, 44),
        locks: (1, 1),
        events: (36, 56),
        weights: Weights { read: 24, write: 18, acquire: 0, release: 1, begin: 40, end: 1, fork: 0, join: 0 },
        depth: 1,
        burst: 20,
        phased: 80,
        ..DENSE.shape
    },
};

pub(super) const FORK_JOIN: Family = Family {
    name: "fork-join",
    about: "a tree of threads that fork and join each other inside and outside blocks, some without any event",
    shape: Shape {
        threads: (3, 8),
        vars: (2, 8),
        events: (12, 50),
        weights: Weights { fork: 14, join: 8, ..BASE },
        is_tree: true,
        idle: 20,
        ..DENSE.shape
    },
};

pub(super) const NESTED: Family = Family {
    name: "nested",
    about: "blocks up to four deep under few labels, as recursion makes them",
    shape: Shape {
        threads: (2, 4),
        vars: (2, 6),
        events: (12, 60),
        weights: Weights { begin: 30, end: 20, ..BASE },
        depth: 4,
        labels: 2,
        burst: 70,
        ..DENSE.shape
    },
};

pub(super) const REPEATED: Family = Family {
    name: "repeated",
    about: "the same variable again and again within a segment: what a filter of redundant accesses leaves out",
    shape: Shape {
        threads: (2, 5),
        vars: (2, 8),
        locks: (1, 3),
        events: (20, 80),
        weights: Weights { read: 60, write: 30, ..BASE },
        depth: 3,
        burst: 80,
        repeat: 70,
        ..DENSE.shape
    },
};

pub(super) const ILL_FORMED: Family = Family {
    name: "ill-formed",
    about: "what a lenient reader hands over: held locks acquired, ends without begins, events after joins, double forks",
    shape: Shape {
        threads: (2, 5),
        vars: (2, 6),
        locks: (1, 3),
        events: (8, 50),
        weights: Weights { fork: 5, join: 5, ..BASE },
        depth: 3,
        burst: 50,
        lawless: 15,
        ..DENSE.shape
    },
};
