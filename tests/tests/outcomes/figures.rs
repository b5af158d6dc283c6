//! The figures of an electricity report: they must add up, whatever became of the payment.

use serde_json::Value;
use tests::answer::HttpAnswer;
use tests::provider_journal::minor;
use tests::shape;

/// Value added tax is inside the amount: 1,075 parts of it are 1,000 parts of energy.
const TAXED: (i64, i64) = (1_075, 1_000);

/// Checks the figures of a report of a prepaid payment.
pub(crate) fn check(report: &HttpAnswer) {
    let fields = report.json();
    let of = |field: &str| minor(text(&fields[field]));
    let delivered = matches!(&*report.txn_status(), "Successful" | "Reversed");
    if !delivered {
        for field in ["outstanding", "receipt", "token"] {
            assert!(
                fields[field].is_null(),
                "{field} of what was not delivered: {fields}"
            );
        }
        return;
    }
    let recovered = of("debt") - of("outstanding");
    assert!((0..=of("amount")).contains(&recovered), "{fields}");
    assert!(!text(&fields["receipt"]).is_empty(), "{fields}");
    let token = &fields["token"];
    shape::check("<token>", text(&token["number"]));
    let (cost, taxed) = (minor(text(&token["cost"])), of("amount") - recovered);
    // Rounding moves the cost by half a kobo at most.
    let off = (cost * TAXED.0 - taxed * TAXED.1).abs();
    assert!(
        off * 2 <= TAXED.0,
        "{cost} is not {taxed} without its tax: {fields}"
    );
    assert!(minor(text(&token["units"])) > 0, "{fields}");
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is not text"))
}
