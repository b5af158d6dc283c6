//! WhatsApp messages.

use super::messaging::{delivery_report, message_parties};
use super::naira;
use super::purchase::PurchaseBuilder;
use domain::messaging::{MessageDelivery, MessageLine, MessageText, MessageUrl};
use domain::order::Order;
use domain::provider::Fulfilment;
use domain::transaction::{Observation, Transaction};
use domain::whatsapp::{
    TemplateLanguage, TemplateName, TemplateUse, WhatsappContent, WhatsappOrder,
};

/// A WhatsApp message from a template, for 9.00 without commission or fee, ordered like
/// [`super::airtime`].
pub fn whatsapp() -> PurchaseBuilder {
    whatsapp_saying(WhatsappContent::Template(TemplateUse {
        name: TemplateName::parse("order_shipped").expect("a name"),
        language: TemplateLanguage::parse("en").expect("a language"),
        parameters: ["Ada", "1042"]
            .map(|it| MessageLine::parse(it, WhatsappContent::PARAMETER_MAX).expect("a value"))
            .to_vec(),
    }))
}

/// The same with another content.
pub fn whatsapp_saying(content: WhatsappContent) -> PurchaseBuilder {
    let order = WhatsappOrder {
        parties: message_parties(),
        content,
        amount: naira("9.00"),
    };
    PurchaseBuilder::of_product(Order::Whatsapp(order)).terms("0", "10", "0.00")
}

/// A text to a person who wrote lately.
pub fn whatsapp_text() -> PurchaseBuilder {
    let text = MessageText::parse("Your code is 4711.", WhatsappContent::TEXT_MAX);
    whatsapp_saying(WhatsappContent::Text(text.expect("a text")))
}

/// A file with its caption.
pub fn whatsapp_media() -> PurchaseBuilder {
    let caption = MessageText::parse("Your receipt.", WhatsappContent::CAPTION_MAX);
    whatsapp_saying(WhatsappContent::Media {
        url: MessageUrl::parse("https://shop.example/receipts/1042.pdf").expect("an address"),
        caption: Some(caption.expect("a caption")),
    })
}

/// An unasked report of what became of one.
pub fn whatsapp_status(tx: &Transaction, delivery: MessageDelivery) -> Observation {
    delivery_report(tx, Fulfilment::Whatsapp(delivery))
}
