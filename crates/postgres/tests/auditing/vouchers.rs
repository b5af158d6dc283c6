//! Codes of merchants, and the money that they hold.

use crate::support::check;

#[tokio::test]
async fn i29_finds_codes_that_hold_what_the_ledger_does_not_say() {
    let held = "UPDATE vouchers SET balance = balance + 1 WHERE batch = 7 AND position = 1";
    let offences = [
        (
            held,
            "codes of kiosk in NGN hold 1 more than the ledger says",
        ),
        (held, "code 7-1 of kiosk holds 1 and may be used 0 times"),
        (
            "UPDATE vouchers SET uses_left = 2 WHERE batch = 8",
            "code 8-1 of kiosk holds 0 and may be used 2 times",
        ),
        (
            "UPDATE voucher_redemptions SET discount = 12344, returned = 37656
                WHERE reference = 'use-2'",
            "voucher_redeem of 12344 NGN of kiosk at ",
        ),
        (
            "DELETE FROM voucher_voids",
            "voucher_return of 50000 NGN of kiosk at ",
        ),
        (
            "DELETE FROM voucher_rollbacks",
            "voucher_restore of 50000 NGN of kiosk at ",
        ),
        (
            "DELETE FROM vouchers WHERE batch = 8 AND position = 2",
            "batch 8 of kiosk was made with 2 codes and has 1",
        ),
        (
            "DELETE FROM voucher_targets",
            "redemption use-4 of kiosk lowers payment 42, which is not noted",
        ),
        (
            "UPDATE voucher_targets SET target = 43",
            "payment 43 of kiosk is noted as lowered by use-4",
        ),
    ];
    check("I29", &offences).await;
    let elsewhere = "UPDATE transfers SET credit_holder = 'shop' WHERE kind = 'voucher_issue'";
    check("I1", &[(elsewhere, "to vouchers shop")]).await;
}
