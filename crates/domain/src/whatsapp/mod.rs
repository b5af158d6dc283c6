//! WhatsApp messages: what one may say. It must never send or price.

mod content;
mod message;

pub use content::{
    InvalidTemplateReference, TEMPLATE_PARAMETERS_MAX, TemplateLanguage, TemplateName, TemplateUse,
    WhatsappContent,
};
pub use message::{WhatsappMessage, WhatsappOrder};
