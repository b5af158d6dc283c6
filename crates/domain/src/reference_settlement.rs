//! Settling a reference that a provider knows and the store does not: its journal is lost as well,
//! so nothing but the provider's record says what became of it. It must never book an attempt that
//! the store has: that is asked about and booked like any other.

use crate::account::AccountId;
use crate::ledger::{LedgerAccount, Transfer, TransferKind};
use crate::money::Money;
use crate::provider::ProviderId;
use crate::reference::{MerchantReference, ProviderReference, UndatedReference};
use crate::time::Timestamp;
use crate::transaction::{AttemptNumber, Status, Transaction};

/// What a reference was settled as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SettledAs {
    /// It was delivered, and the merchant pays for it.
    Charged(Money),
    /// It was delivered, and the gateway bears the loss.
    Absorbed(Money),
    /// It was certainly not delivered; nothing is booked.
    NotDelivered,
    /// The store has the attempt again and asks about it; nothing is booked here.
    Reopened,
}

impl SettledAs {
    /// The lower-case word for records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Charged(_) => "charged",
            Self::Absorbed(_) => "absorbed",
            Self::NotDelivered => "not_delivered",
            Self::Reopened => "reopened",
        }
    }

    /// Reads the word of a record and the amount beside it; `None` where they do not belong
    /// together.
    pub fn from_record(code: &str, amount: Option<Money>) -> Option<Self> {
        match (code, amount) {
            ("charged", Some(amount)) => Some(Self::Charged(amount)),
            ("absorbed", Some(amount)) => Some(Self::Absorbed(amount)),
            ("not_delivered", None) => Some(Self::NotDelivered),
            ("reopened", None) => Some(Self::Reopened),
            _ => None,
        }
    }

    /// What was delivered, where it was booked.
    pub const fn amount(self) -> Option<Money> {
        match self {
            Self::Charged(amount) | Self::Absorbed(amount) => Some(amount),
            Self::NotDelivered | Self::Reopened => None,
        }
    }

    /// Whether the delivery was booked: nothing is ever bought under its reference again.
    pub const fn is_booked(self) -> bool {
        self.amount().is_some()
    }
}

/// The account, the merchant's reference and the attempt that a provider's reference stands for.
pub type ReferenceParts = (AccountId, MerchantReference, AttemptNumber);

/// A reference that waits to be settled, and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceToSettle {
    reference: ProviderReference,
    provider: ProviderId,
    parts: Option<ReferenceParts>,
    undated: Vec<UndatedReference>,
}

impl ReferenceToSettle {
    /// A reference that says itself what it stands for, or is none that this gateway makes.
    pub fn new(reference: ProviderReference, provider: ProviderId) -> Self {
        Self {
            parts: reference.parts(),
            reference,
            provider,
            undated: Vec::new(),
        }
    }

    /// The same in a form of the provider's own, which does not say what it stands for.
    #[must_use]
    pub fn without_date(self, undated: UndatedReference) -> Self {
        Self {
            undated: vec![undated],
            ..self
        }
    }

    /// What it was found to stand for, with every form in which a provider may know an attempt
    /// under the merchant's reference.
    #[must_use]
    pub fn standing_for(self, parts: ReferenceParts, undated: Vec<UndatedReference>) -> Self {
        Self {
            parts: Some(parts),
            undated,
            ..self
        }
    }
}

/// A reference that is settled, once.
///
/// Guards, in order: the reference waits to be settled; what the store holds under it fits, see
/// [`Self::fits`]; the merchant's reference was not charged before; the account exists and its
/// wallet holds the amount that is charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceSettlement {
    settled: ReferenceToSettle,
    owner: AccountId,
    settled_as: SettledAs,
    by: String,
    at: Timestamp,
}

/// Why a reference cannot be settled so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not known which account the reference belongs to, so none can be charged for it")]
pub struct NotOurs;

impl ReferenceSettlement {
    /// A settlement that a person, or a journal, decided on `at` a moment.
    ///
    /// # Errors
    /// Refuses to charge or reopen a reference of which it is not known what it stands for.
    pub fn try_new(
        settled: ReferenceToSettle,
        settled_as: SettledAs,
        (by, at): (String, Timestamp),
    ) -> Result<Self, NotOurs> {
        let owner = match (&settled.parts, settled_as) {
            (Some((account, ..)), _) => account.clone(),
            (None, SettledAs::Charged(_) | SettledAs::Reopened) => return Err(NotOurs),
            // The loss is kept under the provider's name: its characters are those of an account.
            (None, SettledAs::Absorbed(_) | SettledAs::NotDelivered) => {
                AccountId::parse(settled.provider.as_str()).map_err(|_| NotOurs)?
            }
        };
        Ok(Self {
            settled,
            owner,
            settled_as,
            by,
            at,
        })
    }

    /// What the provider knows it by.
    pub const fn reference(&self) -> &ProviderReference {
        &self.settled.reference
    }

    /// What the reference stands for; `None` where that is not known.
    pub const fn parts(&self) -> Option<&ReferenceParts> {
        self.settled.parts.as_ref()
    }

    /// The forms without a date under which it, or another attempt under the merchant's reference,
    /// may be noted.
    pub fn undated(&self) -> &[UndatedReference] {
        &self.settled.undated
    }

    /// The account and the merchant's reference that are charged, where the reference itself does
    /// not say them.
    pub fn payer(&self) -> Option<(&AccountId, &MerchantReference)> {
        let is_charged = matches!(self.settled_as, SettledAs::Charged(_));
        let says_itself = self.settled.reference.parts().is_some();
        let (account, name, _) = self.parts()?;
        (is_charged && !says_itself).then_some((account, name))
    }

    /// The account that it stands for; the provider's name where that is not known.
    pub const fn owner(&self) -> &AccountId {
        &self.owner
    }

    /// What it is settled as.
    pub const fn settled_as(&self) -> SettledAs {
        self.settled_as
    }

    /// The operator who decided it.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// When it was decided.
    pub const fn at(&self) -> Timestamp {
        self.at
    }

    /// The transfer that books it; none where nothing is booked.
    pub fn transfer(&self) -> Option<Transfer> {
        let (kind, debit, line) = match self.settled_as {
            SettledAs::Charged(_) => {
                let payer = LedgerAccount::Available(self.owner.clone());
                (TransferKind::Settlement, payer, self.parts())
            }
            SettledAs::Absorbed(_) => (TransferKind::SettlementLoss, LedgerAccount::Loss, None),
            SettledAs::NotDelivered | SettledAs::Reopened => return None,
        };
        let amount = self.settled_as.amount()?;
        amount.is_positive().then(|| Transfer {
            transaction: None,
            kind,
            debit,
            credit: LedgerAccount::Float(self.settled.provider.clone()),
            amount,
            narration: line.map(|(_, name, _)| format!("Settled: {name}")),
            at: self.at,
        })
    }

    /// Whether it may be settled so, with what the store holds under the merchant's reference.
    ///
    /// An attempt that is stored is asked about and booked by its transaction, so it can only be
    /// reopened. One that a provider knows by another reference is another delivery. An open
    /// transaction must come to the attempt first: what is known of an earlier one is no evidence
    /// about it. Of one that ended without the attempt the merchant knows the end, so a delivery is
    /// the gateway's loss.
    pub fn fits(&self, stored: Option<&Transaction>) -> bool {
        let Some((_, _, attempt)) = self.parts() else {
            return true;
        };
        let reference = self.reference();
        let has_attempt = stored.is_some_and(|tx| tx.has_attempt(*attempt, reference));
        match (self.settled_as, stored) {
            (SettledAs::Reopened, _) => has_attempt,
            (_, None) => true,
            (_, Some(_)) if has_attempt => false,
            (SettledAs::Charged(_), Some(_)) => false,
            (SettledAs::Absorbed(_) | SettledAs::NotDelivered, Some(tx)) => {
                tx.status() != Status::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;
    use crate::provider::AbsencePolicy;
    use crate::transaction::sample::{Product, applied, draft, next};
    use crate::transaction::{Observation, Proof, Transition};

    const NOW: Timestamp = Timestamp::from_millis(0);

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn provider() -> ProviderId {
        ProviderId::parse("sandbox").unwrap()
    }

    fn settlement(reference: &str, settled_as: SettledAs) -> Result<ReferenceSettlement, NotOurs> {
        ReferenceSettlement::try_new(waiting(reference), settled_as, decided())
    }

    fn waiting(reference: &str) -> ReferenceToSettle {
        ReferenceToSettle::new(ProviderReference::from_echo(reference), provider())
    }

    fn decided() -> (String, Timestamp) {
        ("ada".to_owned(), NOW)
    }

    const ALL: [SettledAs; 4] = [
        SettledAs::Charged(Money::from_minor(100, Currency::Ngn)),
        SettledAs::Absorbed(Money::from_minor(100, Currency::Ngn)),
        SettledAs::NotDelivered,
        SettledAs::Reopened,
    ];

    #[test]
    fn a_record_reads_back_and_an_amount_belongs_to_what_is_booked() {
        for it in ALL {
            assert_eq!(SettledAs::from_record(it.code(), it.amount()), Some(it));
            let other = it.amount().is_none().then_some(naira(1));
            assert_eq!(SettledAs::from_record(it.code(), other), None, "{it:?}");
        }
        assert_eq!(SettledAs::from_record("paid", None), None);
    }

    #[test]
    fn the_merchant_pays_with_a_line_and_a_loss_is_on_no_statement() {
        let charged = settlement("shop.order-7.1", ALL[0]).unwrap().transfer();
        let charged = charged.unwrap();
        assert_eq!(charged.kind, TransferKind::Settlement);
        assert_eq!(charged.debit.holder(), Some("shop"));
        assert_eq!(charged.credit, LedgerAccount::Float(provider()));
        assert_eq!(charged.narration.as_deref(), Some("Settled: order-7"));
        let absorbed = settlement("shop.order-7.1", ALL[1]).unwrap().transfer();
        let absorbed = absorbed.unwrap();
        assert_eq!(absorbed.debit, LedgerAccount::Loss);
        assert_eq!((absorbed.amount, absorbed.narration), (naira(100), None));
        for nothing in &ALL[2..] {
            let settled = settlement("shop.order-7.1", *nothing).unwrap();
            assert_eq!(settled.transfer(), None);
        }
        let free = settlement("shop.order-7.1", SettledAs::Charged(naira(0))).unwrap();
        assert_eq!(free.transfer(), None);
    }

    #[test]
    fn a_reference_that_is_not_ours_is_absorbed_or_was_not_delivered() {
        let settled = ALL.map(|it| settlement("TXN 4711", it));
        assert_eq!(settled[0], Err(NotOurs));
        assert_eq!(settled[3], Err(NotOurs));
        let absorbed = settled[1].as_ref().unwrap();
        assert_eq!(absorbed.owner().as_str(), "sandbox");
        assert!(absorbed.fits(None) && settled[2].as_ref().unwrap().fits(None));
    }

    #[test]
    fn a_reference_in_a_form_of_its_own_is_charged_to_whom_it_was_found_to_belong() {
        let undated = UndatedReference::new("tejhlv4b");
        let waits = waiting("20260115tejhlv4b").without_date(undated.clone());
        let unknown = ReferenceSettlement::try_new(waits.clone(), ALL[0], decided());
        assert_eq!(unknown, Err(NotOurs));
        let parts = ProviderReference::from_echo("shop.order-7.2").parts();
        let found = waits.standing_for(parts.unwrap(), vec![undated.clone()]);
        let settled = |settled_as| {
            let settled = ReferenceSettlement::try_new(found.clone(), settled_as, decided());
            settled.unwrap()
        };
        let charged = settled(ALL[0]);
        assert_eq!(charged.undated(), [undated]);
        let (account, name) = charged.payer().unwrap();
        assert_eq!((account.as_str(), name.as_str()), ("shop", "order-7"));
        assert_eq!(charged.transfer().unwrap().debit.holder(), Some("shop"));
        assert_eq!(settled(ALL[1]).payer(), None);
        let derived = settlement("shop.order-7.1", ALL[0]).unwrap();
        assert_eq!(derived.payer(), None, "the reference says it");
    }

    /// A transaction in its first attempt, the same in its second, and failed in its first.
    fn stored() -> [Transaction; 3] {
        let opened = draft(Product::Airtime).open(NOW, NOW).transaction;
        let after = |observation: &Observation| match applied(
            &opened,
            observation,
            (NOW, &AbsencePolicy::CAUTIOUS),
            None,
        ) {
            Transition::Changed(advance) => advance.transaction,
            Transition::Unchanged(tx) => *tx,
        };
        let second = after(&Observation::Journalled {
            attempt: AttemptNumber::try_new(2).unwrap(),
            started_at: NOW,
            prepared: next(&opened),
            before: Proof::NotSent,
        });
        let failed = after(&Observation::Finding {
            attempt: AttemptNumber::FIRST,
            finding: crate::provider::QueryOutcome::Reversed,
        });
        assert_eq!(failed.status(), Status::Failed);
        [opened, second, failed]
    }

    #[test]
    fn what_the_store_holds_decides_what_a_reference_can_be_settled_as() {
        let [first, second, failed] = stored();
        let name = |n: u8| {
            let attempt = AttemptNumber::try_new(n).unwrap();
            first.provider_reference(attempt).to_string()
        };
        let fits =
            |n, tx: Option<&Transaction>| ALL.map(|it| settlement(&name(n), it).unwrap().fits(tx));
        assert_eq!(fits(1, None), [true, true, true, false]);
        assert_eq!(fits(1, Some(&first)), [false, false, false, true]);
        assert_eq!(
            fits(2, Some(&first)),
            [false; 4],
            "it must be reopened first"
        );
        assert_eq!(fits(2, Some(&second)), [false, false, false, true]);
        assert_eq!(fits(2, Some(&failed)), [false, true, true, false]);
    }
}
