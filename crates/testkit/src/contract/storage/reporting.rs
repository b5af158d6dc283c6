//! Laws of reading for reports.

use super::setup::Stores;
use crate::builders::{
    PurchaseBuilder, account_id, airtime, at, declined, delivered, electricity, funding, kobo,
    payout, reversed, sms, user_transfer, wallet_transfer,
};
use domain::change_set::ChangeSet;
use domain::ledger::TransferKind;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::refund::GrantedRefund;
use domain::reporting::{AcceptedTransaction, GroupedSums, ReportGrouping, SettledTransfer};
use domain::time::Timestamp;
use domain::transaction::{Observation, Status, Transaction};
use ports::ledger_store::CommitOutcome;
use ports::reports::{AcceptedRange, SettledRange};

/// Everything of a product, with all that became of it.
const fn all_of(service: Service) -> AcceptedRange {
    AcceptedRange {
        service,
        from: Timestamp::from_millis(0),
        until: Timestamp::from_millis(i64::MAX),
        after: None,
        as_of: Timestamp::from_millis(i64::MAX),
        limit: 100,
    }
}

const EVERYTHING: SettledRange = SettledRange {
    from: Timestamp::from_millis(0),
    until: Timestamp::from_millis(i64::MAX),
    after: None,
    limit: 100,
};

impl Stores {
    async fn accepted(&self, account: &str, range: &AcceptedRange) -> Vec<AcceptedTransaction> {
        let found = self.reports.accepted(&account_id(account), range).await;
        found.expect("read the transactions of a report")
    }

    pub(super) async fn settled(
        &self,
        account: &str,
        range: &SettledRange,
    ) -> Vec<SettledTransfer> {
        let found = self.reports.settled(&account_id(account), range).await;
        found.expect("read the transfers of a report")
    }

    /// Makes transactions of `shop` in several products, each of which ended in another way: with
    /// charges and taxes, taken back, refused, open, and in message credits.
    pub async fn has_history_for_reports(&self) {
        history(self).await;
        let paid_in = ChangeSet::Fund(funding("shop", "slip-2", "100,000.00"));
        assert_eq!(self.commit(paid_in).await, CommitOutcome::Done);
        let _ = self.has_bought(wallet_transfer(), 30).await;
        let tx = self.has_bought(electricity(), 31).await;
        let _ = self.has_applied(&tx, &delivered(&tx), at(32)).await;
        let tx = self.has_bought(sms().in_credits(), 33).await;
        let _ = self.has_applied(&tx, &delivered(&tx), at(34)).await;
        let tx = self.has_bought(payout(), 35).await;
        let _ = self.has_applied(&tx, &delivered(&tx), at(36)).await;
        let _ = self.has_bought(payout(), 37).await;
        // One that was refunded, and one that its provider took back after that.
        for begun in [38, 41] {
            let tx = self.has_bought(electricity(), begun).await;
            let tx = self.has_applied(&tx, &delivered(&tx), at(begun + 1)).await;
            let granted = Observation::Refund(GrantedRefund {
                number: tx.number,
                amount: kobo(if begun == 38 { 138 } else { 141 }),
                at: at(begun + 2),
            });
            let tx = self.has_applied(&tx, &granted, at(begun + 2)).await;
            if begun == 41 {
                let _ = self.has_applied(&tx, &reversed(&tx), at(begun + 3)).await;
            }
        }
    }

    /// The totals of commission and settlement of an account, in naira and in message credits: each
    /// one its count and its amounts in their order, in minor units.
    pub async fn totals_of_reports(&self, account: &str) -> Vec<(Vec<i64>, Vec<i64>)> {
        let (mut prices, mut settled) = (GroupedSums::default(), GroupedSums::default());
        for row in self.settled(account, &EVERYTHING).await {
            let key = ReportGrouping::Account.key(row.at, (None, None), row.amount.currency());
            settled.add(key.clone(), &row.settlement_sums()).unwrap();
            if let Some(part) = row.price_sums() {
                prices.add(key, &part).unwrap();
            }
        }
        let minor = |amounts: &[Money]| amounts.iter().map(|it| it.minor()).collect::<Vec<_>>();
        let of = |currency: Currency| {
            let (p, s) = (&prices.totals()[&currency], &settled.totals()[&currency]);
            let price = minor(&[p.face, p.commission, p.charges, p.vat, p.duty, p.net]);
            let settled = minor(&[s.captured, s.refunded, s.credited, s.net]);
            (
                [vec![p.count], price].concat(),
                [vec![s.count], settled].concat(),
            )
        };
        Currency::ALL.map(of).to_vec()
    }

    /// Opens a purchase at the moment of its number.
    async fn has_bought(&self, purchase: PurchaseBuilder, n: u64) -> Transaction {
        self.has_opened(&purchase.nth(n).opened_at(at(n))).await
    }
}

/// Of `shop`: airtime that is pending, delivered, refused and taken back, which were accepted at 1
/// to 4 and ended ten seconds later, what was taken back at 24; and another account's.
async fn history(stores: &Stores) -> [Transaction; 4] {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "10,000.00").await;
    let terms = || airtime().terms("3", "4", "25.00");
    let pending = stores.has_bought(terms(), 1).await;
    let bought = stores.has_bought(terms(), 2).await;
    let done = stores
        .has_applied(&bought, &delivered(&bought), at(12))
        .await;
    let bought = stores.has_bought(terms(), 3).await;
    let failed = stores
        .has_applied(&bought, &declined(&bought), at(13))
        .await;
    let bought = stores.has_bought(terms(), 4).await;
    let bought = stores
        .has_applied(&bought, &delivered(&bought), at(14))
        .await;
    let back = stores
        .has_applied(&bought, &reversed(&bought), at(24))
        .await;
    let theirs = stores.has_bought(terms().by("kiosk"), 2).await;
    let _ = stores
        .has_applied(&theirs, &delivered(&theirs), at(12))
        .await;
    [pending, done, failed, back]
}

fn moved(row: &AcceptedTransaction) -> [i64; 4] {
    let moved = &row.moved;
    [moved.held, moved.captured, moved.released, moved.returned].map(Money::minor)
}

/// What was bought and at which price, and what the ledger says became of the price.
pub async fn a_report_has_what_became_of_each_price(stores: &Stores) {
    let bought = history(stores).await;
    let rows = stores.accepted("shop", &all_of(Service::Airtime)).await;
    assert_eq!(rows.len(), 4);
    for (row, tx) in rows.iter().zip(&bought) {
        assert_eq!((row.number, &row.reference), (tx.number, &tx.reference));
        assert_eq!((&row.order, &row.quote), (&tx.order, &tx.quote));
        assert_eq!(
            (row.opened_at, row.updated_at),
            (tx.opened_at, tx.updated_at)
        );
        assert_eq!(row.status(), tx.status());
        assert_eq!(row.is_final, tx.status() != Status::Pending);
        let sums = row.reconciliation_sums(at(99)).unwrap();
        assert_eq!(sums.difference, kobo(0));
    }
    let price = 99_500;
    let expected = [
        [price, 0, 0, 0],
        [price, price, 0, 0],
        [price, 0, price, 0],
        [price, price, 0, price],
    ];
    let all: Vec<_> = rows.iter().map(moved).collect();
    assert_eq!(all, expected);
    assert_eq!(rows[0].open(at(99)), kobo(price));
    assert_eq!(
        stores.accepted("ghost", &all_of(Service::Airtime)).await,
        []
    );
    assert_eq!(stores.accepted("shop", &all_of(Service::Sms)).await, []);
    let exchange = stores.has_bought(wallet_transfer(), 5).await;
    let rows = stores.accepted("shop", &all_of(Service::Wallet)).await;
    let taken = exchange.quote.price.minor();
    assert_eq!(moved(&rows[0]), [taken, taken, 0, 0]);
    assert_eq!(rows[0].status(), Status::Successful);
}

/// What a price did after the moment is not in it, so that it is the same whenever it is made.
pub async fn a_report_as_of_a_moment_has_nothing_that_came_later(stores: &Stores) {
    history(stores).await;
    let as_of = |seconds| AcceptedRange {
        as_of: at(seconds),
        ..all_of(Service::Airtime)
    };
    for (seconds, expected) in [
        (11, [Status::Pending; 4]),
        (
            12,
            [
                Status::Pending,
                Status::Successful,
                Status::Pending,
                Status::Pending,
            ],
        ),
        (
            23,
            [
                Status::Pending,
                Status::Successful,
                Status::Failed,
                Status::Successful,
            ],
        ),
        (
            24,
            [
                Status::Pending,
                Status::Successful,
                Status::Failed,
                Status::Reversed,
            ],
        ),
    ] {
        let rows = stores.accepted("shop", &as_of(seconds)).await;
        let statuses: Vec<_> = rows.iter().map(AcceptedTransaction::status).collect();
        assert_eq!(statuses, expected, "as of {seconds}");
        for row in &rows {
            let sums = row.reconciliation_sums(at(seconds)).unwrap();
            assert_eq!(sums.difference, kobo(0), "as of {seconds}: {row:?}");
        }
    }
}

/// Each part begins after the last one of the part before, also among those of one moment.
pub async fn the_transactions_of_a_report_are_read_in_parts(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    for (n, moment) in [(3, 7), (1, 7), (2, 7), (5, 8), (4, 9), (6, 6)] {
        let _ = stores
            .has_opened(&airtime().nth(n).opened_at(at(moment)))
            .await;
    }
    let _ = stores.has_opened(&sms().nth(7).opened_at(at(7))).await;
    let named = |n| airtime().nth(n).transaction().number;
    for limit in 1..=6 {
        let mut range = AcceptedRange {
            from: at(7),
            until: at(9),
            limit,
            ..all_of(Service::Airtime)
        };
        let mut read = Vec::new();
        loop {
            let rows = stores.accepted("shop", &range).await;
            assert!(rows.len() <= limit as usize);
            let Some(last) = rows.last() else { break };
            (range.from, range.after) = (last.opened_at, Some(last.number));
            read.extend(rows.iter().map(|row| row.number));
        }
        assert_eq!(read, [1, 2, 3, 5].map(named), "{limit} at a time");
    }
}

/// What left and came in for good, in the order it was decided; no hold and no release.
pub async fn a_report_has_the_transfers_that_settled(stores: &Stores) {
    let [_, done, _, back] = history(stores).await;
    let opened = stores.settled("shop", &EVERYTHING).await;
    let shown = |row: &SettledTransfer| (row.kind, row.amount.minor(), row.at);
    let all: Vec<_> = opened.iter().map(shown).collect();
    let price = 99_500;
    let expected = [
        (TransferKind::Fund, 1_000_000, all[0].2),
        (TransferKind::Capture, price, at(12)),
        (TransferKind::Capture, price, at(14)),
        (TransferKind::Reversal, price, at(24)),
    ];
    assert_eq!(all, expected);
    assert_eq!(opened[0].bought, None);
    for (row, tx) in [(1, &done), (2, &back), (3, &back)] {
        let bought = (tx.order.clone(), tx.quote.clone());
        assert_eq!(opened[row].bought, Some(bought));
    }
    let exchange = stores.has_bought(wallet_transfer(), 30).await;
    let later = SettledRange {
        from: at(30),
        ..EVERYTHING
    };
    let rows = stores.settled("shop", &later).await;
    let kinds: Vec<_> = rows.iter().map(|row| (row.kind, row.amount)).collect();
    let arrived = exchange.order.arrives().expect("what it buys");
    assert_eq!(
        kinds,
        [
            (TransferKind::TransferOut, exchange.quote.price),
            (TransferKind::TransferIn, arrived),
        ]
    );
    assert_eq!(stores.settled("ghost", &EVERYTHING).await, []);
    let theirs = stores.settled("kiosk", &EVERYTHING).await;
    assert_eq!(theirs.len(), 2);
}

/// What one account pays another settles at both, and at the payee it is of none of its
/// transactions.
pub async fn a_report_has_what_other_accounts_paid(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let paid = stores.has_bought(user_transfer(), 30).await;
    let later = SettledRange {
        from: at(30),
        ..EVERYTHING
    };
    for (account, kind, bought) in [
        (
            "shop",
            TransferKind::TransferOut,
            Some((paid.order.clone(), paid.quote.clone())),
        ),
        ("kiosk", TransferKind::UserCredit, None),
    ] {
        let rows = stores.settled(account, &later).await;
        let [row] = rows.as_slice() else {
            panic!("{account}: {rows:?}");
        };
        assert_eq!(
            (row.kind, row.amount),
            (kind, paid.quote.price),
            "{account}"
        );
        assert_eq!(row.bought, bought, "{account}");
    }
}

/// Each part begins after the last one of the part before, also among those of one moment.
pub async fn the_transfers_of_a_report_are_read_in_parts(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    for (n, moment) in [(1, 7), (2, 7), (3, 7), (4, 8), (5, 9), (6, 6)] {
        let tx = stores.has_opened(&airtime().nth(n)).await;
        let _ = stores.has_applied(&tx, &delivered(&tx), at(moment)).await;
    }
    for limit in 1..=5 {
        let mut range = SettledRange {
            from: at(7),
            until: at(9),
            after: None,
            limit,
        };
        let mut read = Vec::new();
        loop {
            let rows = stores.settled("shop", &range).await;
            assert!(rows.len() <= limit as usize);
            let Some(last) = rows.last() else { break };
            (range.from, range.after) = (last.at, Some(last.entry));
            read.extend(rows);
        }
        let moments: Vec<_> = read.iter().map(|row| row.at).collect();
        assert_eq!(moments, [at(7), at(7), at(7), at(8)], "{limit} at a time");
        let mut entries: Vec<_> = read.iter().map(|row| row.entry).collect();
        entries.dedup();
        assert_eq!(entries.len(), 4, "{limit} at a time");
    }
}

/// The settlement of everything comes to what the account has, what is set aside included.
pub async fn what_settled_is_what_the_wallets_have_more(stores: &Stores) {
    Box::pin(stores.has_history_for_reports()).await;
    let mut sums = GroupedSums::default();
    for row in stores.settled("shop", &EVERYTHING).await {
        let key = ReportGrouping::Account.key(row.at, (None, None), row.amount.currency());
        sums.add(key, &row.settlement_sums()).unwrap();
    }
    for currency in Currency::ALL {
        let (available, held) = stores.balances_in("shop", currency).await;
        let net = sums.totals()[&currency].net;
        assert_eq!(net.minor(), available + held, "{currency:?}");
    }
}
