//! A run of the real program under load with everything recorded: its first start, an account, many
//! payments, a stop, a second start, more payments, a stop. It must note of every answer how long
//! the record was when the answer had been read.

use crate::disk::{Flushes, RecordedDisk};
use crate::image::Image;
use crate::record::{self, DiskRecord};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tests::account::TestAccount;
use tests::folder::{GatewayFolder, under_load};
use tests::load;
use tests::merchant::{TestMerchant, send};
use tests::process::GatewayProcess;
use tests::purchases::{LastAnswer, TestPurchase};
use tests::rng::SeededRng;
use tokio::task::JoinSet;

/// How many buy at a time.
const CLIENTS: u64 = 8;

/// How much is bought between a start and a stop.
const PURCHASES: usize = 250;

/// What a merchant was answered.
#[derive(Debug, Clone)]
pub(crate) struct Acknowledged {
    pub(crate) purchase: TestPurchase,
    /// Records that were in the log when the answer had been read.
    pub(crate) records: usize,
}

/// A run that is over.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) log: Vec<u8>,
    pub(crate) records: Vec<DiskRecord>,
    /// The folder before the first record.
    pub(crate) before: Image,
    pub(crate) account: TestAccount,
    /// Records that were in the log when the account had been made.
    pub(crate) account_made: usize,
    /// In the order of their records.
    pub(crate) acknowledged: Vec<Acknowledged>,
}

impl Recording {
    /// Runs the program and reads the record.
    pub(crate) async fn make(chance: &mut SeededRng) -> Self {
        let tools = tempfile::tempdir().expect("a temporary folder");
        let library = record::build(tools.path());
        let folder = GatewayFolder::embedded(&under_load(""));
        let data = fs::canonicalize(folder.data()).expect("the data folder");
        let log = tools.path().join("record");
        let text = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
        let before = Image::of(&data);
        let account = TestAccount::within(folder.in_environment(&[
            ("LD_PRELOAD", text(&library)),
            ("POWER_CUT_FOLDER", text(&data)),
            ("POWER_CUT_LOG", text(&log)),
        ]));
        let account_made = length(&log);
        let mut noted = Vec::new();
        for run in 0..2 {
            let server = GatewayProcess::start(&account.folder);
            noted.extend(load(run, (&account, &server, &log), chance).await);
            assert!(server.terminate().await.success());
        }
        let log = fs::read(&log).expect("the record");
        let records = record::read(&log, &data);
        let count = |length: u64| records.partition_point(|record| record.end <= length);
        let mut acknowledged: Vec<_> = noted
            .into_iter()
            .map(|(purchase, length)| Acknowledged {
                purchase,
                records: count(length),
            })
            .collect();
        acknowledged.sort_by_key(|acknowledged| acknowledged.records);
        let account_made = count(account_made);
        let recording = Self {
            log,
            records,
            before,
            account,
            account_made,
            acknowledged,
        };
        recording.is_complete(&data);
        recording
    }

    /// A disk before the first record.
    pub(crate) fn disk(&self, flushes: Flushes) -> RecordedDisk<'_> {
        RecordedDisk::new(&self.log, &self.before, flushes)
    }

    /// The record replayed is the folder as it is: no call was missed.
    fn is_complete(&self, data: &Path) {
        let mut disk = self.disk(Flushes::All);
        for record in &self.records {
            disk.apply(record);
        }
        let (replayed, real) = (disk.whole(), Image::of(data));
        let names = |image: &Image| image.0.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&replayed), names(&real), "a call was not recorded");
        for (name, content) in &real.0 {
            assert!(
                replayed.0[name] == *content,
                "a write to {name} was not recorded"
            );
        }
    }
}

fn length(log: &Path) -> u64 {
    fs::metadata(log).expect("the record").len()
}

/// Buys, and notes of each purchase how long the record was when its answer had been read.
async fn load(
    run: u64,
    (account, server, log): (&TestAccount, &GatewayProcess, &Path),
    chance: &mut SeededRng,
) -> Vec<(TestPurchase, u64)> {
    let count = Arc::new(AtomicUsize::new(0));
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        let client = Client {
            number: run * CLIENTS + number,
            merchant: account.merchant(server),
            chance: chance.split(),
            log: log.to_path_buf(),
            count: Arc::clone(&count),
        };
        clients.spawn(client.run());
    }
    clients.join_all().await.concat()
}

struct Client {
    number: u64,
    merchant: TestMerchant,
    chance: SeededRng,
    log: PathBuf,
    count: Arc<AtomicUsize>,
}

impl Client {
    async fn run(mut self) -> Vec<(TestPurchase, u64)> {
        let mut bought = Vec::new();
        while self.count.fetch_add(1, Ordering::Relaxed) < PURCHASES {
            let purchase = load::next(self.number, bought.len(), &mut self.chance);
            let order = purchase.family.order(&purchase.reference, purchase.ending);
            let answer = send(self.merchant.buying(purchase.family, &order)).await;
            let length = length(&self.log);
            let received = LastAnswer::from(&answer);
            bought.push((
                TestPurchase {
                    received,
                    ..purchase
                },
                length,
            ));
        }
        bought
    }
}

/// What an image must say of each reference, as states of the store; nothing where it may not have
/// it.
pub(crate) fn promised(acknowledged: &[Acknowledged]) -> BTreeMap<&str, &'static [&'static str]> {
    let promise = |received: &LastAnswer| -> &'static [&'static str] {
        match received {
            LastAnswer::Accepted(status) => match status.as_str() {
                "Successful" => &["successful", "reversed"],
                "Failed" => &["failed"],
                "Reversed" => &["reversed"],
                _ => &[
                    "sending",
                    "in_doubt",
                    "review",
                    "successful",
                    "failed",
                    "reversed",
                ],
            },
            LastAnswer::Refused(_) | LastAnswer::Nothing => &[],
        }
    };
    let of = |acknowledged: &'_ Acknowledged| promise(&acknowledged.purchase.received);
    acknowledged
        .iter()
        .map(|one| (one.purchase.reference.as_str(), of(one)))
        .collect()
}
