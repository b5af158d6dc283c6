//! WhatsApp messages: what one may say and what becomes of it. It must never send or price.

mod content;
mod delivery;
mod message;

pub use content::{
    InvalidMediaUrl, InvalidTemplateReference, MediaUrl, ParameterText, TEMPLATE_PARAMETERS_MAX,
    TemplateLanguage, TemplateName, TemplateUse, WhatsappContent, WhatsappText,
};
pub use delivery::{WhatsappDelivery, WhatsappStatus};
pub use message::{WhatsappMessage, WhatsappOrder};
