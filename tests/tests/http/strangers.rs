//! Connections that show no key, more than there are places or files for. They must never keep a
//! merchant out.

use tests::folder::{GatewayFolder, QUICK};
use tests::http_line::Dialler;
use tests::merchant::TestMerchant;
use tests::process::{GatewayProcess, Launch};

/// Of so few files the connections have half.
const OPEN_FILES: u32 = 128;

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn a_server_with_few_files_says_so_and_serves_on_beside_hundreds_of_strangers() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Beside strangers", "1000.00");
    let launch = Launch {
        open_files: Some(OPEN_FILES),
        ..Launch::default()
    };
    let server = GatewayProcess::launch(&folder, &launch);
    let (merchant, dialler) = (
        TestMerchant::new(&folder, server.address(), &account),
        Dialler::new(&folder, server.address()),
    );
    merchant.get("/account/balance").await.with_status(200);
    let (mut silent, mut idle) = (Vec::new(), Vec::new());
    for count in 0..3 * OPEN_FILES {
        // Some are answered and stay, some never finish their first handshake.
        if count.is_multiple_of(3) {
            silent.push(dialler.plain().await);
        } else {
            let mut line = dialler.secure().await;
            line.send(HEALTH).await;
            assert_eq!(line.answer().await.status, 200, "stranger {count}");
            idle.push(line);
        }
    }
    merchant.get("/account/balance").await.with_status(200);
    let newcomer = TestMerchant::new(&folder, server.address(), &account);
    newcomer.get("/account/balance").await.with_status(200);
    let log = server.log();
    let said = log.lines().find(|line| line.contains("open_files"));
    let said = said.unwrap_or_else(|| panic!("it does not say so: {log}"));
    assert!(
        said.contains("\"open_files\":128") || said.contains("open_files=128"),
        "{said}"
    );
    assert!(said.contains("ulimit -n"), "{said}");
}
