//! WhatsApp messages.

use super::messaging::{message_lines, message_parties, message_texts, message_urls};
use super::orders::sums;
use domain::whatsapp::{
    TemplateLanguage, TemplateName, TemplateUse, WhatsappContent, WhatsappOrder,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A WhatsApp message of any kind.
pub fn whatsapp_orders() -> impl Strategy<Value = WhatsappOrder> {
    let template = (
        "[a-z0-9_]{1,40}",
        "[a-z]{2,3}(_[A-Z]{2})?",
        vec(message_lines(), 0..4),
    );
    let template = template.prop_map(|(name, language, parameters)| TemplateUse {
        name: TemplateName::parse(&name).expect("a name"),
        language: TemplateLanguage::parse(&language).expect("a language"),
        parameters,
    });
    let caption = proptest::option::of(message_texts());
    let content = prop_oneof![
        message_texts().prop_map(WhatsappContent::Text),
        template.prop_map(WhatsappContent::Template),
        (message_urls(), caption)
            .prop_map(|(url, caption)| WhatsappContent::Media { url, caption }),
    ];
    (message_parties(), content, sums())
        .prop_map(|(parties, content, amount)| WhatsappOrder {
            parties,
            content,
            amount,
        })
        .boxed()
}
