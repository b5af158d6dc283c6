//! The record of a WhatsApp message.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, country, valid};
use domain::phone::PhoneNumber;
use domain::sms::{SenderName, SenderSerial};
use domain::whatsapp::{
    MediaUrl, ParameterText, TEMPLATE_PARAMETERS_MAX, TemplateLanguage, TemplateName, TemplateUse,
    WhatsappContent, WhatsappOrder, WhatsappText,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct WhatsappRecord<'a> {
    #[serde(borrow)]
    number: Text<'a>,
    country: u16,
    #[serde(borrow)]
    network: Text<'a>,
    #[serde(borrow)]
    sender: Text<'a>,
    #[serde(borrow)]
    sender_name: Text<'a>,
    #[serde(borrow)]
    content: ContentRecord<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ContentRecord<'a> {
    #[serde(borrow)]
    Text(Text<'a>),
    Template {
        #[serde(borrow)]
        name: Text<'a>,
        #[serde(borrow)]
        language: Text<'a>,
        #[serde(borrow)]
        parameters: Vec<Text<'a>>,
    },
    Media {
        #[serde(borrow)]
        url: Text<'a>,
        #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
        caption: Option<Text<'a>>,
    },
}

impl<'a> From<&'a WhatsappOrder> for WhatsappRecord<'a> {
    fn from(order: &'a WhatsappOrder) -> Self {
        Self {
            number: order.number.digits().into(),
            country: order.country.get(),
            network: (&order.network).into(),
            sender: order.sender.as_str().into(),
            sender_name: order.sender_name.as_str().into(),
            content: (&order.content).into(),
            amount: order.amount.into(),
        }
    }
}

impl WhatsappRecord<'_> {
    pub(super) fn restore(self) -> Result<WhatsappOrder, RecordError> {
        Ok(WhatsappOrder {
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            country: country(self.country)?,
            network: self.network.into_owned(),
            sender: valid(SenderSerial::parse(&self.sender), "sender")?,
            sender_name: valid(SenderName::recorded(&self.sender_name), "sender_name")?,
            content: self.content.restore()?,
            amount: self.amount.restore("amount")?,
        })
    }
}

impl<'a> From<&'a WhatsappContent> for ContentRecord<'a> {
    fn from(content: &'a WhatsappContent) -> Self {
        match content {
            WhatsappContent::Text(text) => Self::Text(text.as_str().into()),
            WhatsappContent::Template(template) => Self::Template {
                name: template.name.as_str().into(),
                language: template.language.as_str().into(),
                parameters: template
                    .parameters
                    .iter()
                    .map(|it| it.as_str().into())
                    .collect(),
            },
            WhatsappContent::Media { url, caption } => Self::Media {
                url: url.as_str().into(),
                caption: caption.as_ref().map(|it| it.as_str().into()),
            },
        }
    }
}

impl ContentRecord<'_> {
    fn restore(self) -> Result<WhatsappContent, RecordError> {
        let text = |stored: &str, max| valid(WhatsappText::parse(stored, max), "text");
        Ok(match self {
            Self::Text(stored) => WhatsappContent::Text(text(&stored, WhatsappText::TEXT_MAX)?),
            Self::Template {
                name,
                language,
                parameters,
            } => {
                if parameters.len() > TEMPLATE_PARAMETERS_MAX {
                    return Err(RecordError::Value("parameters"));
                }
                let read = |stored: &Text<'_>| valid(ParameterText::parse(stored), "parameters");
                WhatsappContent::Template(TemplateUse {
                    name: valid(TemplateName::parse(&name), "name")?,
                    language: valid(TemplateLanguage::parse(&language), "language")?,
                    parameters: parameters.iter().map(read).collect::<Result<_, _>>()?,
                })
            }
            Self::Media { url, caption } => WhatsappContent::Media {
                url: valid(MediaUrl::parse(&url), "url")?,
                caption: caption
                    .map(|stored| text(&stored, WhatsappText::CAPTION_MAX))
                    .transpose()?,
            },
        })
    }
}
