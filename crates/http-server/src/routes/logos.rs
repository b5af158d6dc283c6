//! `GET /logos/:name`: a generated logo for a brand without a published one. It must depend on the
//! name alone, unless the operator has supplied a logo of that name.

use crate::file::Picture;
use crate::reply::HttpReply;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue};
use std::collections::HashMap;
use std::sync::Arc;
use wire::logo::{FOLDER, is_name};

/// Logos change very rarely; a day after a change, every client has the new one.
const CACHED: &str = "public, max-age=86400";

/// A logo may be opened as a page of its own: it must run nothing and load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; \
     frame-ancestors 'none'";

/// The background colours: dark enough for white letters (WCAG 2.2, 4.5 to 1).
const COLOURS: [&str; 8] = [
    "#1f4e79", "#7a2e2e", "#2e5e3e", "#5b3a7a", "#6b4a16", "#234f5e", "#4a4a4a", "#7a2e5b",
];

/// The operator's logos, by the names of brands.
#[derive(Debug, Clone, Default)]
pub struct Logos(Arc<HashMap<String, Picture>>);

impl Logos {
    /// A set of logos.
    pub fn new(pictures: HashMap<String, Picture>) -> Self {
        Self(Arc::new(pictures))
    }

    fn answer(&self, name: &str) -> HttpReply {
        let picture = self.0.get(name).cloned().unwrap_or_else(|| Picture {
            content_type: "image/svg+xml",
            bytes: drawn(name).into(),
        });
        HttpReply::picture(picture)
            .with_header(CACHE_CONTROL, HeaderValue::from_static(CACHED))
            .with_header(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))
    }
}

/// Whether a logo may have this name: that of a brand in the address of its logo.
pub fn is_logo_name(name: &str) -> bool {
    !name.is_empty() && is_name(name)
}

/// The logo at a path, where there is one.
pub(super) fn answer(path: &str, logos: &Logos) -> Option<HttpReply> {
    let name = path.strip_prefix(FOLDER)?;
    is_logo_name(name).then(|| logos.answer(name))
}

/// Whether a logo is at a path.
pub(super) fn is_at(path: &str) -> bool {
    path.strip_prefix(FOLDER).is_some_and(is_logo_name)
}

/// The initials of the first two words of a name, in white.
fn drawn(name: &str) -> String {
    let words = name.split('-').filter(|word| !word.is_empty());
    let initials: String = words
        .take(2)
        .filter_map(|word| word.chars().next())
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    let sum: usize = name.bytes().map(usize::from).sum();
    let colour = COLOURS
        .get(sum % COLOURS.len())
        .copied()
        .unwrap_or_default();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 96 96\" width=\"96\" \
         height=\"96\" role=\"img\" aria-label=\"{initials}\"><rect width=\"96\" height=\"96\" \
         rx=\"16\" fill=\"{colour}\"/><text x=\"48\" y=\"50\" fill=\"#ffffff\" font-size=\"40\" \
         font-family=\"sans-serif\" text-anchor=\"middle\" \
         dominant-baseline=\"middle\">{initials}</text></svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streamed_file::ReplyBody;
    use crate::testing::{RouteTestWorld, bare};
    use bytes::Bytes;
    use http::{Request, Response};
    use http_body_util::BodyExt;

    async fn served(path: &str) -> Response<ReplyBody> {
        let world = RouteTestWorld::new().await;
        let asked = Request::builder().uri(path).header("Host", "localhost");
        let asked = bare(asked.header("Accept", "image/*"));
        world.answer(asked).await
    }

    #[tokio::test]
    async fn everyone_is_served_a_drawing_that_can_run_nothing() {
        let served = served("/logos/ikeja-electric").await;
        assert_eq!(served.status(), 200);
        assert_eq!(served.headers()["content-type"], "image/svg+xml");
        assert_eq!(served.headers()["content-security-policy"], POLICY);
        assert_eq!(served.headers()["x-content-type-options"], "nosniff");
        let bytes = served.into_body().collect().await.unwrap().to_bytes();
        let text = std::str::from_utf8(&bytes).unwrap();
        assert!(
            text.starts_with("<svg ") && text.contains(">IE</text>"),
            "{text}"
        );
    }

    #[tokio::test]
    async fn what_is_no_name_is_no_logo() {
        for path in [
            "/logos/",
            "/logos/A",
            "/logos/a.svg",
            "/logos/a/b",
            "/logos/%2e%2e",
        ] {
            assert_eq!(served(path).await.status(), 401, "{path}");
        }
    }

    #[test]
    fn the_picture_of_the_operator_comes_first() {
        let picture = Picture {
            content_type: "image/png",
            bytes: Bytes::from_static(b"png"),
        };
        let logos = Logos::new([("gotv".to_owned(), picture)].into());
        let shown = |name: &str| format!("{:?}", logos.answer(name));
        assert!(shown("gotv").contains("image/png"));
        assert!(shown("dstv").contains("image/svg+xml"));
    }

    #[test]
    fn a_drawing_has_the_initials_of_two_words_at_most() {
        for (name, initials) in [("gotv", "G"), ("port-harcourt-electric", "PH"), ("", "")] {
            assert!(
                drawn(name).contains(&format!(">{initials}</text>")),
                "{name}"
            );
        }
    }
}
