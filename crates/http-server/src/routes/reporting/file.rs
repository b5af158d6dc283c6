//! Reports as files: a request with `format=csv`, and `GET /reporting/run`. A
//! file must be read part by part, as fast as the client takes it.

use crate::authenticated_request::AuthenticatedRequest;
use crate::error_response::no_file;
use crate::reply::HttpReply;
use crate::streamed_file::StreamedFile;
use application::Gateway;
use application::reports::files::{ReportRun, RunRequest, RunState};
use bytes::Bytes;
use http::StatusCode;
use http::header::{HeaderValue, LOCATION};
use wire::reporting::{ReportFormat, run};

/// Begins a run, or answers one that is about the same.
pub(super) async fn begin(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    request: RunRequest,
) -> Result<HttpReply, HttpReply> {
    // It would make the state of every request several times as large.
    let run = Box::pin(gateway.begin_report(&call.merchant, request)).await?;
    let status = match run.state {
        RunState::Pending => StatusCode::ACCEPTED,
        RunState::Ready(_) | RunState::Failed => StatusCode::OK,
    };
    let reply = shown(gateway, call, (&run, status));
    Ok(match HeaderValue::from_str(&run::address(run.id)) {
        Ok(address) => reply.with_header(LOCATION, address),
        // An address is a path and a number.
        Err(_) => reply,
    })
}

/// `GET /reporting/run`: how far a run is, or its file.
pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (id, format) = run::parse(&call.attributes, call.handling)?;
    let run = gateway.report_run(&call.merchant, id).await?;
    match format {
        ReportFormat::Page => Ok(shown(&gateway, &call, (&run, StatusCode::OK))),
        ReportFormat::Csv => file(gateway, run),
    }
}

fn shown(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    (run, status): (&ReportRun, StatusCode),
) -> HttpReply {
    let fields = run::view(run, gateway.now(), &call.zone());
    HttpReply::success(status, "The report as a file.", fields)
}

fn file(gateway: Gateway, run: ReportRun) -> Result<HttpReply, HttpReply> {
    if !matches!(run.state, RunState::Ready(_)) || run.is_expired(gateway.now()) {
        return Err(no_file());
    }
    let (name, length) = (run::file_name(&run), run.bytes);
    let file = StreamedFile::new(length, move |part| {
        let (gateway, run) = (gateway.clone(), run.clone());
        Box::pin(async move {
            if part > run.parts {
                return Ok(None);
            }
            let text = gateway.report_part(&run, part).await;
            match text {
                Ok(Some(text)) => Ok(Some(Bytes::from(text))),
                Ok(None) | Err(_) => Err(std::io::Error::other("a part of a report is not there")),
            }
        })
    });
    Ok(HttpReply::streamed(file).attached(&name))
}
