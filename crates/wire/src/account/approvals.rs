//! `/account/approvals`. What waits must be shown as every list of transactions shows it.

use super::transactions;
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::access::AccountUserId;
use domain::batch::BatchNumber;
use domain::reference::MerchantReference;
use domain::transaction::{ApprovalVerdict, State, Transaction};

const PATH: &str = "/account/approvals";

/// The only order: by the moment they were accepted.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// The words of a decision.
pub const DECISIONS: [(&str, ApprovalVerdict); 2] = [
    ("approve", ApprovalVerdict::Approved),
    ("refuse", ApprovalVerdict::Refused),
];

/// A page of what waits for an approval.
#[derive(Debug, Clone, Copy)]
pub struct ApprovalsPart<'a> {
    pub payments: &'a [Transaction],
    /// How many wait.
    pub total: u64,
}

/// Reads which part of what waits is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<Paging<()>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| paging)
}

/// Reads what is decided of which payment.
pub fn parse_decision(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(MerchantReference, ApprovalVerdict), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let verdict = reader.word(&attribute::DECISION, &DECISIONS);
    reader.finish(|| Ok((reference?, verdict?)))
}

/// A page of what waits.
pub fn view(part: ApprovalsPart<'_>, query: &Paging<()>, zone: &Zone) -> Object {
    let payments = part.payments.iter().map(|payment| row(payment, zone));
    Object::new()
        .with("approvals", Node::objects("approval", payments))
        .with("metadata", page::metadata(part.payments.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// What was decided of the payments of a reference.
pub fn decided(
    reference: &MerchantReference,
    verdict: ApprovalVerdict,
    payments: &[Transaction],
) -> Object {
    let word = match verdict {
        ApprovalVerdict::Approved => "Approved",
        ApprovalVerdict::Refused => "Refused",
    };
    Object::new()
        .with("mrcReference", reference.as_str())
        .with("aprDecision", word)
        .with("aprCount", payments.len() as u64)
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: ApprovalsPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

fn row(payment: &Transaction, zone: &Zone) -> Object {
    let asked_by = payment.approval.map(|approval| approval.asked_by);
    let user = asked_by.and_then(|holder| holder.user);
    let expires = match &payment.state {
        State::Queued(queued) => Some(zone.date_time(queued.expires_at)),
        State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Successful(_)
        | State::Failed(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    };
    let batch = payment.approval.and_then(|approval| approval.batch);
    transactions::row(payment, zone)
        .with("batReference", batch.map(BatchNumber::get))
        .with("aprExpires", expires)
        .with(
            "keyIdentifier",
            asked_by.map(|holder| holder.key.to_string()),
        )
        .with("usrIdentifier", user.map(AccountUserId::get))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty};
    use domain::credential::KeyId;
    use domain::statement::Sort;
    use domain::transaction::{Approval, KeyHolder};
    use testkit::builders::{START, account_user_id, airtime, at, reference};

    #[test]
    fn a_decision_names_a_payment_and_a_word() {
        let read = |pairs: &[(&str, &str)]| parse_decision(&body(pairs), Handling::Strict);
        let pairs = [("mrcReference", "\"order-1\""), ("decision", "\"approve\"")];
        let (of, verdict) = read(&pairs).unwrap();
        assert_eq!(
            (of.as_str(), verdict),
            ("order-1", ApprovalVerdict::Approved)
        );
        let wrong = [("mrcReference", "\"order-1\""), ("decision", "\"maybe\"")];
        insta::assert_snapshot!(faults(read(&wrong)), @r"
        400 -
        decision: must be approve or refuse
        ");
        insta::assert_snapshot!(faults(read(&[])), @r"
        400 -
        mrcReference: is required; add it to the body
        decision: is required; add it to the body
        ");
    }

    #[test]
    fn what_waits_shows_who_asked_for_it_and_until_when_it_waits() {
        let mut payment = airtime().queued(START, at(86_400)).transaction();
        let user = Some(account_user_id(7));
        let asked_by = KeyHolder {
            key: KeyId(1),
            user,
        };
        payment.approval = Some(Approval::awaited(asked_by));
        let part = ApprovalsPart {
            payments: &[payment],
            total: 1,
        };
        let paging = Paging {
            offset: 0,
            length: 100,
            order: None,
            sort: Sort::Ascending,
        };
        let shown = pretty(&view(part, &paging, &lagos()).into());
        for line in [
            "mrcReference: \"order-1\"",
            "txnStatus: \"Pending\"",
            "aprExpires: \"16-01-2026 10:00:00\"",
            "keyIdentifier: \"0000000000000001\"",
            "usrIdentifier: 7",
            "found: 1",
        ] {
            assert!(shown.contains(line), "{line}: {shown}");
        }
    }

    #[test]
    fn a_decision_is_answered_with_how_many_payments_it_was_about() {
        let payment = airtime().transaction();
        let fields = decided(&reference("pay-1"), ApprovalVerdict::Refused, &[payment]);
        insta::assert_snapshot!(pretty(&fields.into()), @r#"
        {
          mrcReference: "pay-1"
          aprDecision: "Refused"
          aprCount: 1
        }
        "#);
    }
}
