//! Reports: totals of the whole period on every page, wallets from day to day, and a bound on what
//! one report reads.

use super::support::{World, merchant};
use application::Gateway;
use application::reports::files::{
    ReportFileError, ReportFileForm, ReportKind, ReportRun, ReportRunId, ReportSumsOf,
    ReportWriter, RunRequest, RunState, TransactionLines,
};
use application::reports::{
    BesideProducts, ROWS_MAX, ReportError, ReportFilter, ReportScope, WalletReport,
};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::ledger::TransferKind;
use domain::money::Currency;
use domain::order::Service;
use domain::reporting::{
    AcceptedTransaction, GroupedSums, MovedPrice, PriceSums, ReportDays, ReportGrouping,
    SettledTransfer,
};
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::Status;
use ports::PortError;
use ports::report_runs::{RunCreation, RunPart, RunWrite};
use ports::reports::{AcceptedRange, Reports, SettledRange};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{
    account_id, airtime, at, delivered, electricity, funding, number, reversed,
};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

const DAY: u64 = 24 * 60 * 60;

/// The days from the beginning of the clock on.
fn days(count: u64) -> ReportDays {
    let midnights = (1..count).map(|day| at(day * DAY)).collect();
    ReportDays::new(at(0), at(count * DAY), midnights)
}

fn everything(days: ReportDays) -> ReportScope {
    ReportScope {
        services: Service::all().collect(),
        beside_products: BesideProducts::Included,
        days,
    }
}

const fn part(offset: u64, length: u32, sort: Sort) -> ReportFilter {
    ReportFilter {
        status: None,
        number: None,
        offset,
        length,
        sort,
    }
}

/// A store with so many transactions and as many transfers, one a second.
#[derive(Debug)]
struct ManyRows(u64);

impl ManyRows {
    fn seconds(&self, from: Timestamp, until: Timestamp, after: bool) -> impl Iterator<Item = u64> {
        let first = from.since(at(0)).as_secs() + u64::from(after);
        let last = until.since(at(0)).as_secs();
        first..last.min(self.0)
    }
}

#[async_trait]
impl Reports for ManyRows {
    async fn accepted(
        &self,
        _: &AccountId,
        range: &AcceptedRange,
    ) -> Result<Vec<AcceptedTransaction>, PortError> {
        let is_of_it = range.service == Service::Airtime;
        let bought = airtime().transaction();
        let seconds = self.seconds(range.from, range.until, range.after.is_some());
        let seconds = seconds.filter(|_| is_of_it).take(range.limit as usize);
        let row = |second| AcceptedTransaction {
            number: number(second + 1),
            reference: bought.reference.clone(),
            order: bought.order.clone(),
            quote: bought.quote.clone(),
            opened_at: at(second),
            updated_at: at(second),
            is_final: false,
            moved: MovedPrice::none(Currency::Ngn)
                .after(TransferKind::Hold, bought.quote.price)
                .unwrap(),
        };
        Ok(seconds.map(row).collect())
    }

    async fn settled(
        &self,
        _: &AccountId,
        range: &SettledRange,
    ) -> Result<Vec<SettledTransfer>, PortError> {
        let bought = airtime().transaction();
        let seconds = self.seconds(range.from, range.until, range.after.is_some());
        let row = |second| SettledTransfer {
            entry: 1,
            kind: TransferKind::Capture,
            amount: bought.quote.price,
            at: at(second),
            bought: Some((bought.order.clone(), bought.quote.clone())),
        };
        Ok(seconds.take(range.limit as usize).map(row).collect())
    }
}

#[tokio::test]
async fn a_part_is_found_from_either_end_and_the_totals_are_of_everything() {
    let world = World::new().await;
    world.pass(Duration::from_secs(10 * DAY)).await;
    let gateway = world.gateway_with(|parts| parts.reports = Arc::new(ManyRows(1_201)));
    let (shop, scope) = (merchant("shop"), everything(days(10)));
    for (filter, expected) in [
        (part(0, 2, Sort::Ascending), vec![0, 1]),
        (part(499, 3, Sort::Ascending), vec![499, 500, 501]),
        (part(1_200, 5, Sort::Ascending), vec![1_200]),
        (part(1_201, 5, Sort::Ascending), vec![]),
        (part(0, 2, Sort::Descending), vec![1_200, 1_199]),
        (part(1_199, 5, Sort::Descending), vec![1, 0]),
        (part(2_000, 5, Sort::Descending), vec![]),
    ] {
        let report = gateway.report_transactions(&shop, &scope, &filter).await;
        let report = report.unwrap();
        let seconds = report.transactions.iter();
        let seconds: Vec<_> = seconds
            .map(|it| it.opened_at.since(at(0)).as_secs())
            .collect();
        assert_eq!(seconds, expected, "{filter:?}");
        assert_eq!((report.total, report.found), (1_201, 1_201));
        let total = &report.sums.totals()[&Currency::Ngn];
        assert_eq!((total.count, total.net.minor()), (1_201, 1_201 * 97_000));
    }
    let failed = ReportFilter {
        status: Some(Status::Failed),
        ..part(0, 5, Sort::Ascending)
    };
    let none = gateway.report_transactions(&shop, &scope, &failed).await;
    let none = none.unwrap();
    assert_eq!((none.total, none.found), (1_201, 0));
    assert!(none.sums.totals().is_empty());
}

#[tokio::test]
async fn a_report_reads_no_more_than_so_many_rows() {
    let world = World::new().await;
    world.pass(Duration::from_secs(10 * DAY)).await;
    let (shop, scope) = (merchant("shop"), everything(days(10)));
    for (rows, fits) in [(ROWS_MAX, true), (ROWS_MAX + 1, false)] {
        let gateway = world.gateway_with(|parts| parts.reports = Arc::new(ManyRows(rows)));
        let filter = part(0, 1, Sort::Ascending);
        let one = ReportGrouping::Account;
        let refusals = [
            gateway
                .report_transactions(&shop, &scope, &filter)
                .await
                .err(),
            gateway.report_commission(&shop, &scope, one).await.err(),
            gateway.report_settlement(&shop, &scope, one).await.err(),
            gateway
                .report_reconciliation(&shop, &scope, one)
                .await
                .err(),
        ];
        for refused in refusals {
            match refused {
                None => assert!(fits, "{rows}"),
                Some(ReportError::TooManyRows) => assert!(!fits, "{rows}"),
                Some(other) => panic!("{other:?}"),
            }
        }
    }
}

/// What a wallet had at the end of each day.
fn closings(report: &WalletReport) -> Vec<i64> {
    report.days.iter().map(|it| it.closing.minor()).collect()
}

#[tokio::test]
async fn a_wallet_is_followed_from_day_to_day() {
    let world = World::new().await;
    let stores = &world.stores;
    let bought = airtime().opened_at(at(DAY + 5));
    let bought = stores.has_opened(&bought).await;
    let bought = stores
        .has_applied(&bought, &delivered(&bought), at(DAY + 6))
        .await;
    stores
        .has_applied(&bought, &reversed(&bought), at(3 * DAY))
        .await;
    let meter = electricity().nth(2).opened_at(at(4 * DAY + 1));
    stores.has_opened(&meter).await;
    world.pass(Duration::from_secs(10 * DAY)).await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let of = async |days: ReportDays, grouping| {
        gateway.report_float(&shop, &days, grouping).await.unwrap()
    };
    let [money, credits] = &of(days(5), ReportGrouping::Day).await[..] else {
        panic!("two wallets");
    };
    let price = 485_000;
    let whole = 1_000_000;
    let expected = [whole, whole - 97_000, whole - 97_000, whole, whole - price];
    assert_eq!(closings(money), expected);
    assert_eq!(closings(credits), [0; 5]);
    for day in money.days.iter().chain([&money.total]) {
        let came_to = day.opening.checked_add(day.came_in).unwrap();
        assert_eq!(came_to.checked_sub(day.went_out).unwrap(), day.closing);
    }
    let later = ReportDays::new(at(3 * DAY), at(4 * DAY), Vec::new());
    let one = &of(later, ReportGrouping::Account).await[0];
    assert_eq!(one.days, std::slice::from_ref(&one.total));
    assert_eq!(one.total.opening.minor(), whole - 97_000);
    assert_eq!((one.total.count, one.total.came_in.minor()), (1, 97_000));
    let empty = ReportDays::new(at(8 * DAY), at(9 * DAY), Vec::new());
    let none = &of(empty, ReportGrouping::Day).await[0].total;
    assert_eq!((none.count, none.opening.minor()), (0, whole - price));
}

#[tokio::test]
async fn a_period_begins_at_its_first_entry_however_long_the_statement_is() {
    let world = World::new().await;
    for n in 1..=70 {
        let paid_in = domain::change_set::Funding {
            at: at(n),
            ..funding("shop", &format!("slip-{n}"), "1.00")
        };
        let change = domain::change_set::ChangeSet::Fund(paid_in);
        let done = world.stores.commit(change).await;
        assert_eq!(done, ports::ledger_store::CommitOutcome::Done);
    }
    world.pass(Duration::from_secs(DAY)).await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    for n in 1..=70 {
        let days = ReportDays::new(at(n), at(n + 2), Vec::new());
        let wallets = gateway
            .report_float(&shop, &days, ReportGrouping::Day)
            .await;
        let total = wallets.unwrap()[0].total.clone();
        let before = i64::try_from(n - 1).unwrap() * 100;
        assert_eq!(total.opening.minor(), 1_000_000 + before, "from {n}");
        assert_eq!(total.count, if n == 70 { 1 } else { 2 }, "from {n}");
    }
}

/// Payments of one moment may be booked in another order than decided: an entry is in the report of
/// one period or of the next.
#[tokio::test]
async fn entries_out_of_order_are_in_one_of_two_periods() {
    let world = World::new().await;
    let moments = [
        DAY - 2,
        DAY - 1,
        DAY + 1,
        DAY - 1,
        DAY + 3,
        DAY - 1,
        DAY + 4,
    ];
    for (n, second) in (0_u64..).zip(moments) {
        let paid_in = domain::change_set::Funding {
            at: at(second),
            ..funding("shop", &format!("slip-{n}"), "1.00")
        };
        let change = domain::change_set::ChangeSet::Fund(paid_in);
        let done = world.stores.commit(change).await;
        assert_eq!(done, ports::ledger_store::CommitOutcome::Done);
    }
    world.pass(Duration::from_secs(3 * DAY)).await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let of = async |from, until| {
        let days = ReportDays::new(at(from), at(until), Vec::new());
        let wallets = gateway.report_float(&shop, &days, ReportGrouping::Account);
        wallets.await.unwrap()[0].total.clone()
    };
    let (first, second) = (of(1, DAY).await, of(DAY, 2 * DAY).await);
    assert_eq!(first.count + second.count, 7, "{first:?} {second:?}");
    assert_eq!(first.closing, second.opening);
    assert_eq!(second.closing.minor(), 1_000_700);
}

/// A day that has not come has no balance yet.
#[tokio::test]
async fn a_report_ends_with_the_present() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let midnights = (1..9).map(|day| at(day * DAY)).collect();
    let days = ReportDays::new(at(0), at(9 * DAY), midnights);
    world.pass(Duration::from_secs(2 * DAY)).await;
    let wallets = gateway
        .report_float(&shop, &days, ReportGrouping::Day)
        .await;
    assert_eq!(wallets.unwrap()[0].days.len(), 3);
}

/// The form of files in tests: a line for each row.
#[derive(Debug)]
struct PlainLines;

impl TransactionLines for PlainLines {
    fn columns(&self) -> String {
        "columns\n".into()
    }

    fn line(&mut self, row: &AcceptedTransaction, text: &mut String) {
        let second = row.opened_at.since(at(0)).as_secs();
        writeln!(text, "{second:0>999}").unwrap();
    }

    fn totals(&self, sums: &GroupedSums<PriceSums>) -> String {
        format!("total {}\n", sums.totals()[&Currency::Ngn].count)
    }
}

impl ReportFileForm for PlainLines {
    fn midnights(&self, _: &RunRequest) -> Vec<Timestamp> {
        Vec::new()
    }

    fn transactions(&self, _: &RunRequest) -> Box<dyn TransactionLines> {
        Box::new(Self)
    }

    fn sums(&self, _: &RunRequest, sums: ReportSumsOf) -> (String, u64) {
        (format!("{sums:?}"), 1)
    }
}

fn whole_file() -> RunRequest {
    RunRequest {
        kind: ReportKind::Transactions,
        service: None,
        from: at(0),
        until: at(10 * DAY),
        status: None,
        number: None,
        grouping: ReportGrouping::Account,
        time_zone: "UTC".into(),
    }
}

async fn text_of(gateway: &Gateway, run: &ReportRun) -> String {
    let mut text = String::new();
    for part in 1..=run.parts {
        let part = gateway.report_part(run, part).await.unwrap();
        text.push_str(&part.expect("a part"));
    }
    text
}

/// Begins a file and has it written.
async fn written(world: &World, gateway: &Gateway) -> ReportRun {
    let form = Arc::new(PlainLines);
    let writer = ReportWriter::new(gateway.clone(), form, Duration::from_secs(DAY));
    let shop = merchant("shop");
    let asked = gateway.begin_report(&shop, whole_file());
    let writing = async {
        tokio::task::yield_now().await;
        while writer.work(&CancellationToken::new()).await {}
        world.pass(Duration::from_secs(11)).await;
    };
    tokio::join!(asked, writing).0.unwrap()
}

#[tokio::test]
async fn a_file_is_written_in_parts_with_its_sum() {
    let world = World::new().await;
    world.pass(Duration::from_secs(10 * DAY)).await;
    let gateway = world.gateway_with(|parts| parts.reports = Arc::new(ManyRows(1_201)));
    let run = written(&world, &gateway).await;
    assert_eq!((run.rows, run.parts), (1_201, 5));
    let text = text_of(&gateway, &run).await;
    assert_eq!(run.bytes, text.len() as u64);
    assert_eq!(run.state, RunState::Ready(Sha256::digest(&text).into()));
    assert_eq!(text.lines().count(), 1_203);
    assert!(text.ends_with("total 1201\n"));
    // Where a transaction stands may have changed since: it is written again.
    assert_ne!(written(&world, &gateway).await.id, run.id);
}

#[tokio::test]
async fn a_file_whose_writer_stopped_is_written_again_with_the_same_bytes() {
    let world = World::new().await;
    world.pass(Duration::from_secs(10 * DAY)).await;
    let gateway = world.gateway_with(|parts| parts.reports = Arc::new(ManyRows(1_201)));
    let first = written(&world, &gateway).await;
    let expected = text_of(&gateway, &first).await;
    let runs = &world.stores.report_runs;
    // Another run of the same moment, whose writer stops after a part that it wrote.
    let id = ReportRunId::new(number(4_711));
    let begun = ReportRun {
        as_of: first.as_of,
        ..ReportRun::begun((first.account.clone(), id), whole_file(), world.now())
    };
    assert_eq!(runs.begin_run(&begun).await.unwrap(), RunCreation::Done);
    let now = world.now();
    let claim = runs.claim_run(now, now.plus(Duration::from_mins(1))).await;
    let claim = claim.unwrap().expect("a claim");
    let part = RunPart {
        text: "half a part",
        rows: 1,
        bytes: 11,
        parts: 1,
        until: now.plus(Duration::from_mins(1)),
    };
    assert_eq!(runs.write_part(&claim, part).await.unwrap(), RunWrite::Done);
    let form = Arc::new(PlainLines);
    let writer = ReportWriter::new(gateway.clone(), form, Duration::from_secs(DAY));
    assert!(
        !writer.work(&CancellationToken::new()).await,
        "another writes it"
    );
    world.pass(Duration::from_secs(61)).await;
    assert!(writer.work(&CancellationToken::new()).await);
    let run = runs.run(&first.account, id).await.unwrap().unwrap();
    assert_eq!(run.state, first.state);
    assert_eq!(text_of(&gateway, &run).await, expected);
}

/// The same rows, as slowly as the test has it.
#[derive(Debug)]
struct SlowRows(Semaphore);

#[async_trait]
impl Reports for SlowRows {
    async fn accepted(
        &self,
        account: &AccountId,
        range: &AcceptedRange,
    ) -> Result<Vec<AcceptedTransaction>, PortError> {
        drop(self.0.acquire().await.unwrap());
        ManyRows(3).accepted(account, range).await
    }

    async fn settled(
        &self,
        account: &AccountId,
        range: &SettledRange,
    ) -> Result<Vec<SettledTransfer>, PortError> {
        ManyRows(3).settled(account, range).await
    }
}

/// A world in which the rows of a file that has begun are slow, and the writer of that file.
async fn slow_file(rows: &Arc<SlowRows>) -> (World, ReportWriter, ReportRun) {
    let world = World::new().await;
    world.pass(Duration::from_secs(10 * DAY)).await;
    let gateway = world.gateway_with(|parts| parts.reports = rows.clone());
    let id = ReportRunId::new(number(4_712));
    let begun = ReportRun::begun((account_id("shop"), id), whole_file(), world.now());
    let creation = world.stores.report_runs.begin_run(&begun).await.unwrap();
    assert_eq!(creation, RunCreation::Done);
    let writer = ReportWriter::new(gateway, Arc::new(PlainLines), Duration::from_secs(DAY));
    (world, writer, begun)
}

/// The run as it is now.
async fn stored(world: &World, run: &ReportRun) -> ReportRun {
    let found = world.stores.report_runs.run(&run.account, run.id).await;
    found.unwrap().expect("the run")
}

#[tokio::test]
async fn a_claim_is_renewed_while_its_file_is_written() {
    let slow = Arc::new(SlowRows(Semaphore::new(0)));
    let (world, writer, begun) = slow_file(&slow).await;
    let going = CancellationToken::new();
    let meanwhile = async {
        for _ in 0..18 {
            world.pass(Duration::from_secs(10)).await;
            let (now, runs) = (world.now(), &world.stores.report_runs);
            let claimed = runs.claim_run(now, now).await.unwrap();
            assert_eq!(claimed, None, "the first one still writes it");
        }
        slow.0.add_permits(1);
    };
    let (worked, ()) = tokio::join!(writer.work(&going), meanwhile);
    assert!(worked);
    let run = stored(&world, &begun).await;
    assert!(matches!(run.state, RunState::Ready(_)), "{run:?}");
    assert_eq!(run.rows, 3);
}

#[tokio::test]
async fn a_writer_leaves_a_file_that_another_claimed() {
    let slow = Arc::new(SlowRows(Semaphore::new(0)));
    let (world, writer, begun) = slow_file(&slow).await;
    let going = CancellationToken::new();
    let claimed = async {
        tokio::task::yield_now().await;
        let later = world.now().plus(Duration::from_hours(1));
        let runs = &world.stores.report_runs;
        let other = runs.claim_run(later, later).await.unwrap();
        assert_eq!(other.expect("a claim").count, 2);
        world.pass(Duration::from_secs(11)).await;
    };
    let (worked, ()) = tokio::join!(writer.work(&going), claimed);
    assert!(worked);
    assert_eq!(stored(&world, &begun).await.state, RunState::Pending);
}

#[tokio::test]
async fn a_writer_that_is_stopped_gives_its_file_back() {
    let slow = Arc::new(SlowRows(Semaphore::new(0)));
    let (world, writer, begun) = slow_file(&slow).await;
    let going = CancellationToken::new();
    let stopped = async {
        tokio::task::yield_now().await;
        going.cancel();
    };
    let (worked, ()) = tokio::join!(writer.work(&going), stopped);
    assert!(worked);
    assert_eq!(stored(&world, &begun).await.state, RunState::Pending);
    let (now, runs) = (world.now(), &world.stores.report_runs);
    let next = runs.claim_run(now, now).await.unwrap();
    assert_eq!(next.expect("it is claimed at once").count, 2);
}

#[tokio::test]
async fn an_account_has_one_file_written_at_a_time() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let asked = gateway.begin_report(&shop, whole_file());
    let (pending, ()) = tokio::join!(asked, world.pass(Duration::from_secs(11)));
    let pending = pending.unwrap();
    assert_eq!(pending.state, RunState::Pending);
    let other = RunRequest {
        kind: ReportKind::Commission,
        ..whole_file()
    };
    let refused = gateway.begin_report(&shop, other).await;
    assert!(
        matches!(refused, Err(ReportFileError::UnderWay)),
        "{refused:?}"
    );
}
