//! `/account/topup` and what is below it. An answer must show money as credited only where the
//! ledger says so.

use crate::attribute;
use crate::attributes::Attributes;
use crate::format;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::money::{Currency, Money};
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use domain::top_up::{NewTopUp, ReceivingAccount, TopUpChannel, TopUpState};
use domain::transaction::Status;

const PATH: &str = "/account/topup";

/// The only order: by the moment they were announced.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// What top-ups are shown with.
#[derive(Debug, Clone, Copy)]
pub struct TopUpContext<'a> {
    /// The bank account that merchants pay to.
    pub receiving: Option<&'a ReceivingAccount>,
    /// The present moment.
    pub now: Timestamp,
    /// The time zone of the account.
    pub zone: &'a Zone,
}

/// A page of the top-ups of an account.
#[derive(Debug, Clone, Copy)]
pub struct TopUpsPart<'a> {
    pub top_ups: &'a [TopUpState],
    /// The number of top-ups of the account.
    pub total: u64,
}

/// Reads a top-up that is announced.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<NewTopUp, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let amount = amount(&mut reader);
    let channel = reader.required(&attribute::TOP_UP_CHANNEL, channel);
    let in_money = reader.optional(&attribute::CURRENCY, money_alone);
    reader.finish(|| {
        let _ = in_money?;
        Ok(NewTopUp {
            reference: reference?,
            amount: amount?,
            channel: channel?,
        })
    })
}

/// Reads which top-ups are requested.
pub fn parse_list(attributes: &Attributes, handling: Handling) -> Result<Paging<()>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| paging)
}

fn amount(reader: &mut FieldReader<'_>) -> Result<Money, InvalidField> {
    let amount = reader.amount(Currency::Ngn)?;
    match NewTopUp::check(amount) {
        Ok(()) => Ok(amount),
        Err(why) => Err(reader.fault(&attribute::AMOUNT, &why.to_string())),
    }
}

fn channel(text: &str) -> Result<TopUpChannel, &'static str> {
    let word = text.to_ascii_lowercase();
    if word == "card" {
        return Err("is not taken from cards yet; choose transfer or manual");
    }
    TopUpChannel::from_code(&word).ok_or("must be transfer or manual")
}

fn money_alone(text: &str) -> Result<(), &'static str> {
    match Currency::from_code(&text.to_ascii_uppercase()) {
        Some(Currency::Ngn) => Ok(()),
        Some(Currency::Crd) => {
            Err("must be NGN: POST /transfer/wallet buys message credits with money")
        }
        None => Err("must be NGN, or left out"),
    }
}

/// The `message` of an answer that shows a top-up.
pub const fn outcome(status: Status) -> &'static str {
    match status {
        Status::Pending => {
            "The top-up is announced; it is credited once the operator confirms that the money \
             arrived."
        }
        Status::Successful => "The top-up is credited.",
        Status::Failed | Status::Reversed => {
            "The top-up has expired without its money; what arrives later is credited still."
        }
    }
}

/// A top-up and what became of it.
pub fn view_one(state: &TopUpState, context: TopUpContext<'_>) -> Object {
    let (top_up, zone) = (&state.top_up, context.zone);
    let pay_to = match top_up.channel {
        TopUpChannel::Transfer => context.receiving,
        TopUpChannel::Manual => None,
    };
    let number = top_up.number.get();
    Object::new()
        .with("mrcReference", top_up.reference.as_str())
        .with("txnReference", number)
        .with("txnStatus", format::status(state.status(context.now)))
        .with("txnDate", zone.date_time(top_up.created_at))
        .with("amount", top_up.amount)
        .with("price", top_up.amount)
        .with("currency", top_up.amount.currency().code())
        .with("txnChannel", top_up.channel.code())
        .with("topExpires", zone.date_time(top_up.expires_at))
        .with("topCredited", state.confirmed.map(|it| it.amount))
        .with(
            "topConfirmed",
            state.confirmed.map(|it| zone.date_time(it.at)),
        )
        .with("bankFullname", pay_to.map(|it| it.bank.as_str()))
        .with("accountNumber", pay_to.map(|it| it.number.digits()))
        .with("accountName", pay_to.map(|it| it.name.as_str()))
        .with("txnNarration", number.to_string())
}

/// A page of the top-ups.
pub fn view(part: TopUpsPart<'_>, query: &Paging<()>, context: TopUpContext<'_>) -> Object {
    let top_ups = part.top_ups.iter().map(|it| view_one(it, context));
    Object::new()
        .with("topups", Node::objects("topup", top_ups))
        .with("metadata", page::metadata(part.top_ups.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: TopUpsPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The address of a top-up, for `Location`.
pub fn path(reference: &MerchantReference) -> String {
    format!(
        "{PATH}/transaction?{}={reference}",
        attribute::REFERENCE.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{BAD_AMOUNTS, body, faults, lagos, pretty, query, replaced};
    use domain::top_up::TopUpConfirmation;
    use testkit::builders::{START, at, naira, receiving_account, reference, top_up};

    const GOOD: [(&str, &str); 3] = [
        ("mrcReference", "\"top-1\""),
        ("amount", "\"50,000.00\""),
        ("txnChannel", "\"Transfer\""),
    ];

    fn read(pairs: &[(&str, &str)]) -> Result<NewTopUp, Violations> {
        parse(&body(pairs), Handling::Strict)
    }

    #[test]
    fn a_top_up_is_read_whole() {
        let wanted = read(&GOOD).unwrap();
        assert_eq!(wanted.reference, reference("top-1"));
        assert_eq!(wanted.amount, naira("50,000.00"));
        assert_eq!(wanted.channel, TopUpChannel::Transfer);
        let manual = replaced(&GOOD, "txnChannel", "\"manual\"");
        let manual = [manual.as_slice(), &[("currency", "\"ngn\"")]].concat();
        assert_eq!(read(&manual).unwrap().channel, TopUpChannel::Manual);
    }

    #[test]
    fn an_amount_is_exact_above_zero_and_within_its_limits() {
        for (literal, message) in BAD_AMOUNTS {
            let expected = format!("400 814\namount: {message}");
            let refused = faults(read(&replaced(&GOOD, "amount", literal)));
            assert_eq!(refused, expected, "{literal}");
        }
        for (literal, message) in [
            ("99.99", "is too small; the smallest is 100.00"),
            (
                "100000000.01",
                "is too large; the largest is 100,000,000.00",
            ),
        ] {
            let expected = format!("400 814\namount: {message}");
            assert_eq!(faults(read(&replaced(&GOOD, "amount", literal))), expected);
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 814
        mrcReference: is required; add it to the body
        amount: is required; add it to the body
        txnChannel: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = [
            ("mrcReference", "\"a b\""),
            ("amount", "\"1.00\""),
            ("txnChannel", "\"cash\""),
            ("currency", "\"CRD\""),
        ];
        insta::assert_snapshot!(faults(read(&wrong)), @r"
        400 814
        mrcReference: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        amount: is too small; the smallest is 100.00
        txnChannel: must be transfer or manual
        currency: must be NGN: POST /transfer/wallet buys message credits with money
        ");
        let euros = [GOOD.as_slice(), &[("currency", "\"EUR\"")]].concat();
        assert_eq!(
            faults(read(&euros)),
            "400 -\ncurrency: must be NGN, or left out"
        );
        let listed = parse_list(&query("orderby=amount&x=1"), Handling::Strict);
        insta::assert_snapshot!(faults(listed), @r"
        400 -
        orderby: must be txnDate, or left out
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn cards_are_refused_under_the_service_code_of_payment_channels() {
        let card = replaced(&GOOD, "txnChannel", "\"CARD\"");
        let refused = "400 812\ntxnChannel: is not taken from cards yet; choose transfer or manual";
        assert_eq!(faults(read(&card)), refused);
    }

    #[test]
    fn a_transfer_shows_where_to_pay_and_what_arrived() {
        let (receiving, zone) = (receiving_account(), lagos());
        let context = TopUpContext {
            receiving: Some(&receiving),
            now: START,
            zone: &zone,
        };
        let mut state = TopUpState {
            top_up: top_up("shop", 7, "top-1"),
            confirmed: None,
        };
        insta::assert_snapshot!(pretty(&view_one(&state, context).into()), @r#"
        {
          mrcReference: "top-1"
          txnReference: 7
          txnStatus: "Pending"
          txnDate: "15-01-2026 10:00:00"
          amount: "50,000.00"
          price: "50,000.00"
          currency: "NGN"
          txnChannel: "transfer"
          topExpires: "22-01-2026 10:00:00"
          topCredited: null
          topConfirmed: null
          bankFullname: "Guaranty Trust Bank"
          accountNumber: "0123456789"
          accountName: "Manilla Payments"
          txnNarration: "7"
        }
        "#);
        state.confirmed = Some(TopUpConfirmation {
            amount: naira("49,950.00"),
            at: at(60),
        });
        let shown = pretty(&view_one(&state, context).into());
        for field in [
            "txnStatus: \"Successful\"",
            "amount: \"50,000.00\"",
            "topCredited: \"49,950.00\"",
            "topConfirmed: \"15-01-2026 10:01:00\"",
        ] {
            assert!(shown.contains(field), "{field} in {shown}");
        }
    }

    #[test]
    fn what_is_agreed_on_elsewhere_shows_no_bank_account() {
        let (receiving, zone) = (receiving_account(), lagos());
        let mut state = TopUpState {
            top_up: top_up("shop", 7, "top-1"),
            confirmed: None,
        };
        let ended = TopUpContext {
            receiving: None,
            now: state.top_up.expires_at,
            zone: &zone,
        };
        let without = pretty(&view_one(&state, ended).into());
        assert!(without.contains("txnStatus: \"Failed\""), "{without}");
        assert!(without.contains("accountNumber: null"), "{without}");
        state.top_up.channel = TopUpChannel::Manual;
        let context = TopUpContext {
            receiving: Some(&receiving),
            ..ended
        };
        let manual = pretty(&view_one(&state, context).into());
        for field in [
            "bankFullname: null",
            "accountNumber: null",
            "accountName: null",
        ] {
            assert!(manual.contains(field), "{field} in {manual}");
        }
    }

    #[test]
    fn a_page_leads_to_its_neighbours() {
        let zone = lagos();
        let context = TopUpContext {
            receiving: None,
            now: START,
            zone: &zone,
        };
        let paging = parse_list(&query("length=1&offset=1"), Handling::Strict).unwrap();
        let state = TopUpState {
            top_up: top_up("shop", 7, "top-1"),
            confirmed: None,
        };
        let part = TopUpsPart {
            top_ups: &[state],
            total: 3,
        };
        let shown = pretty(&view(part, &paging, context).into());
        assert!(shown.contains("mrcReference: \"top-1\""), "{shown}");
        let links = link_header(part, &paging);
        assert!(
            links.contains("/account/topup?") && links.contains("offset=2"),
            "{links}"
        );
        let address = path(&reference("top-1"));
        assert_eq!(address, "/account/topup/transaction?mrcReference=top-1");
    }
}
