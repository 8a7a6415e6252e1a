import { randomFrom } from '../../faults/random.ts';
import { answered, brokenOff, refused, request, type SocketCase } from './socket-case.ts';

const zeros = (count: number) => '\0'.repeat(count);

/** How others begin to speak. */
const greetings: readonly (readonly [name: string, bytes: string])[] = [
  ['TLS 1.0', `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${zeros(508)}`],
  ['TLS 1.3', `\x16\x03\x03\0\x05\x01\0\0\x01\x03${zeros(64)}`],
  ['SSL 2', '\x80\x2e\x01\0\x02\0\x15\0\0\0\x10'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
  ['HTTP/2 without its greeting', '\0\0\0\x04\0\0\0\0\0'],
  ['HTTP/0.9', 'GET /v1/health\r\n'],
  ['SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['SMTP', 'EHLO gifts.test\r\nMAIL FROM:<a@example.com>\r\n'],
  ['FTP', 'USER anonymous\r\n'],
  ['IMAP', 'a001 LOGIN a b\r\n'],
  ['POP3', 'APOP a b\r\n'],
  ['SIP', 'INVITE sip:a@gifts.test SIP/2.0\r\n\r\n'],
  ['PostgreSQL', '\0\0\0\x08\x04\xd2\x16\x2f'],
  ['MySQL', '\x20\0\0\x01\x85\xa6\x03\0'],
  ['Redis', '*1\r\n$4\r\nPING\r\n'],
  ['Redis in a line', 'PING\r\n'],
  ['memcached', 'get a\r\n'],
  ['MQTT', '\x10\x0c\0\x04MQTT\x04\x02\0\x3c\0\0'],
  ['AMQP', 'AMQP\0\0\x09\x01'],
  ['SOCKS 4', '\x04\x01\0\x50\x7f\0\0\x01\0'],
  ['SOCKS 5', '\x05\x01\0'],
  ['the PROXY protocol', 'PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n'],
  ['the PROXY protocol, binary', '\r\n\r\n\0\r\nQUIT\n!\x11\0\x0c'],
  ['DNS', '\0\x1d\xaa\xaa\x01\0\0\x01\0\0\0\0\0\0\x07example\x03com\0\0\x01\0\x01'],
  ['LDAP', '0\x0c\x02\x01\x01`\x07\x02\x01\x03\x04\0\x80\0'],
  ['SMB', '\0\0\0\x2f\xffSMBr'],
  ['RDP', '\x03\0\0\x13\x0e\xe0\0\0\0\0\0\x01\0\x08\0\x03\0\0\0'],
  ['X11', 'l\0\x0b\0\0\0\0\0\0\0'],
  ['Java', '\xac\xed\0\x05'],
  ['a WebSocket frame', '\x81\x85\x37\xfa\x21\x3d'],
  ['JSON', '{"gifts":[]}\r\n\r\n'],
  ['XML', '<?xml version="1.0"?>\r\n\r\n'],
  ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['a mark', '\xef\xbb\xbf'],
  ['UTF-16', '\xff\xfeG\0E\0T\0'],
  ['zeros', zeros(1_000)],
  ['64 kB of a letter', 'A'.repeat(65_536)],
  ['a megabyte of line feeds behind a letter', `A${'\n'.repeat(1_000_000)}`],
];

const random = randomFrom(6);
const noise = Array.from({ length: 25 }, (_, index): SocketCase => {
  const bytes = Array.from({ length: 8 + index * 40 }, () => String.fromCharCode(Math.floor(random() * 256)));
  // Bytes from 0x80 on begin no method.
  return refused(`noise ${index}`, String.fromCharCode(0x80 + index) + bytes.join(''));
});

const health = (name: string, ...headers: string[]) => answered(name, request('GET /v1/health', headers), 200);
const last = (name: string, ...headers: string[]) => refused(name, request('GET /v1/health', headers), 200);
const expects = (value: string) =>
  answered(`Expect: ${value.slice(0, 20)}`, request('GET /v1/health', [`Expect: ${value}`]), 400);

const connections: readonly SocketCase[] = [
  last(
    'an upgrade to WebSocket',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version: 13',
  ),
  last(
    'an upgrade to HTTP/2',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  ),
  last('an upgrade to TLS', 'Connection: Upgrade', 'Upgrade: TLS/1.3'),
  health('an upgrade that is not asked for', 'Upgrade: websocket'),
  health('an upgrade to nothing', 'Connection: Upgrade'),
  health('a connection of odd words', 'Connection: host, content-length, transfer-encoding'),
  health('a connection that stays', 'Connection: keep-alive', 'Keep-Alive: timeout=999999, max=1'),
  last('a connection that ends', 'Connection: close'),
  last('a connection that ends, in capitals', 'CONNECTION: CLOSE'),
  last('a connection that stays and ends', 'Connection: keep-alive, close'),
  health('two hosts', 'Host: elsewhere.test'),
  health(
    'a proxy’s headers',
    'X-Forwarded-For: 1.1.1.1',
    'X-Forwarded-Host: elsewhere.test',
    'Forwarded: for=1.1.1.1',
    'Via: 1.1 x',
    'Max-Forwards: 0',
  ),
  health(
    'another method, path and address',
    'X-HTTP-Method-Override: DELETE',
    'X-Original-URL: /v1/orders',
    'X-Rewrite-URL: /v1/orders',
  ),
  health('a request id of its own', 'Request-Id: req_00000000000000000000000000', 'X-Request-Id: mine'),
  ...['200-ok', 'foo', '100', '100-continued-not', 'x'.repeat(5_000)].map(expects),
  refused('HTTP/1.0', 'GET /v1/health HTTP/1.0\r\n\r\n', 200),
  refused('HTTP/1.0 with chunks', 'GET /v1/health HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 200),
  // Node's parser takes these for HTTP/1.0, answers in HTTP/1.1 and ends the connection.
  refused('RTSP', 'OPTIONS rtsp://gifts.test/ RTSP/1.0\r\nCSeq: 1\r\n\r\n', 404),
  refused('RTSP with our path', 'GET /v1/health RTSP/1.0\r\n\r\n', 200),
  refused('no version, as in HTTP/0.9', 'GET /v1/health\r\n\r\n', 200),
];

/** What is no HTTP at all, and what HTTP promises beside requests and answers. */
export const protocolCases: readonly SocketCase[] = [
  ...greetings.map(([name, bytes]) => brokenOff(`${name}, and no more`, bytes, 400)),
  ...greetings.map(([name, bytes]) => refused(`${name}, and a request`, bytes)),
  ...noise,
  ...connections,
];
