//! The drawings beside a state. They must mean nothing that the words do not say: screen readers
//! skip them.

use maud::{Markup, html};

/// What a state looks like: its drawing and its colour.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tone {
    Waiting,
    Done,
    Attention,
    Ended,
}

impl Tone {
    /// The class of the style sheet.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Attention => "attention",
            Self::Ended => "ended",
        }
    }

    const fn path(self) -> &'static str {
        match self {
            Self::Waiting => "M12 7v5l3.5 2",
            Self::Done => "M7.5 12.5l3 3 6-6.5",
            Self::Attention => "M12 7v6M12 16.6v.1",
            Self::Ended => "M8 12h8",
        }
    }
}

/// The drawing of a state.
pub(crate) fn icon(tone: Tone) -> Markup {
    html! {
        svg.icon viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false" {
            circle cx="12" cy="12" r="10" {}
            path d=(tone.path()) {}
        }
    }
}
