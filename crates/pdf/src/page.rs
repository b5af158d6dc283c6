//! Rows on pages. A row must never go beyond the margins.

use crate::encoding::{encoded, lines, width};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

/// A4, in points.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;
const MARGIN: f32 = 56.0;

/// Where the texts beside labels begin.
const TEXTS: f32 = 200.0;

const RIGHT: f32 = WIDTH - MARGIN;
const TITLE: f32 = 18.0;
const HEADING: f32 = 12.0;
const BODY: f32 = 10.0;

/// The height of a row, in parts of its size.
const LEADING: f32 = 1.6;

const REGULAR: Name<'static> = Name(b"R");
const BOLD: Name<'static> = Name(b"B");

/// The pages as far as they are written.
pub(crate) struct Pages {
    done: Vec<Content>,
    page: Content,
    /// The baseline of the row that was written last.
    y: f32,
}

impl Pages {
    pub(crate) fn new() -> Self {
        Self {
            done: Vec::new(),
            page: Content::new(),
            y: HEIGHT - MARGIN,
        }
    }

    pub(crate) fn title(&mut self, text: &str) {
        self.paragraph((BOLD, TITLE), MARGIN, text);
    }

    pub(crate) fn heading(&mut self, text: &str) {
        // Some room above it.
        self.y -= HEADING;
        self.paragraph((BOLD, HEADING), MARGIN, text);
    }

    pub(crate) fn line(&mut self, label: &str, text: &str) {
        let labels = lines(&encoded(label), BODY, TEXTS - MARGIN - BODY);
        let texts = lines(&encoded(text), BODY, RIGHT - TEXTS);
        for place in 0..labels.len().max(texts.len()) {
            self.next(BODY);
            if let Some(label) = labels.get(place) {
                self.show((REGULAR, BODY), MARGIN, label);
            }
            if let Some(text) = texts.get(place) {
                self.show((REGULAR, BODY), TEXTS, text);
            }
        }
    }

    pub(crate) fn amount(&mut self, label: &str, amount: &str) {
        self.row(REGULAR, label, amount);
    }

    pub(crate) fn total(&mut self, label: &str, amount: &str) {
        self.next(BODY / 2.0);
        self.page
            .move_to(MARGIN, self.y)
            .line_to(RIGHT, self.y)
            .stroke();
        self.row(BOLD, label, amount);
    }

    pub(crate) fn note(&mut self, text: &str) {
        self.paragraph((REGULAR, BODY), MARGIN, text);
    }

    fn row(&mut self, font: Name<'_>, label: &str, amount: &str) {
        let amount = encoded(amount);
        // Figures are as wide in both fonts.
        let starts = (RIGHT - width(&amount, BODY)).max(MARGIN);
        for line in lines(&encoded(label), BODY, (starts - MARGIN - BODY).max(BODY)) {
            self.next(BODY);
            self.show((font, BODY), MARGIN, &line);
        }
        self.show((font, BODY), starts, &amount);
    }

    fn paragraph(&mut self, (font, size): (Name<'_>, f32), x: f32, text: &str) {
        for line in lines(&encoded(text), size, RIGHT - x) {
            self.next(size);
            self.show((font, size), x, &line);
        }
    }

    /// Goes to the next row, on another page where there is no room.
    fn next(&mut self, size: f32) {
        self.y -= size * LEADING;
        if self.y < MARGIN {
            let page = std::mem::replace(&mut self.page, Content::new());
            self.done.push(page);
            self.y = HEIGHT - MARGIN - size * LEADING;
        }
    }

    fn show(&mut self, (font, size): (Name<'_>, f32), x: f32, text: &[u8]) {
        self.page.begin_text();
        self.page.set_font(font, size);
        self.page.next_line(x, self.y);
        self.page.show(Str(text));
        self.page.end_text();
    }

    pub(crate) fn finish(mut self, title: &str) -> Vec<u8> {
        self.done.push(self.page);
        let mut numbers = (1..).map(Ref::new);
        let mut next = || numbers.next().unwrap_or(Ref::new(1));
        let [catalog, tree, info, regular, bold] = std::array::from_fn(|_| next());
        let pages: Vec<_> = self
            .done
            .into_iter()
            .map(|it| (next(), next(), it))
            .collect();
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(tree);
        pdf.document_info(info).title(TextStr(title));
        let count = i32::try_from(pages.len()).unwrap_or(i32::MAX);
        pdf.pages(tree)
            .kids(pages.iter().map(|(page, ..)| *page))
            .count(count);
        for (id, font) in [(regular, &b"Helvetica"[..]), (bold, b"Helvetica-Bold")] {
            let mut written = pdf.type1_font(id);
            written.base_font(Name(font));
            written.encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        for (id, content, shown) in pages {
            let mut page = pdf.page(id);
            page.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT));
            page.parent(tree).contents(content);
            let mut resources = page.resources();
            resources.fonts().pair(REGULAR, regular).pair(BOLD, bold);
            resources.finish();
            page.finish();
            pdf.stream(content, &shown.finish());
        }
        pdf.finish()
    }
}
