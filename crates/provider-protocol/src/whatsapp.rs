//! WhatsApp messages in the protocol. Which fields of an order there are follows from its kind.

use crate::document::{DocumentError, valid};
use crate::family::{FamilyDocuments, OrderContext};
use crate::messaging::{MessageDeliveryDocument, PartiesDocument};
use domain::messaging::{MessageLine, MessageText, MessageUrl};
use domain::order::Service;
use domain::provider::Fulfilment;
use domain::whatsapp::{
    TEMPLATE_PARAMETERS_MAX, TemplateLanguage, TemplateName, TemplateUse, WhatsappContent,
    WhatsappOrder,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct WhatsappOrderDocument {
    #[serde(flatten)]
    parties: PartiesDocument,
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

pub(crate) struct WhatsappDocuments;

impl FamilyDocuments for WhatsappDocuments {
    type Order = WhatsappOrder;
    type OrderDocument = WhatsappOrderDocument;
    type ReceiptDocument = MessageDeliveryDocument;

    fn order(order: &WhatsappOrder) -> WhatsappOrderDocument {
        WhatsappOrderDocument {
            parties: (&order.parties).into(),
            content: content_document(&order.content),
        }
    }

    fn read_order(
        document: WhatsappOrderDocument,
        ordered: OrderContext,
    ) -> Result<WhatsappOrder, DocumentError> {
        Ok(WhatsappOrder {
            parties: document.parties.read()?,
            content: read_content(document.content)?,
            amount: ordered.amount,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<MessageDeliveryDocument> {
        fulfilment.whatsapp().map(Into::into)
    }

    fn read_receipt(
        document: Option<MessageDeliveryDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        Ok(document.map(|it| Fulfilment::Whatsapp(it.into())))
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
    let text = |text: &str, max| valid(MessageText::parse(text, max), "order.content");
    Ok(match document {
        ContentDocument::Text { content } => {
            WhatsappContent::Text(text(&content, WhatsappContent::TEXT_MAX)?)
        }
        ContentDocument::Template { template } => {
            let field = "order.template.parameters";
            if template.parameters.len() > TEMPLATE_PARAMETERS_MAX {
                let reason = format!("must be {TEMPLATE_PARAMETERS_MAX} at most");
                return Err(DocumentError::field(field, reason));
            }
            let parameters = template.parameters.iter();
            let parameters = parameters.map(|it| {
                valid(
                    MessageLine::parse(it, WhatsappContent::PARAMETER_MAX),
                    field,
                )
            });
            let language = TemplateLanguage::parse(&template.language);
            WhatsappContent::Template(TemplateUse {
                name: valid(TemplateName::parse(&template.name), "order.template.name")?,
                language: valid(language, "order.template.language")?,
                parameters: parameters.collect::<Result<_, _>>()?,
            })
        }
        ContentDocument::Media { media_url, content } => WhatsappContent::Media {
            url: valid(MessageUrl::parse(&media_url), "order.mediaUrl")?,
            caption: content
                .map(|caption| text(&caption, WhatsappContent::CAPTION_MAX))
                .transpose()?,
        },
    })
}
