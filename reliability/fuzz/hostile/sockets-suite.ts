import { startTestService } from '../../../server/test/harness/test-service.ts';
import { findBrokenTables, type Suite } from '../suite.ts';
import { faultsOf, watchLog } from './check-reply.ts';
import { converse, headerOf, requestOf } from './wire.ts';

/** What is written on a connection of its own, and the statuses that must come back in this order. */
export interface SocketCase {
  name: string;
  bytes: Buffer;
  /** Whether the client ends its half of the connection. */
  isEnded: boolean;
  statuses: readonly number[];
}

const WITHIN_MS = 15_000;
const AT_ONCE = 20;
const CHUNKED = 'Transfer-Encoding: chunked';

const text = (firstLine: string, headers: readonly string[] = [], body = '') =>
  `${requestOf(firstLine, headers).toString('latin1')}${body}`;
const HEALTH = text('GET /v1/health');
const NOTHING = text('GET /v1/nothing');
const ORDER = text('POST /v1/orders', ['Content-Length: 5'], 'GET /');
const SMUGGLED = text('GET /v1/smuggled');
/** The server answers this request only if the connection is still in step. */
const LAST = text('GET /v1/health', ['Connection: close']);

const socketCase = (name: string, sent: string, statuses: readonly number[], isEnded = false): SocketCase => ({
  name,
  bytes: Buffer.from(sent, 'latin1'),
  isEnded,
  statuses,
});
/** The server answers these and ends the connection. */
export const refused = (name: string, sent: string, ...statuses: number[]) =>
  socketCase(name, sent + LAST, statuses.length === 0 ? [400] : statuses);
/** The server answers these and the connection stays in step. */
const answered = (name: string, sent: string, ...statuses: number[]) =>
  socketCase(name, sent + LAST, [...statuses, 200]);

/** Two readers could disagree where these requests end. */
const ambiguous = [
  ['Content-Length: 4', CHUNKED],
  ['Content-Length: 0', 'Content-Length: 44'],
  ['Content-Length: 0, 44'],
  ['Content-Length: +5'],
  ['Content-Length: 0x5'],
  ['Transfer-Encoding : chunked'],
  ['Transfer-Encoding: chunked, identity'],
  ['X: y\nTransfer-Encoding: chunked'],
];

/** Other protocols, and HTTP that is broken. */
const foreign: Record<string, string> = {
  TLS: `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${'\0'.repeat(508)}`,
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  SMTP: 'EHLO gifts.test\r\nMAIL FROM:<a@example.com>\r\n',
  PostgreSQL: '\0\0\0\x08\x04\xd2\x16\x2f',
  'a megabyte of line feeds': `A${'\n'.repeat(1_000_000)}`,
  'an unknown method': text('GIFT /'),
  'a NUL in a header': text('GET /v1/health', ['X: a\0b']),
  'a blank before the colon': text('GET /v1/health', ['X : y']),
};

const WHOLE = text(
  'POST /v1/orders',
  ['Authorization: Bearer none', 'Idempotency-Key: half', 'Content-Length: 2'],
  '{}',
);
const HEADERS_END = WHOLE.indexOf('\r\n\r\n') + 4;

export const socketCases: readonly SocketCase[] = [
  ...ambiguous.map((headers) =>
    refused(headers.join(), text('POST /v1/sandbox/reset', headers, `0\r\n\r\n${SMUGGLED}`)),
  ),
  ...Object.entries(foreign).map(([name, bytes]) => refused(name, bytes)),
  answered('a request in a body', text('GET /v1/health', [`Content-Length: ${SMUGGLED.length}`], SMUGGLED), 200),
  answered('a request in a chunk', text('GET /v1/health', [CHUNKED], `2f\r\n${'x'.repeat(47)}\r\n0\r\n\r\n`), 200),
  refused('a body longer than it says', text('GET /v1/health', ['Content-Length: 2'], 'abcd'), 200, 400),
  refused('a wrong chunk', text('POST /v1/sandbox/reset', [CHUNKED], 'zz\r\n{}\r\n0\r\n\r\n'), 401),
  answered('two requests at once', HEALTH + NOTHING, 200, 404),
  answered('fifty requests at once', (HEALTH + NOTHING).repeat(25), ...Array(25).fill([200, 404]).flat()),
  answered('a body between two requests', HEALTH + ORDER + NOTHING, 200, 401, 404),
  refused('a close between requests', HEALTH + LAST + NOTHING, 200, 200),
  ...Object.entries(foreign)
    .slice(-3)
    .map(([name, broken]) => refused(`requests before ${name}`, HEALTH + NOTHING + broken, 200, 404, 400)),
  refused('headers of 17 kB', text('GET /v1/health', [`X: ${'x'.repeat(17_000)}`]), 413),
  answered('headers of 15 kB', text('GET /v1/health', [`X: ${'x'.repeat(15_000)}`]), 200),
  refused('an upgrade', text('GET /v1/health', ['Connection: Upgrade', 'Upgrade: h2c']), 200),
  socketCase('nothing', '', [], true),
  socketCase('two requests and half of a third', HEALTH + NOTHING + HEALTH.slice(0, 20), [200, 404, 400], true),
  ...Array.from({ length: Math.floor(WHOLE.length / 6) }, (_, index) => 1 + 6 * index).map((length) =>
    socketCase(`the first ${length} bytes`, WHOLE.slice(0, length), [length < HEADERS_END ? 400 : 401], true),
  ),
];

/** Returns what is wrong with the answers to a case. */
export async function faultsOfCase(url: string, one: SocketCase, requestIds: Set<string>): Promise<string[]> {
  try {
    const { replies, rest, isClosed } = await converse(url, { ...one, withinMs: WITHIN_MS });
    const faults = replies.flatMap((reply) => faultsOf(reply));
    const statuses = replies.map(({ status }) => status).join(', ');
    if (statuses !== one.statuses.join(', '))
      faults.push(`answered [${statuses}] instead of [${one.statuses.join(', ')}]`);
    if (rest.length > 0) faults.push(`${rest.length} bytes after the last answer`);
    if (!isClosed) faults.push(`the connection was still open after ${WITHIN_MS / 1_000} s`);
    for (const reply of replies) {
      const id = headerOf(reply, 'request-id') ?? '';
      if (requestIds.has(id)) faults.push('a repeated Request-Id');
      requestIds.add(id);
    }
    return faults;
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Bytes that no library sends. Every request gets its own answer, in form, and the connection ends. */
export const hostileSockets: Suite = {
  name: 'sockets',
  counts: { whole: socketCases.length, short: socketCases.length },
  async run({ count, say }) {
    const service = await startTestService();
    const findings: string[] = [];
    try {
      const lines = watchLog(service);
      const waiting = socketCases.slice(0, count);
      const requestIds = new Set<string>();
      const work = async () => {
        for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
          for (const fault of await faultsOfCase(service.url, one, requestIds)) findings.push(`${one.name}: ${fault}`);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      say(`${requestIds.size} answers`);
      return [...findings, ...(await findBrokenTables(service)), ...lines.slice(0, 10)];
    } finally {
      await service.close();
    }
  },
};
