//! What was given back for delivered payments.

use crate::support::check;

#[tokio::test]
async fn i28_finds_a_refund_that_was_not_asked_for_approved_or_taken_back() {
    let offences = [
        (
            "UPDATE refunds SET forced = 'refused'",
            "that no approved refund asks for",
        ),
        (
            "INSERT INTO refund_decisions
                SELECT account, number, 'approved', 'amaka', NULL, 0 FROM refunds",
            "the log of operators has no such act",
        ),
        (
            "UPDATE accounts SET environment = 'live' WHERE id = 'kiosk'",
            "a reference decides of refund back-9000001 of live account kiosk",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'refund_reversal'",
            "and gave 10001 of it back",
        ),
        (
            "DELETE FROM transfers WHERE kind = 'refund'",
            "takes a refund back that was not given",
        ),
        (
            "UPDATE transfers SET amount = 99999999 WHERE kind = 'refund'",
            "that it was charged",
        ),
    ];
    check("I28", &offences).await;
    let unreported = "DELETE FROM events WHERE kind = 'refunded'";
    check("I14", &[(unreported, "was refunded and reports no refund")]).await;
}
