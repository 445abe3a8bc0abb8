//! What the tests of several members share.
