//! Vouchers, gift cards, coupons and promo codes. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::money::Currency;
use domain::order::Service;
use domain::reference::TransactionNumber;
use domain::voucher::{
    Voucher, VoucherBatch, VoucherCode, VoucherId, VoucherKind, VoucherLeft, VoucherPrefix,
    VoucherRedemption, VoucherRollback, VoucherRules,
};
use testkit::builders::{START, at, coupons, gift_cards, kobo, reference, voucher_redemption};
use wire::attribute::{
    AMOUNT, CURRENCY, ORIGINAL, REASON, REFERENCE, SERVICE, TARGET, VERSION, VOUCHER,
    VOUCHER_AMOUNT, VOUCHER_CODE, VOUCHER_COUNT, VOUCHER_EXPIRY, VOUCHER_MAXIMUM, VOUCHER_MINIMUM,
    VOUCHER_PERCENT, VOUCHER_PREFIX, VOUCHER_SERVICES, VOUCHER_TYPE, VOUCHER_USES,
};
use wire::voucher::{create, lookup, redeem, rollback, void};

/// What stands for a code, and for its identifier.
const CODE: &str = "01234-56789-ABCDE-FGHJT";
const ID: &str = "7213340023-1";

const NUMBER: u64 = 7_213_340_023;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "voucher",
        name: "Vouchers",
        about: "Codes that you give to your customers, who redeem them with you alone. A `voucher` \
                and a `giftcard` hold money that you set aside; a `coupon` and a `promo` lower \
                what a customer pays, and you bear that.",
        operations: vec![
            make_codes(),
            look_up(),
            redeem_code(),
            roll_back(),
            void_code(),
        ],
    }
}

fn make_codes() -> Operation {
    let words: Vec<_> = create::KINDS.iter().map(|(word, _)| *word).collect();
    let begun = [
        required(&REFERENCE, "vouchers-2026-0001"),
        required(&VOUCHER_TYPE, "giftcard").one_of(&words),
    ];
    let of_percent = [
        required(&REFERENCE, "vouchers-2026-0002"),
        required(&VOUCHER_TYPE, "coupon").one_of(&words),
    ];
    let rest = || {
        [
            optional(&VOUCHER_COUNT).such_as("2"),
            optional(&CURRENCY).one_of(&Currency::ALL.map(Currency::code)),
            required(&VOUCHER_EXPIRY, "31-12-2028 23:59:59"),
            optional(&VOUCHER_SERVICES),
            optional(&VOUCHER_MINIMUM).such_as("100.00"),
            optional(&VOUCHER_MAXIMUM).such_as("50,000.00"),
            optional(&VOUCHER_PREFIX).such_as("SALE"),
            optional(&VOUCHER_USES),
        ]
    };
    Operation::post("/voucher/create", "makeVouchers", "Make codes")
        .detailed(
            "What `voucher` and `giftcard` hold, `vchCount` times `vchAmount`, is taken from the \
             balance in the same step, and refused with 807 where the balance does not cover it; \
             then nothing is made. A `voucher` is redeemed at once, a `giftcard` in parts, a \
             `coupon` `vchUses` times each, a `promo` is one code that is used `vchUses` times. \
             `vchAmount` or `vchPercent`: a share goes with `coupon` and `promo` alone. \
             `vchServices`, `vchMinimum` and `vchMaximum` are the rules that a redemption has to \
             keep to. The codes are shown in this answer, and where the request is repeated as it \
             was within 24 hours; later `vchCode` is null. The gateway keeps hashes of them. A \
             code is valid for five years at most.",
        )
        .takes_as(
            "amount",
            begun
                .into_iter()
                .chain([required(&VOUCHER_AMOUNT, "500.00")])
                .chain(rest()),
        )
        .takes_as(
            "percent",
            of_percent
                .into_iter()
                .chain([required(&VOUCHER_PERCENT, "12.5")])
                .chain(rest()),
        )
        .answers("Vouchers", made())
        .refused(&[422])
}

fn look_up() -> Operation {
    let words: Vec<_> = Service::all().map(Service::code).collect();
    Operation::get("/voucher/lookup", "lookUpVoucher", "Look a code up")
        .detailed(
            "With `amount` the answer says what the code would take off now: 0.00 where it cannot \
             be redeemed for that, or not for payments of `service`. A mistyped code is 400 before \
             anything is looked for. Requests count against the limit of lookups.",
        )
        .takes([
            required(&VOUCHER_CODE, CODE),
            optional(&AMOUNT).such_as("200.00"),
            optional(&SERVICE).one_of(&words),
        ])
        .answers("Voucher", looked_up())
        .refused(&[404])
}

fn redeem_code() -> Operation {
    Operation::post("/voucher/redeem", "redeemVoucher", "Redeem a code")
        .detailed(
            "Once for each `mrcReference`: the same request again is answered the same, another \
             under the reference 422. What a code holds goes to the balance, so that the payment \
             that it lowers costs you less; what a `voucher` holds beyond `vchDiscount` goes there \
             too, as `vchReturned`. `mrcTarget` is the payment that is lowered: a transaction of \
             yours that has not failed, of a service and a price that the rules allow, whose price \
             is `amount` or more. A payment is lowered by one code. A code with `vchServices` is \
             redeemed with `mrcTarget` alone. A code that is redeemed, void or has expired is 409.",
        )
        .takes([
            required(&REFERENCE, "redeem-2026-0001"),
            required(&VOUCHER_CODE, CODE),
            required(&AMOUNT, "200.00"),
            optional(&TARGET),
        ])
        .answers("Redemption", redeemed())
        .refused(&[404, 409, 422])
}

fn roll_back() -> Operation {
    Operation::post(
        "/voucher/rollback",
        "rollVoucherBack",
        "Roll a redemption back",
    )
    .detailed(
        "Once for each redemption. The code gets back what it had, also where it has expired \
         since, and its money is taken from the balance: 807 where the balance does not cover it. \
         The redemption of a void code is 409.",
    )
    .takes([
        required(&REFERENCE, "rollback-2026-0001"),
        required(&ORIGINAL, "redeem-2026-0001"),
        required(&REASON, "The customer sent it back"),
    ])
    .answers("VoucherRollback", rolled_back())
    .refused(&[404, 409, 422])
}

fn void_code() -> Operation {
    Operation::post("/voucher/void", "voidVoucher", "End a code")
        .detailed(
            "For good; what the code holds goes back to the balance, also where it has expired. A \
             code that is void already is answered as it is. `version` is the one that you have \
             seen; where the code has another by now, nothing is done and the answer is 409.",
        )
        .takes([
            required(&VOUCHER, ID),
            required(&REASON, "The card was lost"),
            optional(&VERSION),
        ])
        .answers("VoidedVoucher", voided())
        .refused(&[404, 409])
}

fn batch(kind: VoucherKind) -> VoucherBatch {
    let begun = if kind.holds_money() {
        gift_cards("shop", NUMBER, "vouchers-2026-0001")
    } else {
        coupons("shop", NUMBER, "vouchers-2026-0001")
    };
    let mut batch = begun;
    batch.prefix = VoucherPrefix::parse("SALE").ok();
    batch.terms.kind = kind;
    batch.terms.uses = match kind {
        VoucherKind::Voucher => Some(1),
        VoucherKind::GiftCard => None,
        VoucherKind::Coupon | VoucherKind::Promo => Some(2),
    };
    batch.count = batch.count.min(VoucherBatch::count_max(kind));
    batch
}

fn made() -> Vec<Sample> {
    let message = "The codes are made; keep them, they are shown for a day only.";
    let shown = |name, batch: &VoucherBatch, is_shown: bool| {
        let codes = (1..=2).map(|byte| VoucherCode::mint(batch.prefix.as_ref(), [byte; 19]));
        let codes: Vec<_> = codes.filter(|_| is_shown).collect();
        sample(name, message, create::view(batch, &codes, &lagos()))
    };
    let of = |name, kind| shown(name, &batch(kind), true);
    vec![
        of("giftcard", VoucherKind::GiftCard),
        of("coupon", VoucherKind::Coupon),
        of("voucher", VoucherKind::Voucher).unseen(),
        of("promo", VoucherKind::Promo).unseen(),
        shown("later", &batch(VoucherKind::GiftCard), false),
    ]
}

fn looked_up() -> Vec<Sample> {
    let now = (START, &lagos());
    let card = Voucher::of(&batch(VoucherKind::GiftCard), 1);
    let mut narrow = batch(VoucherKind::Promo);
    narrow.terms.rules = VoucherRules {
        services: vec![Service::Airtime],
        minimum: Some(kobo(10_000)),
        maximum: Some(kobo(5_000_000)),
    };
    let promo = Voucher::of(&narrow, 1);
    let void = card.voided(None, START).expect("a void code");
    let used = card.redeemed(kobo(50_000), START).expect("a used code");
    let shown =
        |name, voucher: &Voucher, off| sample(name, "The code.", lookup::view(voucher, off, now));
    let ended = lookup::view(&card, None, (card.terms.expires_at, now.1));
    let voucher = Voucher::of(&batch(VoucherKind::Voucher), 1);
    let coupon = Voucher::of(&batch(VoucherKind::Coupon), 1);
    vec![
        shown("giftcard", &card, Some(kobo(20_000))),
        shown("promo", &promo, None),
        shown("void", &void, None),
        shown("redeemed", &used.voucher, None).unseen(),
        sample("expired", "The code.", ended).unseen(),
        shown("voucher", &voucher, None).unseen(),
        shown("coupon", &coupon, None).unseen(),
    ]
}

/// The sample code, so that all answers name the same.
fn id() -> VoucherId {
    VoucherId {
        batch: TransactionNumber::try_new(NUMBER).expect("a number"),
        position: 1,
    }
}

fn redemption() -> VoucherRedemption {
    VoucherRedemption {
        voucher: id(),
        ..voucher_redemption("shop", "redeem-2026-0001")
    }
}

fn redeemed() -> Vec<Sample> {
    let message = "The code is redeemed.";
    let shown = |made: &VoucherRedemption, kind, target| {
        let voucher = Voucher::of(&batch(kind), 1);
        redeem::view((made, &voucher), target, &lagos())
    };
    let target = reference("airtime-1001");
    let in_part = shown(&redemption(), VoucherKind::GiftCard, Some(&target));
    let mut once = redemption();
    once.returned = kobo(30_000);
    once.left = VoucherLeft {
        balance: kobo(0),
        uses: Some(0),
    };
    let once = shown(&once, VoucherKind::Voucher, None);
    vec![
        sample("giftcard", message, in_part),
        sample("voucher", message, once),
    ]
}

fn rolled_back() -> Vec<Sample> {
    let message = "The redemption is rolled back.";
    let shown = |kind, left, moment| {
        let rollback = VoucherRollback {
            reference: reference("rollback-2026-0001"),
            reason: "The customer sent it back".to_owned(),
            left,
            at: moment,
        };
        let voucher = Voucher::of(&batch(kind), 1);
        rollback::view((&redemption(), &rollback), &voucher, &lagos())
    };
    let card = batch(VoucherKind::GiftCard).terms;
    let coupon = batch(VoucherKind::Coupon).terms;
    let back = shown(VoucherKind::GiftCard, card.whole(), at(60));
    let counted = shown(VoucherKind::Coupon, coupon.whole(), coupon.expires_at);
    vec![
        sample("giftcard", message, back),
        sample("expired", message, counted).unseen(),
    ]
}

fn voided() -> Vec<Sample> {
    let card = Voucher::of(&batch(VoucherKind::GiftCard), 1);
    let ended = card.voided(None, START).expect("a void code");
    vec![sample(
        "void",
        "The code is void.",
        void::view(&ended, START),
    )]
}
