//! What a service manager learns of a server through its socket: when it is ready, reloads and
//! stops, and that it is alive.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::process::{GatewayProcess, Launch};

/// The longest that any notification may take.
const WITHIN: Duration = Duration::from_secs(30);

/// What comes next, beside signs of life.
fn next(socket: &UnixDatagram) -> String {
    loop {
        let message = any(socket);
        if message != "WATCHDOG=1\n" {
            return message;
        }
    }
}

fn any(socket: &UnixDatagram) -> String {
    let mut message = [0; 512];
    let length = socket.recv(&mut message).expect("a notification comes");
    String::from_utf8_lossy(&message[..length]).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_manager_learns_when_a_server_is_ready_reloads_lives_and_stops() {
    let folder = GatewayFolder::with(QUICK);
    let path = folder.beside("notify");
    let socket = UnixDatagram::bind(&path).expect("a socket");
    socket.set_read_timeout(Some(WITHIN)).expect("a timeout");
    let environment = vec![
        ("NOTIFY_SOCKET", path.to_string_lossy().into_owned()),
        ("WATCHDOG_USEC", "200000".to_owned()),
    ];
    let launch = Launch {
        environment,
        ..Launch::default()
    };
    let server = GatewayProcess::launch(&folder, &launch);
    assert_eq!(any(&socket), "READY=1\n");
    for _ in 0..3 {
        assert_eq!(any(&socket), "WATCHDOG=1\n");
    }
    server.send("HUP");
    let reloading = next(&socket);
    assert!(
        reloading.starts_with("RELOADING=1\nMONOTONIC_USEC="),
        "{reloading}"
    );
    assert_eq!(next(&socket), "READY=1\n");
    server.terminate().await;
    assert_eq!(next(&socket), "STOPPING=1\n");
}
