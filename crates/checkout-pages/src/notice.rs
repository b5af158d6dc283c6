//! Pages in place of an order: it is not there, the gateway cannot show it, or it was loaded too
//! often. They must not name a merchant or an order.

use maud::html;

use crate::PageSetting;
use crate::icon::{Tone, icon};
use crate::layout::{PageFrame, layout};

/// The page of a 404: there is no order at this address.
pub fn not_found(setting: &PageSetting<'_>) -> String {
    let texts = setting.texts;
    notice(setting, texts.not_found, texts.not_found_note)
}

/// The page of a 503: the order cannot be read right now.
pub fn unavailable(setting: &PageSetting<'_>) -> String {
    let texts = setting.texts;
    notice(setting, texts.unavailable, texts.unavailable_note)
}

/// The page of a 429: pages were loaded too often.
pub fn too_many_requests(setting: &PageSetting<'_>) -> String {
    let texts = setting.texts;
    notice(
        setting,
        texts.too_many_requests,
        texts.too_many_requests_note,
    )
}

fn notice(setting: &PageSetting<'_>, heading: &str, note: &str) -> String {
    let frame = PageFrame {
        title: heading.to_owned(),
        banner: None,
        header: None,
        main: html! {
            div.notice.(Tone::Ended.class()) {
                (icon(Tone::Attention))
                h1 { (heading) }
                p role="status" { (note) }
            }
        },
    };
    layout(setting, &frame).into_string()
}
