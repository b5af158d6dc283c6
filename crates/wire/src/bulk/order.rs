//! `POST /transfer/bulk`. It must name every payout that cannot be read, by its place.

use super::{ON_FAILURE, named_apart};
use crate::attribute;
use crate::attributes::Attributes;
use crate::bank::payout;
use crate::group::group_id;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use domain::bank::{BulkPayees, BulkPayout, GroupId, GroupPayout, Narration, Payout};
use domain::batch::OnFailure;
use domain::money::Currency;
use domain::reference::MerchantReference;

/// Reads a request for many payouts: each of them, or a group and what each member is paid. Amounts
/// are in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<BulkPayout, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let on_failure = reader.choice(&attribute::ON_FAILURE, &ON_FAILURE);
    let group = reader.optional(&attribute::GROUP, group_id);
    let batch = reference.as_ref().ok();
    let payees = if group == Ok(None) {
        each(&mut reader, batch, (handling, currency)).map(BulkPayees::Each)
    } else {
        members(&mut reader, batch, (group, currency)).map(BulkPayees::Group)
    };
    reader.finish(|| {
        Ok(BulkPayout {
            reference: reference?,
            on_failure: on_failure?.unwrap_or(OnFailure::Continue),
            payees: payees?,
        })
    })
}

fn each(
    reader: &mut FieldReader<'_>,
    batch: Option<&MerchantReference>,
    (handling, currency): (Handling, Currency),
) -> Result<Vec<Payout>, InvalidField> {
    let read = |item: &Attributes| payout::parse_item(item, handling, currency);
    let payouts = reader.objects(&attribute::ITEMS, read);
    let by = "payouts listed in items, which have their own";
    let amount = reader.excluded(&attribute::TRANSFER_AMOUNT, by);
    let narration = reader.excluded(&attribute::NARRATION, by);
    let payouts = payouts?;
    named_apart(reader, batch, payouts.iter().map(|it| &it.reference))?;
    amount.and(narration).and(Ok(payouts))
}

fn members(
    reader: &mut FieldReader<'_>,
    batch: Option<&MerchantReference>,
    (group, currency): (Result<Option<GroupId>, InvalidField>, Currency),
) -> Result<GroupPayout, InvalidField> {
    let amount = reader.optional_amount(&attribute::TRANSFER_AMOUNT, currency);
    let amount = reader.needed(&attribute::TRANSFER_AMOUNT, amount, "a group");
    let narration = reader.optional(&attribute::NARRATION, Narration::parse);
    let narration = reader.needed(&attribute::NARRATION, narration, "a group");
    let items = reader.excluded(&attribute::ITEMS, "a group, whose members are paid");
    let longest = GroupPayout::REFERENCE_MAX;
    if batch.is_some_and(|batch| batch.as_str().len() > longest) {
        let message = format!(
            "must have {longest} characters at most for a group, as each payout adds its place"
        );
        return Err(reader.fault(&attribute::REFERENCE, &message));
    }
    let group = reader.needed(&attribute::GROUP, group, "a group");
    items?;
    Ok(GroupPayout {
        group: group?,
        amount: amount?,
        narration: narration?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, replaced};

    fn item(reference: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","bankIdentifier":"00000000058",
                "accountNumber":"0123456789","txnAmount":"1,000.00","txnNarration":"Pay"}}"#
        )
    }

    fn read(items: &str) -> Result<BulkPayout, Violations> {
        let attributes = body(&[("mrcReference", "\"run-1\""), ("items", items)]);
        parse(&attributes, Handling::Strict, Currency::Ngn)
    }

    #[test]
    fn many_payouts_are_read_in_their_order() {
        let bulk = read(&format!("[{},{}]", item("a"), item("b"))).unwrap();
        assert_eq!(bulk.reference.as_str(), "run-1");
        assert_eq!(bulk.on_failure, OnFailure::Continue);
        let BulkPayees::Each(payouts) = &bulk.payees else {
            panic!("{:?}", bulk.payees)
        };
        let names = payouts.iter().map(|it| it.reference.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["a", "b"]);
        let attributes = body(&[
            ("mrcReference", "\"run-1\""),
            ("batOnFailure", "\"stop\""),
            ("items", &format!("[{}]", item("a"))),
        ]);
        let stopping = parse(&attributes, Handling::Strict, Currency::Ngn).unwrap();
        assert_eq!(stopping.on_failure, OnFailure::Stop);
    }

    #[test]
    fn every_payout_that_cannot_be_read_is_named_by_its_place() {
        let wrong = item("b")
            .replace("1,000.00", "0")
            .replace("00000000058", "058");
        let strange = item("c").replace("\"txnNarration\":\"Pay\"", "\"txnNarration\":5,\"x\":1");
        let items = format!("[{},{wrong},{strange}]", item("a"));
        insta::assert_snapshot!(faults(read(&items)), @r"
        400 840
        items.1.bankIdentifier: must be the identifier of a bank, 11 capital letters and digits
        items.1.txnAmount: must be an amount above zero, such as 1234.00
        items.2.txnNarration: must be a string
        items.2.x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn what_is_no_list_of_payouts_is_refused() {
        for (items, expected) in [
            ("[]", "items: must hold at least one object"),
            ("{}", "items: must be an array of objects"),
            ("\"a\"", "items: must be an array of objects"),
            ("[1]", "items: must be an array of objects"),
        ] {
            assert_eq!(faults(read(items)), format!("400 -\n{expected}"), "{items}");
        }
        let little = body(&[("batOnFailure", "\"retry\"")]);
        let refused = parse(&little, Handling::Lenient, Currency::Ngn);
        insta::assert_snapshot!(faults(refused), @r"
        400 -
        mrcReference: is required; add it to the body
        batOnFailure: must be continue or stop
        items: is required; add it to the body
        ");
    }

    #[test]
    fn references_are_each_payouts_own() {
        let items = format!("[{},{},{}]", item("a"), item("run-1"), item("a"));
        insta::assert_snapshot!(faults(read(&items)), @r"
        400 -
        items.1.mrcReference: is the reference of the batch; give each object one of its own
        items.2.mrcReference: is that of items.0 as well; give each object one of its own
        ");
    }

    const GROUP: [(&str, &str); 4] = [
        ("mrcReference", "\"run-1\""),
        ("grpIdentifier", "7213340021"),
        ("txnAmount", "\"500.00\""),
        ("txnNarration", "\"Pay\""),
    ];

    fn of_group(pairs: &[(&str, &str)]) -> Result<BulkPayout, Violations> {
        parse(&body(pairs), Handling::Strict, Currency::Ngn)
    }

    #[test]
    fn a_group_is_paid_one_amount_for_each_member() {
        let bulk = of_group(&GROUP).unwrap();
        let BulkPayees::Group(paid) = bulk.payees else {
            panic!("{:?}", bulk.payees)
        };
        assert_eq!(paid.group.get(), 7_213_340_021);
        assert_eq!(paid.amount.minor(), 50_000);
        assert_eq!(paid.narration.as_str(), "Pay");
    }

    #[test]
    fn a_group_and_payouts_are_never_mixed() {
        let items = format!("[{}]", item("a"));
        let both = [&GROUP[..], &[("items", &items)]].concat();
        insta::assert_snapshot!(faults(of_group(&both)), @r"
        400 -
        items: is not for a group, whose members are paid; leave it out
        ");
        let amounts = [&GROUP[..1], &GROUP[2..], &[("items", &items)]].concat();
        insta::assert_snapshot!(faults(of_group(&amounts)), @r"
        400 814
        txnAmount: is not for payouts listed in items, which have their own; leave it out
        txnNarration: is not for payouts listed in items, which have their own; leave it out
        ");
        insta::assert_snapshot!(faults(of_group(&GROUP[..2])), @r"
        400 814
        txnAmount: is required for a group; add it to the body
        txnNarration: is required for a group; add it to the body
        ");
        let bad = [GROUP[0], ("grpIdentifier", "0"), ("txnAmount", "0")];
        insta::assert_snapshot!(faults(of_group(&bad)), @r"
        400 814
        grpIdentifier: must be the number of a group; GET /transfer/group lists those you have
        txnAmount: must be an amount above zero, such as 1234.00
        txnNarration: is required for a group; add it to the body
        ");
    }

    #[test]
    fn the_reference_of_a_batch_for_a_group_leaves_room_for_the_places() {
        let longest = format!("\"{}\"", "x".repeat(GroupPayout::REFERENCE_MAX));
        assert!(of_group(&replaced(&GROUP, "mrcReference", &longest)).is_ok());
        let longer = format!("\"{}\"", "x".repeat(GroupPayout::REFERENCE_MAX + 1));
        insta::assert_snapshot!(faults(of_group(&replaced(&GROUP, "mrcReference", &longer))), @r"
        400 -
        mrcReference: must have 59 characters at most for a group, as each payout adds its place
        ");
    }

    #[test]
    fn an_answer_names_a_hundred_payouts_and_counts_the_others() {
        let items = vec!["{}"; 150].join(",");
        let refused = faults(read(&format!("[{items}]")));
        assert!(refused.contains("items.99.mrcReference"), "{refused}");
        assert!(!refused.contains("items.100."), "{refused}");
        let rest = "items: has 50 more objects that are not valid";
        assert!(refused.ends_with(rest), "{refused}");
    }
}
