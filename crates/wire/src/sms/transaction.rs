//! `GET /messaging/sms/transaction`. It must show a message in the names it was sent with, for
//! every request.

use super::{delivery, send};
use crate::tree::Object;
use crate::zone::Zone;
use domain::sms::{FieldNaming, MessageOrder};
use domain::transaction::Transaction;

/// The report: the answer to the send request, and for variant A the delivery (interface §2.8).
pub(crate) fn view(transaction: &Transaction, order: &MessageOrder, zone: &Zone) -> Object {
    match order.variant {
        FieldNaming::A => send::opening(transaction, zone)
            .with("dlvStatus", delivery::word(delivery::status(transaction)))
            .and(send::body_a(transaction, order)),
        FieldNaming::B => send::view_b(transaction, order, zone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{in_every_state, lagos, pretty};
    use crate::transaction::{answer, report};
    use crate::tree::Node;
    use domain::order::Order;
    use domain::sms::DeliveryStatus;
    use testkit::builders::{
        START, advance, apply, delivered, message_status, not_found, reversed, sms, takeover,
    };

    fn sent_as(variant: FieldNaming) -> Transaction {
        let mut transaction = sms().transaction();
        if let Order::Sms(order) = &mut transaction.order {
            order.variant = variant;
        }
        transaction
    }

    fn with_network(transaction: &Transaction) -> Transaction {
        advance(transaction, &delivered(transaction), START).transaction
    }

    fn field<'a>(shown: &'a Object, name: &str) -> &'a Node {
        let found = shown.fields().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("{name}?")).1
    }

    fn names(shown: &Object) -> Vec<&str> {
        shown.fields().map(|(name, _)| name).collect()
    }

    #[test]
    fn variant_a_keeps_the_delivery_for_its_report() {
        let opened = sent_as(FieldNaming::A);
        let zone = lagos();
        insta::assert_snapshot!("a_answer", in_every_state(&opened, |tx| answer(tx, &zone)));
        insta::assert_snapshot!("a_report", in_every_state(&opened, |tx| report(tx, &zone)));
        let (answer, report) = (answer(&opened, &zone), report(&opened, &zone));
        let report = report.fields().filter(|(name, _)| *name != "dlvStatus");
        assert!(report.eq(answer.fields()));
    }

    #[test]
    fn variant_b_reports_the_delivery_in_its_answer_too() {
        let opened = sent_as(FieldNaming::B);
        let zone = lagos();
        insta::assert_snapshot!("b", in_every_state(&opened, |tx| answer(tx, &zone)));
        assert_eq!(answer(&opened, &zone), report(&opened, &zone));
    }

    #[test]
    fn what_became_of_a_message_is_a_word_and_a_sentence() {
        let sent = with_network(&sent_as(FieldNaming::B));
        let reported = DeliveryStatus::ALL.map(|status| {
            let received = super::super::delivery::word(status);
            let observation = message_status(&sent, &[status]);
            // A status that adds nothing to the network's acceptance changes nothing.
            let after = apply(&sent, &observation, START);
            let after = after.map_or(sent.clone(), |advance| advance.transaction);
            let shown = report(&after, &lagos());
            let json = |name| pretty(field(&shown, name));
            let (gateway, word) = (json("gtwStatus"), json("dlvStatus"));
            format!("{received}: {gateway} {word} {}", json("dlvDescription"))
        });
        insta::assert_snapshot!(reported.join("\n"), @r#"
        Pending: "Submitted" "Submitted" "The network has the message, the handset not yet."
        Submitted: "Submitted" "Submitted" "The network has the message, the handset not yet."
        Buffered: "Submitted" "Buffered" "The network keeps the message for the handset."
        Delivered: "Delivered" "Delivered" "The handset has the message."
        Undelivered: "Submitted" "Undelivered" "The message could not be delivered."
        Expired: "Submitted" "Expired" "The message was not delivered within its validity."
        Rejected: "Submitted" "Rejected" "The network refused the message."
        Unknown: "Submitted" "Unknown" "It is not known what became of the message."
        "#);
    }

    #[test]
    fn the_gateway_is_not_called_delivered_before_the_handset_has_every_part() {
        use DeliveryStatus::{Delivered, Submitted};
        let long = sms().saying(&"a".repeat(161)).transaction();
        let sent = with_network(&long);
        let zone = lagos();
        let status = |tx: &Transaction| pretty(field(&report(tx, &zone), "gtwStatus"));
        let received = |parts| {
            let observation = message_status(&sent, parts);
            advance(&sent, &observation, START).transaction
        };
        assert_eq!(status(&sent), "\"Submitted\"");
        assert_eq!(status(&received(&[Delivered, Submitted])), "\"Submitted\"");
        assert_eq!(status(&received(&[Delivered, Delivered])), "\"Delivered\"");
    }

    #[test]
    fn a_message_taken_back_before_it_was_known_to_be_sent_may_have_been_seen() {
        let opened = sent_as(FieldNaming::B);
        let doubt = takeover(&opened);
        let doubt = advance(&opened, &doubt, START).transaction;
        let taken_back = advance(&doubt, &reversed(&doubt), START).transaction;
        let shown = report(&taken_back, &lagos());
        let words = ["txnStatus", "gtwStatus", "dlvStatus"].map(|name| pretty(field(&shown, name)));
        assert_eq!(words, ["\"Failed\"", "\"Reversed\"", "\"Unknown\""]);
        // One absence proves nothing yet.
        let absent = apply(&doubt, &not_found(&doubt), START);
        let absent = absent.map_or(doubt.clone(), |advance| advance.transaction);
        assert_eq!(report(&absent, &lagos()), report(&doubt, &lagos()));
    }

    #[test]
    fn a_message_is_charged_in_money_or_in_credits() {
        let zone = lagos();
        for (variant, cost, currency) in [
            (FieldNaming::A, "cost", "currency"),
            (FieldNaming::B, "txnCost", "txnCurrency"),
        ] {
            let mut tx = sms().in_credits().transaction();
            if let Order::Sms(order) = &mut tx.order {
                order.variant = variant;
            }
            let shown = answer(&tx, &zone);
            assert_eq!(field(&shown, cost), &Node::from("4.00"));
            assert_eq!(field(&shown, currency), &Node::from("CRD"));
        }
    }

    #[test]
    fn a_network_that_was_not_recorded_is_unavailable() {
        let mut tx = sent_as(FieldNaming::A);
        if let Order::Sms(order) = &mut tx.order {
            order.network = String::new();
        }
        let shown = answer(&tx, &lagos());
        assert_eq!(field(&shown, "network"), &Node::from("Unavailable"));
    }

    #[test]
    fn the_fields_are_those_of_the_interface_in_its_order() {
        let zone = lagos();
        let common = [
            "mrcReference",
            "txnReference",
            "txnStatus",
            "txnDate",
            "gtwStatus",
        ];
        let a = [
            "number", "network", "sender", "type", "content", "cost", "currency",
        ];
        let b = [
            "dlvStatus",
            "dlvDescription",
            "phnNumber",
            "phnNetwork",
            "msgSender",
            "msgType",
            "msgContent",
            "txnCost",
            "txnCurrency",
        ];
        let shown = answer(&sent_as(FieldNaming::A), &zone);
        assert_eq!(names(&shown), [&common[..], &a[..]].concat());
        let shown = answer(&sent_as(FieldNaming::B), &zone);
        assert_eq!(names(&shown), [&common[..], &b[..]].concat());
        let shown = report(&sent_as(FieldNaming::A), &zone);
        assert_eq!(
            names(&shown),
            [&common[..], &["dlvStatus"], &a[..]].concat()
        );
    }
}
