//! Engines that lie must be caught.
