//! Two books about the same purchases: ours, read by the audit and by reports, and the simulator's
//! own, which is the journal of what was really delivered. It must not trust one about the other.

use crate::folder::GatewayFolder;
use crate::patience;
use crate::program::ProgramOutput;
use crate::purchases::PurchaseEnd;
use domain::account::AccountId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::time::Timestamp;
use domain::transaction::AttemptNumber;
use provider_protocol::ReferenceForm;
use provider_sim::journal::{self, EntryEffect, SandboxEntry};
use std::collections::{HashMap, HashSet};

/// The simulator's journal within a data folder, and the note of its clock.
const SIMULATOR_JOURNAL: &str = "sandbox.journal";
const SIMULATOR_CLOCK: &str = "sandbox.clock";

/// The numbers of the attempts that a payment may have.
const ATTEMPTS: [u8; 2] = [1, 2];

/// What the simulator did, by account and merchant's reference. A provider process knows neither:
/// its entries are without an account until their purchases are named.
#[derive(Debug)]
pub struct ProviderJournal {
    attempts: HashMap<(String, String), Vec<SandboxEntry>>,
    now: Timestamp,
}

/// What became of a purchase outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProviderAction {
    /// Nothing was delivered, and nothing ever will be.
    Nothing,
    /// Nothing is delivered so far.
    Undecided,
    /// The customer has what was ordered.
    Delivered,
    /// The customer has something else than was ordered.
    DeliveredOther,
    /// The customer had it and has it no more.
    TakenBack,
}

impl ProviderJournal {
    /// Reads the simulator's journal as it is now; it may be written to meanwhile.
    #[must_use]
    pub fn read(folder: &GatewayFolder) -> Self {
        let path = folder.provider_data().join(SIMULATOR_JOURNAL);
        let entries = journal::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut attempts: HashMap<_, Vec<_>> = HashMap::new();
        for entry in entries {
            let key = match entry.reference.parts() {
                Some((account, reference, _)) => (account.to_string(), reference.to_string()),
                None => (String::new(), entry.reference.to_string()),
            };
            attempts.entry(key).or_default().push(entry);
        }
        let now = simulator_time(folder);
        Self { attempts, now }
    }

    /// The same, with the purchases of an account known by what a provider process calls their
    /// attempts.
    #[must_use]
    pub fn of_purchases(mut self, account: &str, references: &[&str]) -> Self {
        let form = ReferenceForm::default();
        let account_id = AccountId::parse(account).expect("an identity");
        for reference in references {
            let merchant = MerchantReference::parse(reference).expect("a reference");
            for number in ATTEMPTS {
                let number = AttemptNumber::try_new(number).expect("a number");
                let derived = ProviderReference::derive(&account_id, &merchant, number);
                let wire = form.reference(&derived, Timestamp::from_millis(0));
                let found = self.attempts.remove(&(String::new(), wire.to_string()));
                let key = (account.to_owned(), (*reference).to_owned());
                let of_purchase = self.attempts.entry(key).or_default();
                of_purchase.extend(found.into_iter().flatten());
            }
        }
        self
    }

    /// How many purchases something was delivered for twice.
    #[must_use]
    pub fn doubled(&self) -> usize {
        let purchases = self.attempts.keys();
        let twice =
            |(account, reference): &&(String, String)| self.deliveries(account, reference) > 1;
        purchases.filter(twice).count()
    }

    /// The references it knows and none of these purchases has.
    #[must_use]
    pub fn strangers(&self, endings: &[PurchaseEnd]) -> Vec<&str> {
        let ours: HashSet<_> = endings
            .iter()
            .map(|e| e.purchase.reference.as_str())
            .collect();
        let theirs = self
            .attempts
            .keys()
            .map(|(_, reference)| reference.as_str());
        theirs
            .filter(|reference| !ours.contains(reference))
            .collect()
    }

    /// How often something was delivered for a purchase, taken back or not: never more than once.
    #[must_use]
    pub fn deliveries(&self, account: &str, reference: &str) -> usize {
        let delivered = |action: &ProviderAction| match action {
            ProviderAction::Delivered
            | ProviderAction::DeliveredOther
            | ProviderAction::TakenBack => true,
            ProviderAction::Nothing | ProviderAction::Undecided => false,
        };
        self.actions(account, reference)
            .iter()
            .filter(|action| delivered(action))
            .count()
    }

    /// What became of a purchase.
    ///
    /// # Panics
    /// When it was delivered twice.
    #[must_use]
    pub fn action(&self, account: &str, reference: &str) -> ProviderAction {
        let deliveries = self.deliveries(account, reference);
        assert!(
            deliveries <= 1,
            "{reference} was delivered {deliveries} times"
        );
        let actions = self.actions(account, reference);
        // At most one is more than nothing or undecided, and undecided is more than nothing.
        let most = actions.into_iter().max_by_key(|action| match action {
            ProviderAction::Nothing => 0,
            ProviderAction::Undecided => 1,
            ProviderAction::Delivered
            | ProviderAction::DeliveredOther
            | ProviderAction::TakenBack => 2,
        });
        most.unwrap_or(ProviderAction::Nothing)
    }

    fn actions(&self, account: &str, reference: &str) -> Vec<ProviderAction> {
        let key = (account.to_owned(), reference.to_owned());
        let attempts = self.attempts.get(&key).into_iter().flatten();
        attempts.map(|entry| self.of_attempt(entry)).collect()
    }

    fn of_attempt(&self, entry: &SandboxEntry) -> ProviderAction {
        match entry.effects(self.now) {
            EntryEffect::Awaited => ProviderAction::Undecided,
            EntryEffect::Refused => ProviderAction::Nothing,
            EntryEffect::Delivered if entry.amount == entry.ordered => ProviderAction::Delivered,
            EntryEffect::Delivered => ProviderAction::DeliveredOther,
            EntryEffect::Reversed => ProviderAction::TakenBack,
        }
    }
}

/// The simulator's own time: what its note adds to the uptime.
fn simulator_time(folder: &GatewayFolder) -> Timestamp {
    let path = folder.provider_data().join(SIMULATOR_CLOCK);
    let note = std::fs::read_to_string(&path).expect("a server writes the note when it starts");
    let zero_ms = note.split_whitespace().nth(1);
    let zero_ms = zero_ms.and_then(|text| text.parse().ok());
    let zero = Timestamp::from_millis(zero_ms.expect("the note holds a boot and a number"));
    zero.plus(patience::uptime())
}

/// Runs `manilla audit` and demands that every invariant it can judge holds.
pub fn audit_is_clean(folder: &GatewayFolder) {
    let said = audit(folder);
    assert!(
        said.status.success(),
        "the audit found\n{}\n{}",
        said.stdout,
        said.stderr
    );
    let checks = said.json();
    let checks = checks["checks"]
        .as_array()
        .expect("the audit lists its checks");
    let holds = checks
        .iter()
        .filter(|check| check["status"] == "holds")
        .count();
    assert!(
        holds >= CHECKS_MIN,
        "only {holds} checks in {}",
        said.stdout
    );
}

/// An audit that checks less than this has lost a check.
const CHECKS_MIN: usize = 10;

/// Runs `manilla audit`.
#[must_use]
pub fn audit(folder: &GatewayFolder) -> ProgramOutput {
    folder.run(&["audit", "--json"])
}

/// An amount of an answer in minor units.
#[must_use]
pub fn minor(amount: &str) -> i64 {
    let digits: String = amount.chars().filter(char::is_ascii_digit).collect();
    digits
        .parse()
        .unwrap_or_else(|_| panic!("{amount:?} is not an amount"))
}
