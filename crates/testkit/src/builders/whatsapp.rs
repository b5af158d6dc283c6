//! WhatsApp messages.

use super::naira;
use super::products::{phone, serial};
use super::purchase::PurchaseBuilder;
use domain::country::CountryCode;
use domain::order::Order;
use domain::sms::SenderName;
use domain::whatsapp::{
    MediaUrl, ParameterText, TemplateLanguage, TemplateName, TemplateUse, WhatsappContent,
    WhatsappOrder, WhatsappText,
};

/// A WhatsApp message from a template, for 9.00 without commission or fee, ordered like
/// [`super::airtime`].
pub fn whatsapp() -> PurchaseBuilder {
    whatsapp_saying(WhatsappContent::Template(TemplateUse {
        name: TemplateName::parse("order_shipped").expect("a name"),
        language: TemplateLanguage::parse("en").expect("a language"),
        parameters: ["Ada", "1042"]
            .map(|it| ParameterText::parse(it).expect("a value"))
            .to_vec(),
    }))
}

/// The same with another content.
pub fn whatsapp_saying(content: WhatsappContent) -> PurchaseBuilder {
    let order = WhatsappOrder {
        number: phone("2348031234567"),
        country: CountryCode::NIGERIA,
        network: "MTN".into(),
        sender: serial("100000000001"),
        sender_name: SenderName::parse("CornerShop").expect("a sender name"),
        content,
        amount: naira("9.00"),
    };
    PurchaseBuilder::of_product(Order::Whatsapp(order)).terms("0", "10", "0.00")
}

/// A text to a person who wrote lately.
pub fn whatsapp_text() -> PurchaseBuilder {
    let text = WhatsappText::parse("Your code is 4711.", WhatsappText::TEXT_MAX);
    whatsapp_saying(WhatsappContent::Text(text.expect("a text")))
}

/// A file with its caption.
pub fn whatsapp_media() -> PurchaseBuilder {
    let caption = WhatsappText::parse("Your receipt.", WhatsappText::CAPTION_MAX);
    whatsapp_saying(WhatsappContent::Media {
        url: MediaUrl::parse("https://shop.example/receipts/1042.pdf").expect("an address"),
        caption: Some(caption.expect("a caption")),
    })
}
