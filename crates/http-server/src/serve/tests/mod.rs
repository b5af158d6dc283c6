//! Tests the server on real sockets. Deadlines are short here because the tests wait for them; the
//! deadlines themselves are tested on a simulated clock beside the deadline stream, and must not be
//! tested here again.

mod conversation;
mod deadlines;
mod http2;
mod lifecycle;
mod limits;
mod plaintext;
mod proxied;
mod support;
