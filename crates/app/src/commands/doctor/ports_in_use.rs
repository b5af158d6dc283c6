//! Which process listens on a port, as the kernel shows it under `/proc`. It must say that it does
//! not know rather than guess.

use std::fs;
use std::path::Path;

/// A process that listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PortHolder {
    pub(super) process: u32,
    pub(super) name: String,
    /// Whether it is this program.
    pub(super) is_gateway: bool,
}

/// The tables of sockets.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];

/// The state of a socket that listens.
const LISTENING: &str = "0A";

/// Who listens on a port; `None` where it belongs to another user, or nothing does.
pub(super) fn holder(port: u16) -> Option<PortHolder> {
    let tables = TABLES
        .iter()
        .filter_map(|table| fs::read_to_string(table).ok());
    let sockets: Vec<String> = tables
        .flat_map(|table| sockets(&table, port))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    let processes = fs::read_dir("/proc").ok()?.filter_map(Result::ok);
    let mut processes = processes.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    let process = processes.find(|process| has_one(*process, &sockets))?;
    let folder = Path::new("/proc").join(process.to_string());
    let name = fs::read_to_string(folder.join("comm")).unwrap_or_default();
    let name = name.trim().to_owned();
    // An upgrade may have replaced the file that the process was started from.
    let ours = std::env::current_exe().ok();
    let theirs = fs::read_link(folder.join("exe")).ok();
    Some(PortHolder {
        process,
        is_gateway: name == "manilla" || (ours.is_some() && ours == theirs),
        name,
    })
}

/// The sockets that listen on a port, by the numbers that the kernel gives them.
fn sockets(table: &str, port: u16) -> Vec<String> {
    let local = format!(":{port:04X}");
    let listening = table.lines().filter_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let is_it = words.next()?.ends_with(&local);
        let state = words.nth(1)?;
        // Queues, timer, retransmissions, user and timeout stand between.
        let inode = words.nth(5)?;
        (is_it && state == LISTENING).then(|| inode.to_owned())
    });
    listening.collect()
}

fn has_one(process: u32, sockets: &[String]) -> bool {
    let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else {
        return false;
    };
    let mut links = open.filter_map(|it| fs::read_link(it.ok()?.path()).ok());
    links.any(|link| {
        sockets
            .iter()
            .any(|socket| link.as_os_str() == socket.as_str())
    })
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn the_process_that_listens_on_a_port_is_found() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let found = holder(port).unwrap();
        assert_eq!(found.process, std::process::id());
        assert!(found.is_gateway);
        drop(listener);
        assert_eq!(holder(port), None);
    }

    #[test]
    fn only_what_listens_on_the_very_port_counts() {
        let table = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:20FB 00000000:0000 0A 00000000:00000000 00:00000000 00000000   999        0 4711 1
   1: 0100007F:20FB 0100007F:B1C0 01 00000000:00000000 00:00000000 00000000   999        0 4712 1
   2: 0100007F:20FC 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1
";
        assert_eq!(sockets(table, 8443), ["4711"]);
        assert_eq!(sockets(table, 8444), ["4713"]);
        assert_eq!(sockets(table, 45_504), [""; 0]);
    }
}
