//! Which banks there are. It must not know who banks there.
