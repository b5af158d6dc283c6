//! Readers of the log that misbehave. They must cost lines of the log and nothing else: every
//! payment is answered, and the server stops when it is asked to.

use std::io::{BufRead as _, BufReader, PipeReader, Write as _, pipe};
use std::sync::Arc;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal;

/// How much a pipe holds that is not read.
const PIPE_HOLDS: usize = 65_536;

const PAYMENTS: usize = 20;

/// A server whose log goes into a pipe.
struct Watched {
    folder: GatewayFolder,
    account: MerchantCredentials,
    server: GatewayProcess,
    reader: PipeReader,
}

impl Watched {
    /// Everything there is room for in the pipe is taken already.
    fn start() -> Self {
        let folder = GatewayFolder::with(QUICK);
        let account = folder.account("Watched", "1000000.00");
        let (reader, mut writer) = pipe().unwrap();
        writer.write_all(&vec![b'\n'; PIPE_HOLDS]).unwrap();
        let launch = Launch {
            log: Some(Arc::new(writer)),
            ..Launch::default()
        };
        let server = GatewayProcess::launch(&folder, &launch);
        Self {
            folder,
            account,
            server,
            reader,
        }
    }

    async fn pays_and_stops(self) {
        let merchant = TestMerchant::new(&self.folder, self.server.address(), &self.account);
        for n in 0..PAYMENTS {
            let order = OrderFamily::Airtime.order(&format!("unread-{n}"), "0000");
            let answer = merchant.post(AIRTIME, &order).await.with_status(200);
            assert_eq!(answer.txn_status(), "Successful");
        }
        let stopped = self.server.terminate().await;
        assert!(stopped.success(), "{stopped:?}");
        provider_journal::audit_is_clean(&self.folder);
    }
}

#[tokio::test]
async fn a_reader_that_ends_after_a_line_stops_no_payment() {
    let mut watched = Watched::start();
    let mut lines = BufReader::new(watched.reader).lines();
    let logged = lines.find(|line| !line.as_ref().unwrap().is_empty());
    assert!(logged.is_some());
    drop(lines);
    (watched.reader, _) = pipe().unwrap();
    watched.pays_and_stops().await;
}

#[tokio::test]
async fn a_reader_that_reads_nothing_stops_no_payment() {
    Watched::start().pays_and_stops().await;
}
