//! What Patroni says of itself over HTTP. A member that does not answer must count as one that is
//! no primary.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde::Deserialize;

/// The port of Patroni's interface, as the example has it.
const PORT: u16 = 8008;

const WITHIN: Duration = Duration::from_secs(1);

/// What is asked of a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatroniRest<'a> {
    pub(super) address: &'a str,
}

/// What a primary says of the standbys that stream from it.
#[derive(Debug, Deserialize)]
struct PrimaryView {
    #[serde(default)]
    replication: Vec<StandbyView>,
}

#[derive(Debug, Deserialize)]
struct StandbyView {
    state: String,
    sync_state: String,
}

/// The cluster as it is kept in etcd.
#[derive(Debug, Deserialize)]
struct ClusterView {
    members: Vec<MemberView>,
}

#[derive(Debug, Deserialize)]
struct MemberView {
    role: String,
    state: String,
}

impl PatroniRest<'_> {
    /// Whether it has the lock of the leader and is a primary, as the checks of haproxy ask.
    pub(super) fn is_primary(self) -> bool {
        self.get("/primary")
            .is_some_and(|(status, _)| status == 200)
    }

    /// Whether two standbys stream from it, one of them is waited for, and etcd says so too: only
    /// then may the next failure come.
    pub(super) fn is_primary_of_two(self) -> bool {
        let primary = self.get("/patroni").map(|(_, text)| text);
        let cluster = self.get("/cluster").map(|(_, text)| text);
        let primary = primary.and_then(|text| serde_json::from_str(&text).ok());
        let cluster = cluster.and_then(|text| serde_json::from_str(&text).ok());
        primary.is_some_and(|view: PrimaryView| view.is_streamed_by_two())
            && cluster.is_some_and(|view: ClusterView| view.is_whole())
    }

    fn get(self, path: &str) -> Option<(u16, String)> {
        let address = format!("{}:{PORT}", self.address);
        let address: SocketAddr = address.parse().ok()?;
        let mut stream = TcpStream::connect_timeout(&address, WITHIN).ok()?;
        stream.set_read_timeout(Some(WITHIN)).ok()?;
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        answer(&text)
    }
}

impl PrimaryView {
    fn is_streamed_by_two(&self) -> bool {
        let streaming = |standby: &&StandbyView| standby.state == "streaming";
        let streaming: Vec<_> = self.replication.iter().filter(streaming).collect();
        let sync = streaming.iter().filter(|it| it.sync_state == "sync");
        streaming.len() == 2 && sync.count() == 1
    }
}

impl ClusterView {
    fn is_whole(&self) -> bool {
        let running = |role: &str| {
            let members = self.members.iter();
            let members = members.filter(|it| it.role == role && it.state == "running");
            members.count()
        };
        ["leader", "sync_standby", "replica"].map(running) == [1; 3]
    }
}

/// The status and the body of an answer.
fn answer(text: &str) -> Option<(u16, String)> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{ClusterView, PrimaryView, answer};

    #[test]
    fn an_answer_is_its_status_and_its_body() {
        let text = "HTTP/1.0 503 Service Unavailable\r\nServer: x\r\n\r\n{}";
        assert_eq!(answer(text), Some((503, "{}".to_owned())));
        assert_eq!(answer("HTTP/1.0 200"), None);
    }

    #[test]
    fn a_cluster_is_whole_with_a_leader_a_synchronous_standby_and_another() {
        let whole = |roles: [&str; 3]| {
            let members = roles.map(|role| serde_json::json!({"role": role, "state": "running"}));
            let view = serde_json::json!({"members": members});
            serde_json::from_value::<ClusterView>(view)
                .unwrap()
                .is_whole()
        };
        assert!(whole(["replica", "leader", "sync_standby"]));
        assert!(!whole(["replica", "leader", "replica"]));
    }

    #[test]
    fn a_primary_needs_two_that_stream_and_waits_for_one() {
        let view = |standbys: &[[&str; 2]]| {
            let standbys = standbys.iter().map(
                |[state, sync_state]| serde_json::json!({"state": state, "sync_state": sync_state}),
            );
            let view = serde_json::json!({"replication": standbys.collect::<Vec<_>>()});
            serde_json::from_value::<PrimaryView>(view)
                .unwrap()
                .is_streamed_by_two()
        };
        assert!(view(&[["streaming", "sync"], ["streaming", "async"]]));
        assert!(!view(&[["streaming", "async"], ["streaming", "async"]]));
        assert!(!view(&[["streaming", "sync"], ["catchup", "async"]]));
        assert!(!view(&[]));
    }
}
