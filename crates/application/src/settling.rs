//! Settling references that only a provider knows: it is asked what became of each, a person
//! accepts what that means, and it is booked once. It must not take silence, or an answer about
//! something else, for either end.

use crate::gateway::Gateway;
use crate::own_references::{StandsFor, known_by};
use crate::reopening::may_be_reopened;
use domain::account::AccountId;
use domain::change_set::ChangeSet;
use domain::money::Money;
use domain::provider::{ProviderId, QueryOutcome, Receipt};
use domain::reference::{MerchantReference, ProviderReference};
use domain::reference_settlement::{NotOurs, ReferenceParts, ReferenceSettlement, SettledAs};
use domain::transaction::{AttemptNumber, Transaction};
use ports::ledger_store::CommitOutcome;
use ports::provider::{AttemptQuery, Provider};
use ports::reconciliation::{
    AcknowledgeOutcome, Acknowledgement, MissingReference, NotedReference,
};
use ports::{PortError, PortErrorKind};
use std::sync::Arc;

pub use crate::own_references::MerchantName;

/// What the provider's record means for a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposal {
    /// It was delivered.
    Delivered {
        /// The amount the provider says it delivered.
        amount: Money,
        /// The account that pays.
        payer: Payer,
    },
    /// It was certainly not delivered, or was taken back in full.
    NotDelivered,
    /// The store has its transaction, which is asked about as this attempt from then on.
    Reopened,
    /// There is no definite answer: ask again later.
    Undecided(Undecided),
}

/// The account that can be charged for a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Payer {
    /// The account, or the gateway where it absorbs the loss.
    Account,
    /// The gateway alone: the reference belongs to no account, its merchant was answered that the
    /// payment failed, or has paid for another attempt.
    Gateway,
}

/// Why nothing is proposed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// The gateway has no such provider.
    #[error("its provider is none of this gateway")]
    ProviderUnknown,
    /// The provider did not answer, or not in a readable way.
    #[error("its provider did not say")]
    Unknown,
    /// The provider is still at work on it.
    #[error("its provider still works on it")]
    Pending,
    /// The provider has no trace of it now.
    #[error("its provider does not find it, which proves nothing")]
    NotFound,
    /// The answer is about another reference.
    #[error("its provider answered about {0}")]
    OtherReference(ProviderReference),
    /// The amount is in a currency that the account does not pay in.
    #[error("its provider says that it delivered {0}, which the account does not pay in")]
    OtherCurrency(String),
    /// The reference was not made of what was named.
    #[error(
        "it does not stand for the account and reference that were named; name those that were \
         refused with 409"
    )]
    AnotherThanNamed,
    /// Another attempt under the same merchant's reference is not known to be over.
    #[error("{0} may have been delivered and is in no list; compare a newer list of the provider")]
    OtherAttempt(ProviderReference),
}

/// Why a reference was not settled.
#[derive(Debug, thiserror::Error)]
pub enum NotSettled {
    /// It was settled meanwhile, or it was never noted.
    #[error("it does not wait to be settled")]
    Settled,
    /// What the store holds under the merchant's reference has changed, or forbids it.
    #[error("what is stored under its reference does not allow that; look again")]
    Unfounded,
    /// It may be a payment that is queued.
    #[error(
        "payments are queued and it may be one of them; name the account and the reference of the \
         one that the log says is not sent, or settle it once none is queued"
    )]
    Queued,
    /// The account is not stored.
    #[error("its account is not stored; create it again under the same identity, or absorb it")]
    AccountUnknown,
    /// The wallet does not hold the amount.
    #[error("the wallet of its account does not hold {0}; credit the account, or absorb it")]
    InsufficientFunds(Money),
    /// It cannot be charged to an account.
    #[error(transparent)]
    NotOurs(#[from] NotOurs),
    /// The store failed: what became of it is shown by the list of references.
    #[error(transparent)]
    Store(#[from] PortError),
}

impl Gateway {
    /// Resumes payments that are suspended, with what a comparison with a provider found. What the
    /// provider knows of a later attempt of an open transaction is taken in first: nothing of it
    /// may be lost, and nothing be released by what is known of the attempt before.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn acknowledge(
        &self,
        word: &Acknowledgement,
    ) -> Result<AcknowledgeOutcome, PortError> {
        for MissingReference { reference, .. } in &word.missing {
            let Some(parts) = reference.parts() else {
                continue;
            };
            let name = (reference, &word.provider);
            match self.reopen_reference(name, &parts).await {
                // It waits to be settled, and nothing is opened under it meanwhile.
                Err(error) if error.trouble == PortErrorKind::Record => {
                    tracing::error!(%reference, %error, "an attempt cannot be taken in");
                }
                taken_in => taken_in.map(drop)?,
            }
        }
        self.parts().reconciliation.acknowledge(word).await
    }

    /// Asks the provider about a reference that waits to be settled, and answers what that means.
    /// Nothing is changed. Where the reference does not say whose it is, the account and the
    /// merchant's reference may be named.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn propose_settlement(
        &self,
        (reference, provider): (&ProviderReference, &ProviderId),
        named: Option<&MerchantName>,
    ) -> Result<Proposal, PortError> {
        let stands_for = self.stands_for((reference, provider), named).await?;
        let is_nothing = stands_for == StandsFor::Nothing;
        let parts = match stands_for {
            StandsFor::Attempt(parts) => Some(parts),
            StandsFor::SomeAttempt(_) | StandsFor::Nothing => None,
            StandsFor::AnotherThanNamed => {
                return Ok(Proposal::Undecided(Undecided::AnotherThanNamed));
            }
        };
        let stored = match &parts {
            Some(parts) => self.stored_under(parts).await?,
            None => None,
        };
        if let (Some((.., attempt)), Some(tx)) = (&parts, &stored)
            && (tx.has_attempt(*attempt, reference) || may_be_reopened(tx, *attempt))
        {
            return Ok(Proposal::Reopened);
        }
        let Some(asked) = self.provider(provider) else {
            return Ok(Proposal::Undecided(Undecided::ProviderUnknown));
        };
        match self.finding(&asked, reference).await {
            QueryOutcome::Delivered(receipt) => {
                let known = (parts.as_ref(), stored.as_ref());
                self.delivered((reference, provider), &receipt, known).await
            }
            QueryOutcome::Declined(_) | QueryOutcome::Reversed => match &parts {
                Some(parts) => self.not_delivered(&asked, parts).await,
                None => Ok(Proposal::NotDelivered),
            },
            // No merchant's reference is set free by it, and none of ours was sent under it.
            QueryOutcome::NotFound if is_nothing => Ok(Proposal::NotDelivered),
            QueryOutcome::NotFound => Ok(Proposal::Undecided(Undecided::NotFound)),
            QueryOutcome::Pending => Ok(Proposal::Undecided(Undecided::Pending)),
            QueryOutcome::Unknown => Ok(Proposal::Undecided(Undecided::Unknown)),
        }
    }

    /// Settles a reference as a person accepted it, once.
    ///
    /// # Errors
    /// When it was settled before, cannot be settled so, or the store failed.
    pub async fn settle_reference(
        &self,
        (reference, provider): (&ProviderReference, &ProviderId),
        named: Option<&MerchantName>,
        (settled_as, by): (SettledAs, &str),
    ) -> Result<(), NotSettled> {
        let stands_for = self.stands_for((reference, provider), named).await?;
        if let (SettledAs::Reopened, StandsFor::Attempt(parts)) = (settled_as, &stands_for)
            && self.reopen_reference((reference, provider), parts).await?
        {
            // Recorded as the gateway's: nothing is booked, and the provider decides what follows.
            tracing::info!(%reference, by, "a reference was reopened");
            return Ok(());
        }
        // Booked without its name, it would keep a queued payment of that name from ever ending.
        let is_nameless = matches!(stands_for, StandsFor::SomeAttempt(_));
        let queued = &self.parts().reconciliation;
        if is_nameless && settled_as.is_booked() && queued.has_queued().await? {
            return Err(NotSettled::Queued);
        }
        let decided = (by.to_owned(), self.now());
        let waits = self.to_settle((reference, provider), stands_for);
        let settlement = ReferenceSettlement::try_new(waits, settled_as, decided)?;
        let change = ChangeSet::Settle(Box::new(settlement));
        match self.parts().ledger.commit(change).await? {
            CommitOutcome::Done => {
                let settled_as = settled_as.code();
                tracing::info!(%reference, by, settled_as, "a reference was settled");
                Ok(())
            }
            CommitOutcome::ReferenceSettled => Err(NotSettled::Settled),
            CommitOutcome::SettlementUnfounded => Err(NotSettled::Unfounded),
            CommitOutcome::AccountUnknown => Err(NotSettled::AccountUnknown),
            CommitOutcome::InsufficientFunds => {
                // Only a charge takes money out of a wallet.
                let amount = settled_as.amount().ok_or(NotSettled::Unfounded)?;
                Err(NotSettled::InsufficientFunds(amount))
            }
            CommitOutcome::Suspended
            | CommitOutcome::AccountSuspended
            | CommitOutcome::Frozen(_)
            | CommitOutcome::KeyTaken(_)
            | CommitOutcome::ReferenceTaken(_)
            | CommitOutcome::BatchTaken(_)
            | CommitOutcome::ReferenceUnsettled
            | CommitOutcome::OtherEnvironment
            | CommitOutcome::FundingTaken(_)
            | CommitOutcome::OverDailyLimit(_)
            | CommitOutcome::NumberTaken
            | CommitOutcome::BalanceLimit
            | CommitOutcome::VersionConflict(_)
            | CommitOutcome::SessionTaken(_)
            | CommitOutcome::VoucherRefused(_) => {
                Err(PortError::new("books", "answered a settlement with nonsense").into())
            }
        }
    }

    pub(crate) async fn stored_under(
        &self,
        (account, reference, _): &ReferenceParts,
    ) -> Result<Option<Transaction>, PortError> {
        let transactions = &self.parts().transactions;
        transactions.by_reference(account, reference).await
    }

    async fn finding(
        &self,
        provider: &Arc<dyn Provider>,
        reference: &ProviderReference,
    ) -> QueryOutcome {
        let query = AttemptQuery::by(reference);
        let answer = provider.query(&query);
        let answer = self.within(self.parts().settings.call_deadline, answer);
        answer
            .await
            .map_or(QueryOutcome::Unknown, |answer| answer.outcome)
    }

    async fn delivered(
        &self,
        (reference, provider): (&ProviderReference, &ProviderId),
        receipt: &Receipt,
        (parts, stored): (Option<&ReferenceParts>, Option<&Transaction>),
    ) -> Result<Proposal, PortError> {
        if receipt.reference != *reference {
            let other = Undecided::OtherReference(receipt.reference.clone());
            return Ok(Proposal::Undecided(other));
        }
        let amount = receipt.amount;
        let (Some((account, name, _)), None) = (parts, stored) else {
            let payer = Payer::Gateway;
            return Ok(Proposal::Delivered { amount, payer });
        };
        let found = self.parts().accounts.credentials(account).await?;
        let payer = match found {
            None => Payer::Gateway,
            Some(it) => {
                let pays_in = [it.account.currency, it.account.message_currency];
                if !pays_in.contains(&amount.currency()) {
                    let amount = format!("{} {amount}", amount.currency().code());
                    return Ok(Proposal::Undecided(Undecided::OtherCurrency(amount)));
                }
                if self.is_charged(provider, (account, name)).await? {
                    Payer::Gateway
                } else {
                    Payer::Account
                }
            }
        };
        Ok(Proposal::Delivered { amount, payer })
    }

    /// Whether a delivery under a merchant's reference was charged from a provider's record.
    async fn is_charged(
        &self,
        provider: &ProviderId,
        (account, name): (&AccountId, &MerchantReference),
    ) -> Result<bool, PortError> {
        let reconciliation = &self.parts().reconciliation;
        let undated = self.undated_references(account, name);
        let without_date = reconciliation.noted_as(&undated).await?;
        let noted = reconciliation.noted(provider).await?.into_iter();
        let under = noted.filter(|it| {
            let of = it.reference.parts();
            of.is_some_and(|(of, under, _)| of == *account && under == *name)
        });
        let charged = |it: NotedReference| matches!(it.settled_as, Some(SettledAs::Charged(_)));
        Ok(under.chain(without_date).any(charged))
    }

    /// A reference of the merchant is set free by this, so no other attempt under it may be on its
    /// way: each that nothing is stored of is asked about as well.
    async fn not_delivered(
        &self,
        provider: &Arc<dyn Provider>,
        (account, name, attempt): &ReferenceParts,
    ) -> Result<Proposal, PortError> {
        let reconciliation = &self.parts().reconciliation;
        let undated = self.undated_references(account, name);
        let mut noted = reconciliation.noted(provider.id()).await?;
        noted.extend(reconciliation.noted_as(&undated).await?);
        for other in AttemptNumber::all().filter(|it| it != attempt) {
            let derived = ProviderReference::derive(account, name, other);
            if noted.iter().any(|it| it.reference == derived) {
                continue;
            }
            // It may have gone to any of them.
            for asked in self.providers_in_force().distinct() {
                let reference = known_by(&*asked, &derived);
                let Some(reference) = reference.filter(|it| !is_noted(&noted, it)) else {
                    continue;
                };
                match self.finding(&asked, &reference).await {
                    QueryOutcome::NotFound | QueryOutcome::Declined(_) | QueryOutcome::Reversed => {
                    }
                    QueryOutcome::Delivered(_) | QueryOutcome::Pending | QueryOutcome::Unknown => {
                        return Ok(Proposal::Undecided(Undecided::OtherAttempt(reference)));
                    }
                }
            }
        }
        Ok(Proposal::NotDelivered)
    }
}

fn is_noted(noted: &[NotedReference], reference: &ProviderReference) -> bool {
    noted.iter().any(|it| it.reference == *reference)
}
