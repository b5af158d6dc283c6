//! Which process is at the other end of a connection within this machine, as the kernel knows it.
//! It must not guess: a process that is gone, or unknown, is none.

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tokio::net::TcpListener;

/// Where the kernel lists the connections of version 4, one a line: a number, this end, the other
/// end, ..., and in the tenth column the number of the socket. It takes both ends to tell one: a
/// port is used for several at a time.
const CONNECTIONS: &str = "/proc/net/tcp";
const THIS_END: usize = 1;
const OTHER_END: usize = 2;
const SOCKET: usize = 9;

/// A connection that was accepted.
#[derive(Debug, Clone)]
pub(crate) struct CallerLine {
    /// The port of the caller, and the one that was called.
    ports: (u16, u16),
    caller: Arc<OnceLock<Option<u32>>>,
}

impl Connected<IncomingStream<'_, TcpListener>> for CallerLine {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        let called = stream.io().local_addr().unwrap();
        Self {
            ports: (stream.remote_addr().port(), called.port()),
            caller: Arc::default(),
        }
    }
}

impl CallerLine {
    /// Whose the other end is, of some processes. It is looked for while the first request waits
    /// for its answer, and remembered.
    pub(crate) fn caller(&self, among: &[u32]) -> Option<u32> {
        let find = || {
            let socket = socket(self.ports)?;
            let holder = among.iter().find(|process| holds(**process, &socket));
            holder.copied()
        };
        // Where processes are not distinguished, none is looked for.
        if among.is_empty() {
            return None;
        }
        *self.caller.get_or_init(find)
    }
}

/// The number of the socket that calls from one port to another.
fn socket((from, to): (u16, u16)) -> Option<String> {
    let list = std::fs::read_to_string(CONNECTIONS).unwrap();
    let (from, to) = (format!(":{from:04X}"), format!(":{to:04X}"));
    let mut sockets = list.lines().filter_map(|line| {
        let columns: Vec<_> = line.split_whitespace().collect();
        let is_it = columns[THIS_END].ends_with(&from) && columns[OTHER_END].ends_with(&to);
        is_it.then(|| columns[SOCKET].to_owned())
    });
    sockets.next()
}

/// Whether a process has a socket open.
fn holds(process: u32, socket: &str) -> bool {
    let socket = format!("socket:[{socket}]");
    let files = std::fs::read_dir(format!("/proc/{process}/fd"));
    let files = files.into_iter().flatten().flatten();
    let mut names = files.filter_map(|file| std::fs::read_link(file.path()).ok());
    names.any(|name| name == Path::new(&socket))
}
