//! The record of a WhatsApp message.

use super::messaging::PartiesRecord;
use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, valid};
use domain::messaging::{MessageLine, MessageText, MessageUrl};
use domain::whatsapp::{
    TEMPLATE_PARAMETERS_MAX, TemplateLanguage, TemplateName, TemplateUse, WhatsappContent,
    WhatsappOrder,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct WhatsappRecord<'a> {
    #[serde(borrow, flatten)]
    parties: PartiesRecord<'a>,
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
            parties: (&order.parties).into(),
            content: (&order.content).into(),
            amount: order.amount.into(),
        }
    }
}

impl WhatsappRecord<'_> {
    pub(super) fn restore(self) -> Result<WhatsappOrder, RecordError> {
        Ok(WhatsappOrder {
            parties: self.parties.restore()?,
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
        let text = |stored: &str, max| valid(MessageText::parse(stored, max), "text");
        Ok(match self {
            Self::Text(stored) => WhatsappContent::Text(text(&stored, WhatsappContent::TEXT_MAX)?),
            Self::Template {
                name,
                language,
                parameters,
            } => {
                if parameters.len() > TEMPLATE_PARAMETERS_MAX {
                    return Err(RecordError::Value("parameters"));
                }
                let read = |stored: &Text<'_>| {
                    let line = MessageLine::parse(stored, WhatsappContent::PARAMETER_MAX);
                    valid(line, "parameters")
                };
                WhatsappContent::Template(TemplateUse {
                    name: valid(TemplateName::parse(&name), "name")?,
                    language: valid(TemplateLanguage::parse(&language), "language")?,
                    parameters: parameters.iter().map(read).collect::<Result<_, _>>()?,
                })
            }
            Self::Media { url, caption } => WhatsappContent::Media {
                url: valid(MessageUrl::parse(&url), "url")?,
                caption: caption
                    .map(|stored| text(&stored, WhatsappContent::CAPTION_MAX))
                    .transpose()?,
            },
        })
    }
}
