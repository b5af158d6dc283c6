//! Payments to collections, and the money that they credit.

use crate::support::check;

#[tokio::test]
async fn i31_finds_payments_that_are_not_booked_as_they_are() {
    let offences = [
        (
            "UPDATE collected_payments SET amount = amount + 1",
            "collection of 25000 NGN of kiosk at ",
        ),
        (
            "UPDATE collected_payments SET charge = 0",
            "collection_charge of 1000 NGN of kiosk at ",
        ),
        (
            "UPDATE collected_payments SET vat = vat + 1",
            "collection_vat of 75 NGN of kiosk at ",
        ),
        (
            "DELETE FROM collected_payments",
            "collection of 25000 NGN of kiosk at ",
        ),
        (
            "UPDATE collected_payments SET source = 'bank'",
            "payment 6 to kiosk under session session-6 is recorded as a bank's, and the log of \
             operators has no such act",
        ),
        (
            "UPDATE accounts SET environment = 'live' WHERE id = 'kiosk'",
            "payment 6 of source sandbox is to kiosk, an account of environment live",
        ),
    ];
    check("I31", &offences).await;
    let elsewhere = "UPDATE transfers SET debit_kind = 'funding' WHERE kind = 'collection'";
    check("I1", &[(elsewhere, "from funding")]).await;
}
