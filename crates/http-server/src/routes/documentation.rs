//! The documentation: the OpenAPI document and a page that shows it, both within the binary. It
//! must load nothing from anywhere else, and nothing in it may depend on the client.

use crate::file::{File, Packing};
use crate::reply::HttpReply;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderValue, LOCATION,
};
use wire::tree::Object;

/// The page may load what this server has, connect to this server, and nothing else. Its images are
/// within its style sheet.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// Long enough for one visit, short enough for a new binary to show soon.
const CACHED: &str = "public, max-age=300";

const DOCUMENT: File = File {
    content_type: "application/json",
    bytes: include_bytes!("../../../../docs/openapi.json"),
    packing: Packing::Plain,
};

const PAGE: File = File {
    content_type: "text/html; charset=utf-8",
    bytes: include_bytes!("../../assets/docs.html"),
    packing: Packing::Plain,
};

const SCRIPT: File = File {
    content_type: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../../assets/docs.js"),
    packing: Packing::Plain,
};

const STYLE: File = File {
    content_type: "text/css; charset=utf-8",
    bytes: include_bytes!("../../assets/docs.css"),
    packing: Packing::Plain,
};

const VIEWER_SCRIPT: File = File {
    content_type: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../../assets/scalar/standalone.js.gz"),
    packing: Packing::Gzip,
};

const VIEWER_STYLE: File = File {
    content_type: "text/css; charset=utf-8",
    bytes: include_bytes!("../../assets/scalar/style.css.gz"),
    packing: Packing::Gzip,
};

/// `GET /`: a browser that opens the bare address is sent to the documentation.
pub(super) fn root() -> HttpReply {
    let message = "The documentation is at /docs.";
    HttpReply::success(StatusCode::TEMPORARY_REDIRECT, message, Object::new())
        .with_header(LOCATION, HeaderValue::from_static("/docs"))
}

/// `GET /openapi.json`.
pub(super) fn document() -> HttpReply {
    serve(DOCUMENT)
}

/// `GET /docs`. Its addresses are relative, so that it works under a prefix too.
pub(super) fn page() -> HttpReply {
    let policy = HeaderValue::from_static(PAGE_POLICY);
    serve(PAGE).with_header(CONTENT_SECURITY_POLICY, policy)
}

/// `GET /docs/page.js`.
pub(super) fn script() -> HttpReply {
    serve(SCRIPT)
}

/// `GET /docs/page.css`.
pub(super) fn style() -> HttpReply {
    serve(STYLE)
}

/// `GET /docs/scalar.js`.
pub(super) fn viewer_script() -> HttpReply {
    serve(VIEWER_SCRIPT)
}

/// `GET /docs/scalar.css`.
pub(super) fn viewer_style() -> HttpReply {
    serve(VIEWER_STYLE)
}

pub(super) fn serve(file: File) -> HttpReply {
    let reply = HttpReply::file(file).with_header(CACHE_CONTROL, HeaderValue::from_static(CACHED));
    match file.packing {
        Packing::Plain => reply,
        Packing::Gzip => reply.with_header(CONTENT_ENCODING, HeaderValue::from_static("gzip")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::row::RouteKind;
    use crate::routes::table::endpoints;
    use crate::streamed_file::ReplyBody;
    use crate::testing::{RouteTestWorld, bare};
    use http::{Request, Response, request};

    fn anonymous(path: &str) -> request::Builder {
        Request::builder().uri(path).header("Host", "localhost")
    }

    async fn answer(world: &RouteTestWorld, request: request::Builder) -> Response<ReplyBody> {
        world.answer(bare(request)).await
    }

    #[tokio::test]
    async fn everything_the_page_loads_is_served_to_anyone_as_what_it_is() {
        let world = RouteTestWorld::new().await;
        let paths = ["/docs", "/openapi.json"].into_iter();
        let linked = [PAGE.bytes, SCRIPT.bytes].map(|bytes| std::str::from_utf8(bytes).unwrap());
        let linked = linked.iter().flat_map(|text| text.split('"'));
        let linked = linked.filter(|text| text.starts_with("docs/") || *text == "openapi.json");
        let linked: Vec<_> = linked.map(|path| format!("/{path}")).collect();
        assert_eq!(linked.len(), 6, "{linked:?}");
        for path in paths.chain(linked.iter().map(String::as_str)) {
            let served = answer(&world, anonymous(path)).await;
            assert_eq!(served.status(), 200, "{path}");
            let extension = path.rsplit('.').next().unwrap_or_default();
            let expected = match extension {
                "json" => "application/json",
                "js" => "text/javascript; charset=utf-8",
                "css" => "text/css; charset=utf-8",
                _ => "text/html; charset=utf-8",
            };
            assert_eq!(served.headers()["content-type"], expected, "{path}");
            assert_eq!(served.headers()["x-content-type-options"], "nosniff");
            assert_eq!(served.headers()["cache-control"], CACHED);
            assert!(served.headers().contains_key("x-request-id"));
        }
    }

    #[tokio::test]
    async fn a_page_is_not_refused_for_accepting_pages_only() {
        let world = RouteTestWorld::new().await;
        let browser = anonymous("/docs").header("Accept", "text/html");
        assert_eq!(answer(&world, browser).await.status(), 200);
        let elsewhere = anonymous("/healthz").header("Accept", "text/html");
        assert_eq!(answer(&world, elsewhere).await.status(), 406);
    }

    #[tokio::test]
    async fn the_page_may_load_from_here_and_from_nowhere_else() {
        let world = RouteTestWorld::new().await;
        let page = answer(&world, anonymous("/docs")).await;
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';"),
            "{policy}"
        );
        assert!(
            !policy.contains("unsafe") && !policy.contains('*'),
            "{policy}"
        );
        let document = answer(&world, anonymous("/openapi.json")).await;
        let strictest = "default-src 'none'; frame-ancestors 'none'";
        assert_eq!(document.headers()["content-security-policy"], strictest);
    }

    #[test]
    fn what_the_page_puts_in_the_place_of_examples_is_what_the_document_shows() {
        let script = std::str::from_utf8(SCRIPT.bytes).unwrap();
        let document = std::str::from_utf8(DOCUMENT.bytes).unwrap();
        let constants = script
            .lines()
            .filter(|line| line.starts_with("const EXAMPLE_"));
        let examples: Vec<_> = constants
            .filter_map(|line| line.split('"').nth(1))
            .collect();
        assert_eq!(examples.len(), 2, "a sender and an endpoint");
        for example in examples {
            assert!(document.contains(&format!("\"{example}\"")), "{example}");
        }
    }

    #[test]
    fn the_document_describes_every_operation_and_nothing_else() {
        let document: serde_json::Value = serde_json::from_slice(DOCUMENT.bytes).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let described = paths.iter().flat_map(|(path, item)| {
            let verbs = item.as_object().unwrap().keys();
            verbs.map(move |verb| (path.clone(), verb.to_ascii_uppercase()))
        });
        let mut described: Vec<_> = described.collect();
        let operations = endpoints()
            .iter()
            .filter(|e| e.kind != RouteKind::Documentation);
        let operations = operations.map(|e| (e.path.to_owned(), e.verb.method().to_string()));
        let mut operations: Vec<_> = operations.collect();
        described.sort();
        operations.sort();
        assert_eq!(described, operations);
    }
}
