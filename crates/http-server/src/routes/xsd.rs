//! The XML schemas of the answers, within the binary. They are the files of the repository and
//! nothing else; the OpenAPI document names the schema of each operation.

use super::documentation;
use crate::file::File;
use crate::reply::HttpReply;
use include_dir::{Dir, include_dir};
use std::sync::LazyLock;

/// The files, each under its name.
static SCHEMAS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs/xsd");

/// The path of each schema.
static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = SCHEMAS.files().map(|file| file.path().display());
    names.map(|name| format!("/xsd/{name}")).collect()
});

/// The paths of the schemas.
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    PATHS.iter().map(String::as_str)
}

/// Whether a schema is at a path.
pub(super) fn is_at(path: &str) -> bool {
    paths().any(|known| known == path)
}

/// The schema at a path, where there is one.
pub(super) fn answer(path: &str) -> Option<HttpReply> {
    let file = SCHEMAS.get_file(path.strip_prefix("/xsd/")?)?;
    Some(documentation::serve(File::plain(
        "application/xml",
        file.contents(),
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RouteTestWorld, bare};
    use http::Request;
    use http_body_util::BodyExt;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/xsd");

    #[tokio::test]
    async fn every_schema_of_the_repository_is_served_to_anyone() {
        let world = RouteTestWorld::new().await;
        let files: Vec<_> = std::fs::read_dir(FOLDER).unwrap().collect();
        assert_eq!(files.len(), SCHEMAS.files().count());
        for file in files {
            let file = file.unwrap();
            let path = format!("/xsd/{}", file.file_name().to_str().unwrap());
            let asked = Request::builder().uri(&path).header("Host", "localhost");
            let asked = bare(asked.header("Accept", "text/html"));
            let served = world.answer(asked).await;
            assert_eq!(served.status(), 200, "{path}");
            assert_eq!(served.headers()["content-type"], "application/xml");
            let bytes = served.into_body().collect().await.unwrap().to_bytes();
            assert_eq!(bytes, std::fs::read(file.path()).unwrap());
        }
    }

    #[tokio::test]
    async fn what_is_no_schema_is_not_public_and_a_schema_is_only_read() {
        let world = RouteTestWorld::new().await;
        let asked = |verb: &str, path: &str| bare(Request::builder().method(verb).uri(path));
        let lost = world.send(asked("GET", "/xsd/nothing.xsd")).await;
        lost.assert_error(401, None, "/request");
        let posted = world.send(asked("POST", "/xsd/manilla.xsd")).await;
        posted.assert_error(405, None, "/request");
        assert_eq!(posted.header("allow"), "GET, HEAD, OPTIONS");
    }
}
