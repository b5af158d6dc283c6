//! Tests that no client can use an HTTP/2 connection against the server. After each attack the
//! server must still answer others.

use super::super::support::{Running, SHORT};
use super::client::request;
use super::frames::{
    ACK, CANCEL, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, Frame, Frames,
    GOAWAY, HEADERS, INITIAL_WINDOW, PING, REFUSED_STREAM, RESET, SETTINGS, bodiless, field, frame,
    get, head, reset, window,
};
use crate::settings::HEAD_BYTES_MAX;
use std::time::Duration;
use tokio_util::task::TaskTracker;

/// How much memory an attack may take: less than any of them sends.
const GROWTH_MAX: u64 = 24 * 1024 * 1024;

/// The most memory that this process has taken; each test runs in one of its own.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kib = line.unwrap().split_whitespace().nth(1).unwrap();
    kib.parse::<u64>().unwrap() * 1024
}

async fn answers_others(running: &Running) {
    let answer = running.http2().await.get("/account/balance").await;
    assert_eq!(answer.status, 200);
}

/// Writes the same bytes until the server closes the connection, while something else reads.
async fn flood(frames: Frames, bytes: Vec<u8>, times: usize) -> Option<u32> {
    let Frames {
        mut reader,
        mut writer,
    } = frames;
    let write = async {
        for _ in 0..times {
            if !writer.write(&bytes).await {
                break;
            }
        }
        // A connection that is dropped would end by that.
        std::future::pending::<()>().await;
    };
    tokio::select! {
        reason = reader.ended() => reason,
        () = write => None,
    }
}

fn streams(count: u32) -> impl Iterator<Item = u32> {
    (0..count).map(|index| 2 * index + 1)
}

#[tokio::test]
async fn requests_that_are_reset_at_once_end_the_connection() {
    let running = Running::start(|_| {}).await;
    answers_others(&running).await;
    let before = memory();
    for _ in 0..3 {
        let frames = running.frames(&[]).await;
        let both = |stream| [get(stream, "/account/balance"), reset(stream)].concat();
        let all: Vec<_> = streams(5_000).flat_map(both).collect();
        assert_eq!(flood(frames, all, 1).await, Some(ENHANCE_YOUR_CALM));
    }
    let grown = memory() - before;
    assert!(grown < GROWTH_MAX, "{grown}");
    answers_others(&running).await;
}

#[tokio::test]
async fn requests_that_are_reset_once_they_are_worked_on_end_the_connection() {
    let running = Running::start(|_| {}).await;
    let mut frames = running.frames(&[]).await;
    let mut cancelled = 0;
    for stream in streams(1_000) {
        let ping = frame(PING, 0, 0, &u64::from(stream).to_be_bytes());
        // The answer to a ping says that what came before it was read.
        let sent = frames
            .writer
            .write(&[bodiless(stream), ping].concat())
            .await;
        let read = frames.reader.until(|frame| frame.kind == PING).await;
        let sent = sent && read.is_some() && frames.writer.write(&reset(stream)).await;
        if !sent {
            break;
        }
        cancelled += 1;
    }
    assert!((100..200).contains(&cancelled), "{cancelled}");
    answers_others(&running).await;
}

#[tokio::test]
async fn a_head_that_unpacks_to_too_much_is_refused() {
    let running = Running::start(|_| {}).await;
    // One field of four kilobytes in the table of the connection, and then its number over and
    // over: ten thousand bytes stand for forty million.
    let mut entry = vec![0x40, 1, b'x', 0x7f, 0xa0, 0x1e];
    entry.extend(vec![b'y'; 3999]);
    let bomb = [head("GET", "/healthz"), entry, vec![0xbe; 10_000]].concat();
    let before = memory();
    for _ in 0..20 {
        let mut frames = running.frames(&[]).await;
        let flags = END_HEADERS | END_STREAM;
        let bomb = frame(HEADERS, flags, 1, &bomb);
        assert!(frames.writer.write(&bomb).await);
        // The library answers it, before all of it is unpacked, and the gateway never sees it.
        let is_end = |frame: &Frame| [DATA, HEADERS, RESET, GOAWAY].contains(&frame.kind);
        let end = frames.reader.until(is_end).await.unwrap();
        let is_bodiless = end.kind == HEADERS && end.flags & END_STREAM != 0;
        assert!(is_bodiless || end.kind >= RESET, "{end:?}");
    }
    let grown = memory() - before;
    assert!(grown < GROWTH_MAX, "{grown}");
    answers_others(&running).await;
}

#[tokio::test]
async fn a_head_beyond_its_limit_is_refused() {
    let running = Running::start(|_| {}).await;
    let client = running.http2().await;
    for (bytes, status) in [(HEAD_BYTES_MAX - 2_000, 200), (HEAD_BYTES_MAX, 431)] {
        let long = request("GET", "/account/balance").header("x-long", "y".repeat(bytes));
        assert_eq!(client.ask(long).await.status, status);
    }
}

#[tokio::test]
async fn a_head_that_never_ends_is_refused() {
    let running = Running::start(|_| {}).await;
    let before = memory();
    for size in [0, 1, 100] {
        let mut frames = running.frames(&[]).await;
        let begin = frame(HEADERS, END_STREAM, 1, &head("GET", "/healthz"));
        assert!(frames.writer.write(&begin).await);
        let more = match size {
            0 => frame(CONTINUATION, 0, 1, &[]),
            1 => frame(CONTINUATION, 0, 1, &[0x82]),
            size => frame(CONTINUATION, 0, 1, &field("x-a", &"y".repeat(size))),
        };
        let ended = flood(frames, more.repeat(1_000), 1_000).await;
        assert!(ended.is_some(), "{size}");
    }
    let grown = memory() - before;
    assert!(grown < GROWTH_MAX, "{grown}");
    answers_others(&running).await;
}

#[tokio::test]
async fn one_request_too_many_at_a_time_is_refused_and_the_others_go_on() {
    let running = Running::start(|_| {}).await;
    let mut frames = running.frames(&[]).await;
    let all: Vec<_> = streams(101).flat_map(bodiless).collect();
    assert!(frames.writer.write(&all).await);
    let refused = frames
        .reader
        .until(|frame| frame.is_reset(201, REFUSED_STREAM));
    assert!(refused.await.is_some());
    // The place of one that ended is free.
    let next = [reset(1), get(203, "/account/balance")].concat();
    assert!(frames.writer.write(&next).await);
    assert!(
        frames
            .reader
            .until(|frame| frame.is_ok(203))
            .await
            .is_some()
    );
}

#[tokio::test]
async fn requests_beyond_those_allowed_end_the_connection_in_the_end() {
    let running = Running::start(|_| {}).await;
    let frames = running.frames(&[]).await;
    let all: Vec<_> = streams(5_000).flat_map(bodiless).collect();
    assert_eq!(flood(frames, all, 1).await, Some(ENHANCE_YOUR_CALM));
    answers_others(&running).await;
}

#[tokio::test]
async fn a_client_that_opens_no_window_loses_its_answer_and_no_other() {
    let running = Running::start(|settings| settings.write_timeout = SHORT).await;
    let mut frames = running.frames(&[(INITIAL_WINDOW, 0)]).await;
    let opened = [get(3, "/healthz"), window(3, 10_000)].concat();
    let both = [get(1, "/account/balance"), opened].concat();
    assert!(frames.writer.write(&both).await);
    let mut seen = Vec::new();
    while let Some(frame) = frames.reader.next().await {
        let is_over = frame.is_reset(1, CANCEL);
        seen.push((frame.kind, frame.stream, frame.flags & END_STREAM));
        if is_over {
            break;
        }
    }
    assert!(seen.contains(&(HEADERS, 1, 0)), "{seen:?}");
    assert!(!seen.iter().any(|seen| (seen.0, seen.1) == (DATA, 1)));
    assert!(seen.contains(&(DATA, 3, END_STREAM)), "{seen:?}");
    let next = [get(5, "/account/balance"), window(5, 10_000)].concat();
    assert!(frames.writer.write(&next).await);
    assert!(frames.reader.until(|frame| frame.is_ok(5)).await.is_some());
}

#[tokio::test]
async fn an_answer_is_under_way_until_the_window_takes_its_last_byte() {
    let running = Running::start(|settings| settings.write_timeout = SHORT).await;
    let whole = running.http2().await.get("/account/balance").await;
    let length = u32::try_from(whole.body.len()).unwrap();
    for (bytes, is_whole) in [(1, false), (length - 1, false), (length, true)] {
        let mut frames = running.frames(&[(INITIAL_WINDOW, bytes)]).await;
        let request = get(1, "/account/balance");
        assert!(frames.writer.write(&request).await);
        let is_end = |frame: &Frame| {
            (frame.kind == DATA && frame.flags & END_STREAM != 0) || frame.is_reset(1, CANCEL)
        };
        let end = frames.reader.until(is_end).await.unwrap();
        assert_eq!(end.kind == DATA, is_whole, "{bytes}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_client_that_reads_nothing_at_all_is_cut() {
    let running = Running::start(|settings| settings.write_timeout = SHORT).await;
    let frames = running.frames(&[(INITIAL_WINDOW, 1 << 30)]).await;
    let Frames {
        reader: unread,
        mut writer,
    } = frames;
    let opened = window(0, 1 << 30);
    assert!(writer.write(&opened).await);
    let ask = |stream| get(stream, "/openapi.json");
    let all: Vec<_> = streams(90).flat_map(ask).collect();
    assert!(writer.write(&all).await);
    let pings = frame(PING, ACK, 0, &[0; 8]).repeat(1_000);
    let cut = TaskTracker::new().spawn(async move { while writer.write(&pings).await {} });
    let cut = tokio::time::timeout(Duration::from_secs(30), cut).await;
    assert!(cut.is_ok(), "the connection stays open");
    drop(unread);
    answers_others(&running).await;
}

#[tokio::test]
async fn pings_and_settings_take_no_memory() {
    let running = Running::start(|_| {}).await;
    let ping = frame(PING, 0, 0, &[7; 8]);
    let settings = frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 255, 255]);
    for (kind, flood) in [(PING, ping), (SETTINGS, settings)] {
        let Frames {
            reader: mut unread,
            mut writer,
        } = running.frames(&[]).await;
        let before = memory();
        // Unread answers do not pile up: the server reads no more until they are taken.
        let write = async {
            for _ in 0..4_000 {
                assert!(writer.write(&flood.repeat(1_000)).await);
            }
        };
        let all = tokio::time::timeout(4 * SHORT, write).await;
        assert!(all.is_err(), "{kind}: the server took all of them");
        let grown = memory() - before;
        assert!(grown < GROWTH_MAX, "{kind}: {grown}");
        assert!(unread.until(|frame| frame.kind == kind).await.is_some());
    }
    answers_others(&running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn frames_that_ask_nothing_hold_a_connection_no_longer_than_silence() {
    let running = Running::start(|settings| settings.head_timeout = SHORT).await;
    for bytes in [frame(PING, 0, 0, &[7; 8]), frame(PING, ACK, 0, &[7; 8])] {
        let Frames {
            mut reader,
            mut writer,
        } = running.frames(&[]).await;
        let bytes = bytes.repeat(1_000);
        // The client writes from a thread of its own, so that there is always something to read.
        let write = async move { while writer.write(&bytes).await {} };
        let writing = TaskTracker::new().spawn(write);
        let limit = Duration::from_secs(30);
        let ended = tokio::time::timeout(limit, reader.ended()).await;
        assert!(ended.is_ok(), "the connection stays open");
        writing.await.unwrap();
    }
}

#[tokio::test]
async fn bodies_in_tiny_frames_end_the_connection() {
    let running = Running::start(|_| {}).await;
    let before = memory();
    for payload in [&b""[..], b" "] {
        let mut frames = running.frames(&[]).await;
        assert!(frames.writer.write(&bodiless(1)).await);
        let tiny = frame(DATA, 0, 1, payload).repeat(1_000);
        assert!(flood(frames, tiny, 1_000).await.is_some());
    }
    let grown = memory() - before;
    assert!(grown < GROWTH_MAX, "{grown}");
    answers_others(&running).await;
}
