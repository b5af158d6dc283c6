//! An operator accepts what a reference is settled as. Above a limit it must be two.

use application::operators::{Decision, Signer};
use application::settling::MerchantName;
use domain::money::Money;
use domain::operator::{Act, OperatorOrder};
use domain::reference::ProviderReference;
use domain::reference_settlement::SettledAs;

use crate::compose::AdminContext;
use crate::failure::Failure;
use crate::operator::not_signed;

/// The operator who accepts what is proposed.
pub(super) struct Accepting<'a> {
    pub(super) context: &'a AdminContext,
    pub(super) signer: &'a Signer,
    /// Above this amount another operator must have proposed it.
    pub(super) alone_up_to: Money,
}

impl Accepting<'_> {
    /// Signs that a reference is settled. Answers the entry that proposes it where it waits for
    /// another operator.
    pub(super) async fn sign(
        &self,
        (reference, named): (&ProviderReference, Option<&MerchantName>),
        settled_as: SettledAs,
    ) -> Result<Option<u64>, Failure> {
        let order = OperatorOrder::new(Act::ReferenceSettle).under(reference);
        let order = match named {
            Some((account, _)) => order.to(account),
            None => order,
        };
        let order = order.moving(settled_as.amount()).with(settled_as.code());
        let operators = &self.context.operators;
        let amount = settled_as.amount().map_or(0, Money::minor);
        if amount <= self.alone_up_to.minor() {
            let signed = operators.sign(self.signer, &order).await;
            return signed.map(|_| None).map_err(not_signed);
        }
        let decided = operators.decide(self.signer, &order).await;
        Ok(match decided.map_err(not_signed)? {
            Decision::Approved { .. } => None,
            Decision::Proposed { entry } => Some(entry),
        })
    }
}
