//! WhatsApp messages.

use super::orders::{countries, phones, sums, words};
use crate::builders::serial;
use domain::sms::SenderName;
use domain::time::Timestamp;
use domain::whatsapp::{
    MediaUrl, ParameterText, TemplateLanguage, TemplateName, TemplateUse, WhatsappContent,
    WhatsappDelivery, WhatsappOrder, WhatsappStatus, WhatsappText,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A WhatsApp message of any kind.
pub fn whatsapp_orders() -> impl Strategy<Value = WhatsappOrder> {
    let text = "\\PC{1,60}".prop_filter_map("a text", |text| {
        WhatsappText::parse(&text, WhatsappText::CAPTION_MAX).ok()
    });
    let value = "[A-Za-z0-9][A-Za-z0-9 .,€]{0,20}[a-z]";
    let value = value.prop_map(|it| ParameterText::parse(&it).expect("a value"));
    let template = (
        "[a-z0-9_]{1,40}",
        "[a-z]{2,3}(_[A-Z]{2})?",
        vec(value, 0..4),
    );
    let template = template.prop_map(|(name, language, parameters)| TemplateUse {
        name: TemplateName::parse(&name).expect("a name"),
        language: TemplateLanguage::parse(&language).expect("a language"),
        parameters,
    });
    let url = "https://[a-z]{1,20}\\.example/[a-zA-Z0-9/_-]{0,40}";
    let url = url.prop_map(|url| MediaUrl::parse(&url).expect("an address"));
    let caption = proptest::option::of(text.clone());
    let content = prop_oneof![
        text.prop_map(WhatsappContent::Text),
        template.prop_map(WhatsappContent::Template),
        (url, caption).prop_map(|(url, caption)| WhatsappContent::Media { url, caption }),
    ];
    let sender = ("[1-9][0-9]{11}", "[A-Za-z][A-Za-z0-9]{2,10}");
    let addressed = (phones(), countries(), words());
    (addressed, sender, content, sums()).prop_map(
        |((number, country, network), (sender, name), content, amount)| WhatsappOrder {
            number,
            country,
            network,
            sender: serial(&sender),
            sender_name: SenderName::parse(&name).expect("a sender name"),
            content,
            amount,
        },
    )
}

/// What becomes of one.
pub fn whatsapp_deliveries() -> impl Strategy<Value = WhatsappDelivery> {
    let status = proptest::sample::select(&WhatsappStatus::ALL[..]);
    (status, 0..4_000_000_000_000_i64).prop_map(|(status, at)| WhatsappDelivery {
        status,
        read_at: (status == WhatsappStatus::Read).then(|| Timestamp::from_millis(at)),
    })
}
