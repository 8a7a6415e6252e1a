import { createSocket } from 'node:dgram';
import { endWithTest } from './end-with-test.ts';

/** A real DNS server for TXT and A records. */
interface DnsServer {
  address: string;
  /** Texts by name; a name in neither map does not exist. */
  records: Map<string, string[]>;
  /** IPv4 addresses by name. */
  addresses: Map<string, string>;
  /** Names that were asked for. */
  asked: string[];
  /** Whether it answers that it failed. */
  isBroken: boolean;
  close(): Promise<void>;
}

const [A, TXT, CLASS_IN, ANSWER, NO_SUCH_NAME, SERVER_FAILURE] = [1, 16, 1, 0x8180, 3, 2];
const HEADER_BYTES = 12;

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const server: Omit<DnsServer, 'address'> = {
    records: new Map(),
    addresses: new Map(),
    asked: [],
    isBroken: false,
    close: endWithTest(() => new Promise<void>((resolve) => socket.close(resolve))),
  };
  socket.on('message', (query, from) => {
    const { name, end } = nameIn(query);
    server.asked.push(name);
    const texts = server.records.get(name);
    const found = server.addresses.get(name);
    const code = server.isBroken ? SERVER_FAILURE : (texts ?? found) === undefined ? NO_SUCH_NAME : 0;
    const address = query.readUInt16BE(end - 4) === A ? found : undefined;
    const data = address === undefined ? (texts ?? []).map(textData) : [Buffer.from(address.split('.').map(Number))];
    const answers = code === 0 ? data.map((each) => answerOf(address === undefined ? TXT : A, each)) : [];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(ANSWER | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` });
}

/** The question's name and its end. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function textData(text: string): Buffer {
  // A text of more than 255 characters is several strings.
  const strings = (text.match(/.{1,255}/gs) ?? ['']).map((part) => Buffer.from([part.length, ...Buffer.from(part)]));
  return Buffer.concat(strings);
}

function answerOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  // The name of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(CLASS_IN, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
