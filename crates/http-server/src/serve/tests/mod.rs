//! The server on real sockets. Deadlines are short here because they are waited for; what they mean
//! is tested on a clock of its own beside the guarded stream, and must not be tested here again.

mod conversation;
mod deadlines;
mod lifecycle;
mod limits;
mod plaintext;
mod proxied;
mod support;
