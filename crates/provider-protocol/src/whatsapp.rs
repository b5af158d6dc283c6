//! WhatsApp messages in the protocol. Which fields of an order there are follows from its kind.

use crate::document::{DocumentError, valid};
use crate::family::{FamilyDocuments, OrderContext};
use crate::moment::Moment;
use domain::country::CountryCode;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::sms::{SenderName, SenderSerial};
use domain::time::Timestamp;
use domain::whatsapp::{
    MediaUrl, ParameterText, TEMPLATE_PARAMETERS_MAX, TemplateLanguage, TemplateName, TemplateUse,
    WhatsappContent, WhatsappDelivery, WhatsappOrder, WhatsappStatus, WhatsappText,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WhatsappOrderDocument {
    number: String,
    country: String,
    operator_name: String,
    sender: String,
    sender_id: String,
    #[serde(flatten)]
    content: ContentDocument,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
enum ContentDocument {
    Text {
        content: String,
    },
    Template {
        template: TemplateDocument,
    },
    #[serde(rename_all = "camelCase")]
    Media {
        media_url: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<String>,
    },
}

#[derive(Serialize, Deserialize)]
struct TemplateDocument {
    name: String,
    language: String,
    parameters: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WhatsappDeliveryDocument {
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_at: Option<Moment>,
}

pub(crate) struct WhatsappDocuments;

impl FamilyDocuments for WhatsappDocuments {
    type Order = WhatsappOrder;
    type OrderDocument = WhatsappOrderDocument;
    type ReceiptDocument = WhatsappDeliveryDocument;

    fn order(order: &WhatsappOrder) -> WhatsappOrderDocument {
        WhatsappOrderDocument {
            number: order.number.digits().to_owned(),
            country: order.country.to_string(),
            operator_name: order.network.clone(),
            sender: order.sender_name.as_str().to_owned(),
            sender_id: order.sender.as_str().to_owned(),
            content: content_document(&order.content),
        }
    }

    fn read_order(
        document: WhatsappOrderDocument,
        ordered: OrderContext,
    ) -> Result<WhatsappOrder, DocumentError> {
        Ok(WhatsappOrder {
            number: valid(PhoneNumber::parse(&document.number), "order.number")?,
            country: valid(CountryCode::parse(&document.country), "order.country")?,
            network: document.operator_name,
            sender: valid(SenderSerial::parse(&document.sender_id), "order.senderId")?,
            sender_name: valid(SenderName::recorded(&document.sender), "order.sender")?,
            content: read_content(document.content)?,
            amount: ordered.amount,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<WhatsappDeliveryDocument> {
        let delivery = fulfilment.whatsapp()?;
        Some(WhatsappDeliveryDocument {
            status: delivery.status.code().to_owned(),
            read_at: delivery.read_at.map(Moment::from),
        })
    }

    fn read_receipt(
        document: Option<WhatsappDeliveryDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let Some(document) = document else {
            return Ok(None);
        };
        // A word that is not listed says no more than that the platform does not know.
        let status = WhatsappStatus::from_code(&document.status);
        let status = status.unwrap_or(WhatsappStatus::Unknown);
        let read_at = document.read_at.map(Timestamp::from);
        Ok(Some(Fulfilment::Whatsapp(WhatsappDelivery {
            status,
            read_at: read_at.filter(|_| status == WhatsappStatus::Read),
        })))
    }
}

fn content_document(content: &WhatsappContent) -> ContentDocument {
    match content {
        WhatsappContent::Text(text) => ContentDocument::Text {
            content: text.as_str().to_owned(),
        },
        WhatsappContent::Template(template) => {
            let parameters = template.parameters.iter();
            ContentDocument::Template {
                template: TemplateDocument {
                    name: template.name.as_str().to_owned(),
                    language: template.language.as_str().to_owned(),
                    parameters: parameters.map(|it| it.as_str().to_owned()).collect(),
                },
            }
        }
        WhatsappContent::Media { url, caption } => ContentDocument::Media {
            media_url: url.as_str().to_owned(),
            content: caption.as_ref().map(|it| it.as_str().to_owned()),
        },
    }
}

fn read_content(document: ContentDocument) -> Result<WhatsappContent, DocumentError> {
    let text = |text: &str, max| valid(WhatsappText::parse(text, max), "order.content");
    Ok(match document {
        ContentDocument::Text { content } => {
            WhatsappContent::Text(text(&content, WhatsappText::TEXT_MAX)?)
        }
        ContentDocument::Template { template } => {
            let field = "order.template.parameters";
            if template.parameters.len() > TEMPLATE_PARAMETERS_MAX {
                let reason = format!("must be {TEMPLATE_PARAMETERS_MAX} at most");
                return Err(DocumentError::field(field, reason));
            }
            let parameters = template.parameters.iter();
            let parameters = parameters.map(|it| valid(ParameterText::parse(it), field));
            let language = TemplateLanguage::parse(&template.language);
            WhatsappContent::Template(TemplateUse {
                name: valid(TemplateName::parse(&template.name), "order.template.name")?,
                language: valid(language, "order.template.language")?,
                parameters: parameters.collect::<Result<_, _>>()?,
            })
        }
        ContentDocument::Media { media_url, content } => WhatsappContent::Media {
            url: valid(MediaUrl::parse(&media_url), "order.mediaUrl")?,
            caption: content
                .map(|caption| text(&caption, WhatsappText::CAPTION_MAX))
                .transpose()?,
        },
    })
}
