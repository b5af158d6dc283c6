// An SMSC made of the package `smpp`, which is not of this project: node smsc.mjs PORT
//
// It prints one JSON document a line: {"ready"}, {"bound"}, {"submitted"} with what a part says and
// the identity it was given, and {"acknowledged"} for a receipt or a message of a person. On its
// standard input it takes `receipt ID STAT` and `message JSON`, which names the message by `key` and
// says its `pdu`, with `header` and `text`: either is repeated, on whatever session there is, until
// it is acknowledged. Of a message with `loses` the acknowledgement is lost: the session breaks, and
// {"lost"} is printed. What a number ends in decides: 0058 is throttled, 0011 is no number, and of
// 0008 the second part is not answered.

import readline from 'node:readline';
import smpp from 'smpp';

const receivers = new Set();
let accepted = 0xA0;

function say(document) {
  process.stdout.write(JSON.stringify(document) + '\n');
}

function part(pdu) {
  const udh = pdu.short_message.udh?.[0];
  if (!udh) {
    return { parts: 1, part: 1 };
  }
  // The package hands the header over without its own length: 00 03 reference total index.
  const octets = [...udh];
  return { reference: octets.at(-3), parts: octets.at(-2), part: octets.at(-1) };
}

function take(session, pdu) {
  const number = pdu.destination_addr;
  const piece = part(pdu);
  const document = {
    submitted: number,
    from: pdu.source_addr,
    text: pdu.short_message.message,
    coding: pdu.data_coding,
    registered: pdu.registered_delivery,
    validity: pdu.validity_period,
    ...piece,
  };
  if (number.endsWith('0058') || number.endsWith('0011')) {
    say({ ...document, refused: true });
    const command_status = number.endsWith('0058') ? smpp.ESME_RTHROTTLED : smpp.ESME_RINVDSTADR;
    session.send(pdu.response({ command_status }));
    return;
  }
  accepted += 1;
  // Capital letters and zeros in the answer, and neither in the receipt.
  const message_id = '0000' + accepted.toString(16).toUpperCase();
  say({ ...document, id: accepted.toString(16) });
  if (number.endsWith('0008') && piece.part === 2) {
    return;
  }
  session.send(pdu.response({ message_id }));
}

const server = smpp.createServer({}, (session) => {
  session.on('error', () => receivers.delete(session));
  session.on('close', () => receivers.delete(session));
  session.on('bind_transceiver', (pdu) => {
    if (pdu.password !== 's3cret') {
      session.send(pdu.response({ command_status: smpp.ESME_RINVPASWD }));
      return;
    }
    session.send(pdu.response({ system_id: 'smsc' }));
    receivers.add(session);
    say({ bound: pdu.system_id });
  });
  session.on('enquire_link', (pdu) => session.send(pdu.response()));
  session.on('unbind', (pdu) => {
    receivers.delete(session);
    session.send(pdu.response());
    say({ unbound: true });
    session.close();
  });
  session.on('submit_sm', (pdu) => take(session, pdu));
});

const states = { DELIVRD: 2, EXPIRED: 3, UNDELIV: 5 };

function report(id, stat) {
  const pdu = {
    source_addr: '2348031230000',
    destination_addr: 'CornerShop',
    esm_class: smpp.ESM_CLASS.MC_DELIVERY_RECEIPT,
    short_message: `id:${id} sub:001 dlvrd:001 submit date:2601150900 done date:2601150901 ` +
      `stat:${stat} err:000 text:`,
    receipted_message_id: id,
    message_state: states[stat],
  };
  deliver(pdu, { acknowledged: id, stat }, {});
}

function message({ key, pdu, header, text, loses }) {
  const octets = Buffer.from(text ?? '', 'latin1');
  const part = header && { udh: Buffer.from(header), message: octets };
  deliver({ ...pdu, short_message: part || octets }, { acknowledged: key }, { loses });
}

function deliver(pdu, acknowledged, { loses }) {
  const again = () => setTimeout(() => deliver(pdu, acknowledged, {}), 200);
  const session = [...receivers].at(-1);
  if (!session) {
    again();
    return;
  }
  let over = false;
  const once = (what) => {
    if (!over) {
      over = true;
      what();
    }
  };
  session.deliver_sm(
    // The package changes what it is given.
    { ...pdu },
    (answer) => once(() => {
      if (loses) {
        receivers.delete(session);
        session.destroy();
        say({ lost: acknowledged.acknowledged, status: answer.command_status });
      } else if (answer.command_status === 0) {
        say(acknowledged);
      } else {
        say({ repeated: acknowledged.acknowledged, status: answer.command_status });
        again();
      }
    }),
  );
  // A gateway that dies does not answer.
  setTimeout(() => once(again), 2000);
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [command, id, stat] = line.split(' ');
  if (command === 'receipt') {
    report(id, stat);
  } else if (command === 'message') {
    message(JSON.parse(line.slice('message '.length)));
  }
});

server.listen(Number(process.argv[2]), '127.0.0.1', () => {
  say({ ready: server.address().port });
});
