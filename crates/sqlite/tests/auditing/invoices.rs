//! Invoices, their numbers and their collections.

use crate::support::check;

#[tokio::test]
async fn i32_finds_invoices_that_are_not_numbered_and_billed() {
    let offences = [
        (
            "UPDATE invoices SET serial = 3 WHERE serial = 2",
            "invoices of kiosk are numbered 1 to 3, and there are 2",
        ),
        (
            "UPDATE invoices SET serial = 3 WHERE serial = 1",
            "invoices of kiosk are numbered 2 to 3, and there are 2",
        ),
        (
            "DELETE FROM invoices WHERE number = 41",
            "invoices of kiosk are numbered 2 to 2, and there are 1",
        ),
        (
            "DELETE FROM invoices WHERE number = 42",
            "collection 42 of kiosk is of an invoice that was not opened",
        ),
        (
            "UPDATE invoices SET serial = 3, opened_at = 1, stage = 'open' WHERE number = 40",
            "invoice 40 of kiosk has no collection",
        ),
        (
            "UPDATE invoices SET total = total + 1 WHERE number = 41",
            "invoice 41 of kiosk has a collection of another amount",
        ),
        (
            "UPDATE invoices SET reference = 'other' WHERE number = 41",
            "invoice 41 of kiosk has the collection of inv-41",
        ),
        (
            "UPDATE collections SET admission = 'active' WHERE number = 42",
            "invoice 42 of kiosk is void and its collection is active",
        ),
        (
            "UPDATE collections SET admission = 'closed' WHERE number = 41",
            "invoice 41 of kiosk is open and its collection is closed",
        ),
    ];
    check("I32", &offences).await;
}
