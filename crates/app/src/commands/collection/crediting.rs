//! Crediting what a bank reports. A payment must be signed before it is credited, and one whose
//! outcome is not certain must be safe to repeat.

use std::time::Duration;

use anyhow::Context as _;
use application::collections::{CollectionError, PaymentReport};
use domain::collection::{CollectedPayment, CollectionSource};
use domain::environment::Environment;
use domain::operator::{Act, OperatorOrder};
use domain::reference::MerchantReference;

use crate::commands::known as known_account;
use crate::compose::AdminContext;
use crate::failure::Failure;
use crate::operator::sign_as;
use application::operators::Signer;

/// How much earlier than its number a payment may be dated: statements say the day alone.
const DATED_WITHIN: Duration = Duration::from_hours(24);

/// A payment as a bank reports it, and the number that its payer typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportedPayment {
    /// The line of a statement.
    pub(super) line: u64,
    /// An account number, a payment reference, or what cannot be one.
    pub(super) payee: String,
    pub(super) report: PaymentReport,
}

/// What becomes of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Crediting {
    /// It is credited now, or would be.
    Credited(Box<CollectedPayment>),
    /// It was credited before.
    Known(Box<CollectedPayment>),
    /// Its session was credited before with another amount, or to another collection: the bank
    /// contradicts itself, or the line was changed.
    Differs(Box<CollectedPayment>),
    /// The bank took it before the collection was made: the number was no number of the collection
    /// then.
    BeforeItWasMade,
    /// The balance would be above the largest amount. Nothing was credited.
    BalanceLimit,
    /// No collection has the number.
    Unmatched,
    /// The collection is a test account's, to which banks pay nothing.
    TestAccount,
}

/// What a reported payment would be, without crediting it.
pub(super) async fn judged(
    context: &AdminContext,
    reported: &ReportedPayment,
) -> Result<Crediting, Failure> {
    let gateway = &context.gateway;
    let known = gateway.payment_of_session(&reported.report.session).await?;
    let Some(collection) = gateway.collection_of_payee(&reported.payee).await? else {
        return Ok(match known {
            Some(known) => Crediting::Differs(Box::new(known)),
            None => Crediting::Unmatched,
        });
    };
    let of = (CollectionSource::Bank, reported.report.clone());
    let payment = gateway.payment_to(&collection, of)?;
    if let Some(known) = known {
        return Ok(again(known, &payment));
    }
    if reported.report.paid_at.plus(DATED_WITHIN) < collection.created_at {
        return Ok(Crediting::BeforeItWasMade);
    }
    match known_account(context, &payment.account).await?.environment {
        Environment::Test => Ok(Crediting::TestAccount),
        Environment::Live => Ok(Crediting::Credited(Box::new(payment))),
    }
}

/// Signs and credits what was judged to be new.
pub(super) async fn credited(
    context: &AdminContext,
    signer: &Signer,
    payment: CollectedPayment,
) -> Result<Crediting, Failure> {
    let session = MerchantReference::parse(payment.session.as_str());
    let session = session.map_err(|error| Failure::flag("--session", error))?;
    let order = OperatorOrder::new(Act::CollectionRecord)
        .to(&payment.account)
        .under(&session)
        .moving(Some(payment.amount));
    let order = order.with(payment.reference.as_str());
    sign_as(context, signer, &order).await?;
    let earlier = context.gateway.credit_payment(payment.clone()).await;
    let earlier = match earlier {
        Err(CollectionError::BalanceLimit) => return Ok(Crediting::BalanceLimit),
        other => other.with_context(|| {
            format!(
                "it is not certain that session {session} was credited; run the same command \
                 again, which credits it once"
            )
        })?,
    };
    Ok(match earlier {
        None => Crediting::Credited(Box::new(payment)),
        // Another operator has recorded it meanwhile.
        Some(earlier) => again(earlier, &payment),
    })
}

fn again(known: CollectedPayment, payment: &CollectedPayment) -> Crediting {
    if known.is_of(payment) {
        Crediting::Known(Box::new(known))
    } else {
        Crediting::Differs(Box::new(known))
    }
}
