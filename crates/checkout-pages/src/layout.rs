//! The frame that every page has: head, banner of test pages, landmarks. It must not load anything
//! but the style sheet.

use maud::{DOCTYPE, Markup, html};

use crate::PageSetting;

/// What goes into the frame.
#[derive(Debug)]
pub(crate) struct PageFrame {
    /// The title, as plain text.
    pub(crate) title: String,
    /// Above everything, on test pages.
    pub(crate) banner: Option<Markup>,
    /// The top of the page, where there is a merchant to name.
    pub(crate) header: Option<Markup>,
    /// The page itself, with its one `h1`.
    pub(crate) main: Markup,
}

pub(crate) fn layout(setting: &PageSetting<'_>, frame: &PageFrame) -> Markup {
    let texts = setting.texts;
    html! {
        (DOCTYPE)
        html lang=(texts.language) dir=(texts.direction) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                meta name="referrer" content="no-referrer";
                // A browser that takes an account number for a telephone number makes it a link.
                meta name="format-detection" content="telephone=no";
                title { (frame.title) }
                link rel="stylesheet" href=(setting.stylesheet_path);
            }
            body {
                @if frame.banner.is_some() || frame.header.is_some() {
                    header {
                        @if let Some(banner) = &frame.banner { (banner) }
                        @if let Some(header) = &frame.header { (header) }
                    }
                }
                main { (frame.main) }
                footer { p { (texts.safety) } }
            }
        }
    }
}
