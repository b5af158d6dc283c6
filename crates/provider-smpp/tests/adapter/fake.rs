//! An SMSC that does as a test says, and keeps what it was sent.

use bytes::BytesMut;
use rusmpp_core::CommandStatus;
use rusmpp_core::command::owned::Command;
use rusmpp_core::decode::owned::DecodeWithLength;
use rusmpp_core::encode::Length as _;
use rusmpp_core::encode::owned::Encode as _;
use rusmpp_core::pdus::owned::{
    BindReceiverResp, BindTransceiverResp, BindTransmitterResp, DeliverSm, Pdu, SubmitSm,
    SubmitSmResp,
};
use rusmpp_core::types::owned::{COctetString, OctetString};
use rusmpp_core::values::EsmClass;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_util::task::TaskTracker;

/// What the SMSC does with a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Takes it, under the next identity.
    Takes,
    /// Takes it, under this identity.
    TakesAs(String),
    /// Answers with a status, as most do: without a body.
    Status(u32),
    /// Takes it and answers nothing.
    Silence,
    /// Takes it and cuts the connection.
    Cut,
    /// Answers that it could not read it.
    Nack,
    /// Takes it and hands a receipt over before it answers, in the same breath.
    ReceiptFirst(&'static str),
}

#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) replies: HashMap<String, VecDeque<Reply>>,
    pub(crate) submitted: Vec<SubmitSm>,
    /// The commands of binds, as they came.
    pub(crate) binds: Vec<Command>,
    pub(crate) bind_status: u32,
    pub(crate) unbinds: usize,
    pub(crate) enquiries: usize,
    /// Answers nothing at all.
    pub(crate) deaf: bool,
    /// How many parts wait for their answers, and the most there were.
    pub(crate) outstanding: usize,
    pub(crate) outstanding_max: usize,
    /// Where set, answers wait for it.
    pub(crate) held: Option<Arc<tokio::sync::Semaphore>>,
    links: Vec<Arc<Link>>,
    next_id: u32,
}

/// A connection as the SMSC sees it.
#[derive(Debug)]
pub(crate) struct Link {
    writer: tokio::sync::Mutex<OwnedWriteHalf>,
    waiting: Mutex<HashMap<u32, oneshot::Sender<Command>>>,
}

#[derive(Debug, Clone)]
pub(crate) struct FakeSmsc {
    pub(crate) port: u16,
    record: Arc<Mutex<Record>>,
}

impl FakeSmsc {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let fake = Self {
            port: listener.local_addr().unwrap().port(),
            record: Arc::default(),
        };
        let (serving, tracker) = (fake.clone(), TaskTracker::new());
        tracker.clone().spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let serving = serving.clone();
                tracker.spawn(async move { serving.serve(stream).await });
            }
        });
        fake
    }

    pub(crate) fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap()
    }

    /// How many parts came for a number.
    pub(crate) fn parts_for(&self, digits: &str) -> u32 {
        let record = self.record();
        let parts = record.submitted.iter();
        let parts = parts.filter(|pdu| pdu.destination_addr.as_str() == digits);
        u32::try_from(parts.count()).unwrap()
    }

    /// Delivers a PDU on the latest connection, and answers the status of its acknowledgement.
    pub(crate) async fn deliver(&self, pdu: Pdu) -> u32 {
        let link = Arc::clone(self.record().links.last().unwrap());
        let (send, answer) = oneshot::channel();
        link.waiting.lock().unwrap().insert(77, send);
        link.write(&Command::new(CommandStatus::EsmeRok, 77, pdu))
            .await;
        let answer = tokio::time::timeout(std::time::Duration::from_secs(10), answer);
        u32::from(answer.await.unwrap().unwrap().status())
    }

    /// Delivers PDUs without waiting for answers in between, and answers their statuses.
    pub(crate) async fn deliver_all(&self, pdus: impl IntoIterator<Item = DeliverSm>) -> Vec<u32> {
        let link = Arc::clone(self.record().links.last().unwrap());
        let mut answers = Vec::new();
        for (sequence, pdu) in (1_000_u32..).zip(pdus) {
            let (send, answer) = oneshot::channel();
            link.waiting.lock().unwrap().insert(sequence, send);
            let command = Command::new(CommandStatus::EsmeRok, sequence, Pdu::DeliverSm(pdu));
            link.write(&command).await;
            answers.push(answer);
        }
        let mut statuses = Vec::new();
        for answer in answers {
            let answer = tokio::time::timeout(std::time::Duration::from_secs(10), answer);
            statuses.push(u32::from(answer.await.unwrap().unwrap().status()));
        }
        statuses
    }

    /// Cuts the latest connection.
    pub(crate) async fn cut(&self) {
        let link = self.record().links.pop().unwrap();
        let _ = link.writer.lock().await.shutdown().await;
    }

    /// Delivers a receipt.
    pub(crate) async fn receipt(&self, id: &str, stat: &str) -> u32 {
        self.deliver(Pdu::DeliverSm(receipt(id, stat))).await
    }

    /// Writes octets on the latest connection, and answers the PDU that comes back under 77.
    pub(crate) async fn exchange(&self, octets: &[u8]) -> Command {
        let link = Arc::clone(self.record().links.last().unwrap());
        let (send, answer) = oneshot::channel();
        link.waiting.lock().unwrap().insert(77, send);
        link.writer.lock().await.write_all(octets).await.unwrap();
        let answer = tokio::time::timeout(std::time::Duration::from_secs(10), answer);
        answer.await.unwrap().unwrap()
    }

    pub(crate) async fn send(&self, pdu: Pdu) {
        let link = Arc::clone(self.record().links.last().unwrap());
        link.write(&Command::new(CommandStatus::EsmeRok, 78, pdu))
            .await;
    }

    async fn serve(&self, stream: TcpStream) {
        let (mut reader, writer) = stream.into_split();
        let link = Arc::new(Link {
            writer: tokio::sync::Mutex::new(writer),
            waiting: Mutex::default(),
        });
        while let Some(command) = read(&mut reader).await {
            let (id, sequence) = (u32::from(command.id()), command.sequence_number());
            if id & 0x8000_0000 != 0 {
                let waiting = link.waiting.lock().unwrap().remove(&sequence);
                if let Some(waiting) = waiting {
                    let _ = waiting.send(command);
                }
                continue;
            }
            if self.record().deaf {
                continue;
            }
            if !self.answer(&link, command).await {
                break;
            }
        }
        let _ = link.writer.lock().await.shutdown().await;
    }

    /// Answers a request; whether the connection goes on.
    async fn answer(&self, link: &Arc<Link>, command: Command) -> bool {
        let sequence = command.sequence_number();
        let ok = CommandStatus::EsmeRok;
        let answer: Pdu = match u32::from(command.id()) {
            0x09 => BindTransceiverResp::default().into(),
            0x02 => BindTransmitterResp::default().into(),
            0x01 => BindReceiverResp::default().into(),
            0x15 => {
                self.record().enquiries += 1;
                let answer = Command::new(ok, sequence, Pdu::EnquireLinkResp);
                link.write(&answer).await;
                return true;
            }
            0x06 => {
                self.record().unbinds += 1;
                let answer = Command::new(ok, sequence, Pdu::UnbindResp);
                link.write(&answer).await;
                return false;
            }
            _ => {
                let Some(Pdu::SubmitSm(pdu)) = command.pdu().cloned() else {
                    panic!("the adapter sent {command:?}");
                };
                return self.take(link, sequence, pdu);
            }
        };
        let status = {
            let mut record = self.record();
            record.binds.push(command);
            if record.bind_status == 0 {
                record.links.push(Arc::clone(link));
            }
            record.bind_status
        };
        link.write(&Command::new(status.into(), sequence, answer))
            .await;
        status == 0
    }

    fn take(&self, link: &Arc<Link>, sequence: u32, pdu: SubmitSm) -> bool {
        let (reply, id, held) = {
            let mut record = self.record();
            let digits = pdu.destination_addr.as_str().to_owned();
            record.submitted.push(pdu);
            record.outstanding += 1;
            record.outstanding_max = record.outstanding_max.max(record.outstanding);
            record.next_id += 1;
            let replies = record.replies.get_mut(&digits);
            let reply = replies
                .and_then(VecDeque::pop_front)
                .unwrap_or(Reply::Takes);
            (
                reply,
                format!("msg-{}", record.next_id),
                record.held.clone(),
            )
        };
        let (link, fake) = (Arc::clone(link), self.clone());
        if reply == Reply::Cut {
            return false;
        }
        // Answers may wait, and others go on meanwhile.
        TaskTracker::new().spawn(async move {
            if let Some(held) = held {
                held.acquire().await.unwrap().forget();
            }
            let accepted = |id: &str| {
                let id = COctetString::from_string(id.to_owned()).unwrap();
                let answer = SubmitSmResp::builder().message_id(id).build();
                Command::new(CommandStatus::EsmeRok, sequence, answer)
            };
            fake.record().outstanding -= 1;
            match reply {
                Reply::Takes => link.write(&accepted(&id)).await,
                Reply::TakesAs(id) => link.write(&accepted(&id)).await,
                Reply::Status(status) => link.write_bare(0x8000_0004, status, sequence).await,
                Reply::Nack => link.write_bare(0x8000_0000, 3, sequence).await,
                Reply::ReceiptFirst(stat) => {
                    let pdu = Pdu::DeliverSm(receipt(&id, stat));
                    link.write(&Command::new(CommandStatus::EsmeRok, 79, pdu))
                        .await;
                    link.write(&accepted(&id)).await;
                }
                Reply::Silence | Reply::Cut => {}
            }
        });
        true
    }
}

impl Link {
    async fn write(&self, command: &Command) {
        let mut octets = BytesMut::new();
        let length = u32::try_from(command.length() + 4).unwrap();
        octets.extend_from_slice(&length.to_be_bytes());
        command.encode(&mut octets);
        let _ = self.writer.lock().await.write_all(&octets).await;
    }

    /// A PDU that is nothing but its header.
    async fn write_bare(&self, id: u32, status: u32, sequence: u32) {
        let mut octets = Vec::new();
        for number in [16, id, status, sequence] {
            octets.extend(number.to_be_bytes());
        }
        let _ = self.writer.lock().await.write_all(&octets).await;
    }
}

async fn read(reader: &mut (impl tokio::io::AsyncRead + Unpin)) -> Option<Command> {
    let length = reader.read_u32().await.ok()?;
    let mut rest = BytesMut::zeroed(usize::try_from(length).unwrap() - 4);
    reader.read_exact(&mut rest).await.ok()?;
    let length = rest.len();
    Some(Command::decode(&mut rest, length).unwrap().0)
}

/// A message of a person.
pub(crate) fn reply(from: &str, to: &str, octets: &[u8]) -> DeliverSm {
    let mut pdu = DeliverSm::default();
    // The codec's own default is the class of another kind of message.
    pdu.esm_class = EsmClass::from(0);
    pdu.source_addr = COctetString::from_string(from.to_owned()).unwrap();
    pdu.destination_addr = COctetString::from_string(to.to_owned()).unwrap();
    pdu.set_short_message(OctetString::from_vec(octets.to_vec()).unwrap());
    pdu
}

/// A receipt as most SMSCs write it.
pub(crate) fn receipt(id: &str, stat: &str) -> DeliverSm {
    let mut pdu = DeliverSm::default();
    pdu.esm_class = EsmClass::from(0x04);
    let text = format!(
        "id:{id} sub:001 dlvrd:001 submit date:2601150900 done date:2601150901 stat:{stat} \
         err:000 text:Your code"
    );
    pdu.set_short_message(OctetString::from_vec(text.into_bytes()).unwrap());
    pdu
}
