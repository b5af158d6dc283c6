//! The money of a world: the merchant's real wallet, the balance of every account, and how often
//! each kind of transfer was made. It must be changed by transfers alone.

use crate::checks::Violation;
use crate::machine::{Facts, Kind};
use crate::sample::{self, Product};
use domain::ledger::{LedgerAccount, Transfer, TransferKind, Wallet};
use domain::money::Money;
use domain::transaction::{AttemptNumber, Transaction};
use std::collections::BTreeMap;

/// All the money there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SimulatedLedger {
    wallet: Wallet,
    overdrawn: bool,
    balances: BTreeMap<LedgerAccount, i64>,
    tally: [u8; TransferKind::ALL.len()],
}

/// What was paid in before: more than the price, so that taking it twice is not stopped by chance.
const FUNDED: i64 = 1_000_000;

impl SimulatedLedger {
    /// Paid in, in the currency that the product is priced in.
    pub(crate) fn funded(product: Product) -> Self {
        let currency = sample::draft(product).quote.price.currency();
        let mut wallet = Wallet::new(sample::account(), currency);
        wallet.available = Money::from_minor(FUNDED, currency);
        let available = LedgerAccount::Available(sample::account());
        Self {
            wallet,
            overdrawn: false,
            balances: BTreeMap::from([(available, FUNDED), (LedgerAccount::Funding, -FUNDED)]),
            tally: [0; TransferKind::ALL.len()],
        }
    }

    pub(crate) fn after(&self, transfers: &[Transfer]) -> Self {
        let mut after = self.clone();
        for transfer in transfers {
            assert!(transfer.amount.is_positive() && transfer.debit != transfer.credit);
            match after.wallet.after(transfer) {
                Ok(wallet) => after.wallet = wallet,
                Err(_) => after.overdrawn = true,
            }
            let amount = transfer.amount.minor();
            *after.balances.entry(transfer.debit.clone()).or_default() -= amount;
            *after.balances.entry(transfer.credit.clone()).or_default() += amount;
            after.balances.retain(|_, balance| *balance != 0);
            after.tally[position(transfer.kind)] += 1;
        }
        after
    }

    /// Whether transfers could be booked if the wallet held the largest amount there is.
    pub(crate) fn fit_when_full(&self, transfers: &[Transfer]) -> bool {
        let full = Money::from_minor(Money::MAX_MINOR, self.wallet.currency());
        let wallet = Wallet {
            available: full,
            ..self.wallet.clone()
        };
        let after = |wallet: Wallet, transfer| wallet.after(transfer);
        transfers.iter().try_fold(wallet, after).is_ok()
    }

    fn count(&self, kind: TransferKind) -> u8 {
        self.tally[position(kind)]
    }

    /// What of the money is not as a transaction in this state must have left it.
    pub(crate) fn broken(&self, tx: &Transaction, facts: Facts) -> Option<Violation> {
        // How often the price is set aside, charged and divided.
        let (held, charged, sold) = match facts.kind {
            Kind::Queued | Kind::Sending | Kind::InDoubt | Kind::Review => (1, 1, 0),
            Kind::Successful => (0, 1, 1),
            Kind::Failed | Kind::Reversed | Kind::Cancelled => (0, 0, 0),
        };
        let (price, cost) = (tx.quote.price.minor(), tx.quote.cost.minor());
        // What is not used of a price is given back as it is sold.
        let quote = tx.charged();
        let used = quote.price.minor();
        // A refund is borne by the gateway while the delivery stands.
        let refunded = used * sold * i64::from(facts.refunded);
        let (available, held) = (FUNDED - used * charged + refunded, price * held);
        let lost = i64::from(facts.loss_booked[0]) + i64::from(facts.loss_booked[1]);
        let mut expected = BTreeMap::from([
            (LedgerAccount::Funding, -FUNDED),
            (LedgerAccount::Available(sample::account()), available),
            (LedgerAccount::Held(sample::account()), held),
            (
                LedgerAccount::CommissionRevenue,
                quote.margin().unwrap().minor() * sold,
            ),
            (LedgerAccount::ChargesRevenue, quote.fee.minor() * sold),
            (LedgerAccount::VatPayable, quote.vat.minor() * sold),
            (LedgerAccount::LevyPayable, quote.levy.minor() * sold),
            (LedgerAccount::Loss, -cost * lost),
            (LedgerAccount::Refunds, -refunded),
        ]);
        // A loss is of the provider that delivered late, and a sale of the one that sold.
        let first = tx.provider_of(AttemptNumber::FIRST);
        let lost = facts.loss_booked.map(|it| cost * i64::from(it));
        let floats = [
            (first, lost[0]),
            (tx.provider(), quote.cost.minor() * sold + lost[1]),
        ];
        for (provider, left) in floats {
            let float = LedgerAccount::Float(provider.clone());
            *expected.entry(float).or_default() += left;
        }
        expected.retain(|_, balance| *balance != 0);
        let wallet = (self.wallet.available.minor(), self.wallet.held.minor());
        let settled = self.count(TransferKind::Capture) + self.count(TransferKind::Release);
        let counts = (
            self.count(TransferKind::Hold),
            settled,
            self.count(TransferKind::Reversal),
        );
        let refunds = (
            self.count(TransferKind::Refund),
            self.count(TransferKind::RefundReversal),
        );
        let granted = u8::from(facts.refunded);
        let (ended, reversed) = (facts.kind.is_final(), facts.kind == Kind::Reversed);
        if self.balances.values().sum::<i64>() != 0 {
            Some(Violation::BooksDoNotBalance)
        } else if self.overdrawn || wallet != (available, held) {
            Some(Violation::WalletIsWrong)
        } else if counts != (1, u8::from(ended), u8::from(reversed)) {
            Some(Violation::SettledTwiceOrNever)
        } else if refunds != (granted, granted * u8::from(reversed)) {
            Some(Violation::RefundedTwiceOrNever)
        } else {
            (self.balances != expected).then_some(Violation::SharesAreWrong)
        }
    }
}

fn position(kind: TransferKind) -> usize {
    let known = TransferKind::ALL.iter().position(|known| *known == kind);
    known.unwrap()
}
