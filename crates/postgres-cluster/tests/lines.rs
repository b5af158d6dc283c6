//! Connections that are cut, held and refused, in front of a server that echoes its input and then
//! sends the input's length. A server in memory is enough: only the bytes that arrive matter.
#![cfg(test)]

use postgres_cluster::proxy::{IDLE, Proxy, TrafficDirection};
use postgres_cluster::{Cluster, TestDatabase};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A server that answers every byte with the same byte, and reports each.
fn echo() -> (SocketAddr, Receiver<u8>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (seen, arrives) = channel();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (mut client, seen) = (client.unwrap(), seen.clone());
            std::thread::spawn(move || {
                let mut byte = [0];
                while let Ok(1) = client.read(&mut byte) {
                    if seen.send(byte[0]).is_err() || client.write_all(&byte).is_err() {
                        break;
                    }
                }
            });
        }
    });
    (address, arrives)
}

fn connect(proxy: &Proxy) -> TcpStream {
    let stream = TcpStream::connect(proxy.address()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    stream
}

/// What comes for some bytes, one for one; less if the line is cut.
fn ask(stream: &mut TcpStream, bytes: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    if stream.write_all(bytes).is_ok() {
        let length = u64::try_from(bytes.len()).unwrap();
        let _ = stream.take(length).read_to_end(&mut answer);
    }
    answer
}

#[test]
fn a_cut_ends_the_connections_there_are_and_no_others() {
    let (server, _arrives) = echo();
    let proxy = Proxy::to(server);
    let mut before = connect(&proxy);
    assert_eq!(ask(&mut before, b"hello"), b"hello");
    assert_eq!(proxy.connections(), 1);
    proxy.cut();
    assert_eq!(ask(&mut before, b"hello"), b"");
    assert_eq!(proxy.connections(), 0);
    assert_eq!(ask(&mut connect(&proxy), b"again"), b"again");
}

#[test]
fn refusing_is_for_new_connections_only() {
    let (server, _arrives) = echo();
    let proxy = Proxy::to(server);
    let mut before = connect(&proxy);
    assert_eq!(ask(&mut before, b"one"), b"one");
    proxy.refuse();
    assert_eq!(ask(&mut connect(&proxy), b"two"), b"");
    assert_eq!(ask(&mut before, b"three"), b"three");
    proxy.accept();
    assert_eq!(ask(&mut connect(&proxy), b"four"), b"four");
}

#[test]
fn what_is_held_arrives_once_it_is_released() {
    let (server, arrives) = echo();
    let proxy = Proxy::to(server);
    let mut client = connect(&proxy);
    assert_eq!(ask(&mut client, b"a"), b"a");
    assert_eq!(arrives.recv().unwrap(), b'a');

    proxy.hold(TrafficDirection::ToServer);
    client.write_all(b"b").unwrap();
    let quiet = Duration::from_millis(100);
    assert!(arrives.recv_timeout(quiet).is_err());
    proxy.hold(TrafficDirection::ToClient);
    proxy.release();
    assert_eq!(arrives.recv().unwrap(), b'b');
    let mut byte = [0];
    client.read_exact(&mut byte).unwrap();
    assert_eq!(&byte, b"b");

    proxy.hold(TrafficDirection::ToClient);
    client.write_all(b"c").unwrap();
    assert_eq!(arrives.recv().unwrap(), b'c');
    client.set_read_timeout(Some(quiet)).unwrap();
    assert!(client.read_exact(&mut byte).is_err());
    proxy.release();
    client
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    client.read_exact(&mut byte).unwrap();
    assert_eq!(&byte, b"c");
}

#[test]
fn a_lost_question_never_arrives_and_a_lost_answer_was_one() {
    let (server, arrives) = echo();
    let proxy = Proxy::to(server);
    let mut client = connect(&proxy);
    proxy.cut_before(b"STOP");
    assert_eq!(ask(&mut client, b"go"), b"go");
    assert_eq!(ask(&mut client, b"STOP"), b"");
    assert_eq!(arrives.try_iter().collect::<Vec<_>>(), b"go");
    assert_eq!(proxy.caught(), 1);

    let mut client = connect(&proxy);
    assert_eq!(ask(&mut client, b"STOP"), b"STOP", "it catches once");
    proxy.cut_after(b"STOP", b"!");
    assert_eq!(ask(&mut client, b"go!"), b"go!");
    assert_eq!(ask(&mut client, b"STOP and end!"), b"");
    assert_eq!(
        arrives.try_iter().collect::<Vec<_>>(),
        b"STOPgo!STOP and end!"
    );
    assert_eq!(proxy.caught(), 2);
}

/// A client in a process of its own that commits a row through the line.
fn insert(proxy: &Proxy, database: &TestDatabase) -> Child {
    let sql = "BEGIN; INSERT INTO kept VALUES (1);";
    let mut psql: Command = Cluster::shared().client("psql");
    psql.args(["--no-psqlrc", "--dbname", &proxy.url(database.name())])
        .args(["--command", sql, "--command", "COMMIT"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    psql.spawn().unwrap()
}

#[test]
fn a_commit_whose_answer_is_lost_has_happened_and_one_that_is_lost_has_not() {
    let cluster = Cluster::shared();
    let database = cluster.database();
    let _ = database.psql("CREATE TABLE kept (number integer);");
    let proxy = Proxy::to(([127, 0, 0, 1], cluster.port()).into());
    let count = || database.psql("SELECT count(*) FROM kept;");

    proxy.cut_before(b"COMMIT");
    assert!(!insert(&proxy, &database).wait().unwrap().success());
    assert_eq!((proxy.caught(), count().as_str()), (1, "0"));

    proxy.cut_after(b"COMMIT", IDLE);
    assert!(!insert(&proxy, &database).wait().unwrap().success());
    assert_eq!((proxy.caught(), count().as_str()), (2, "1"));

    assert!(insert(&proxy, &database).wait().unwrap().success());
    assert_eq!((proxy.caught(), count().as_str()), (2, "2"));
}
