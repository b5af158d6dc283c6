//! One purchase of each family, and of each family in every way it can be bought.

use crate::builders::{
    PurchaseBuilder, airtime, bill, bill_category, bill_plan, cabletv, cabletv_topup,
    card_transfer, company_lookup, electricity, flow_call, hlr, international, internet,
    mobile_money, paid_lookup, payout, rcs, rcs_carousel, rcs_file, rcs_text, sms, voice_audio,
    voice_call, whatsapp, whatsapp_media, whatsapp_text,
};
use domain::bill::BillCategory;
use domain::paid_lookup::LookupCategory;

/// All of them.
pub(super) fn families() -> Vec<PurchaseBuilder> {
    let mut all = vec![
        airtime(),
        cabletv(),
        cabletv_topup(),
        electricity(),
        electricity().postpaid(),
        internet(),
        sms(),
        sms().saying(&"Ẹ káàbọ̀! ".repeat(10)).in_credits(),
        whatsapp(),
        whatsapp_text(),
        whatsapp_media(),
        rcs(),
        rcs_text(),
        rcs_carousel(),
        rcs_file(),
        voice_call(),
        voice_audio(),
        flow_call(),
        payout(),
        mobile_money(),
        card_transfer(),
        international(),
        hlr(),
        hlr().in_credits(),
        company_lookup(),
    ];
    all.extend(BillCategory::all().map(bill));
    all.extend(LookupCategory::all().map(paid_lookup));
    all.push(bill_plan(bill_category("landline")));
    all
}
