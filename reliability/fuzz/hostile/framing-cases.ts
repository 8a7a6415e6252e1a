import { answered, brokenOff, inBytes, refused, request, type SocketCase } from './socket-case.ts';

/**
 * Where a request ends. Behind each stands one that must never be answered twice, or be taken for a part of another: two
 * readers who disagree would let one caller speak in another's name.
 */

const SMUGGLED = 'GET /v1/smuggled HTTP/1.1\r\nHost: gifts.test\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked';

/** Framing that two readers could read in two ways: nobody answers what stands in the body. */
const conflicting: readonly (readonly [name: string, headers: readonly string[]])[] = [
  ['a length and chunks', ['Content-Length: 4', CHUNKED]],
  ['chunks and a length', [CHUNKED, 'Content-Length: 4']],
  ['no length and chunks', ['Content-Length: 0', CHUNKED]],
  ['a length and chunks in capitals', ['CONTENT-LENGTH: 4', 'TRANSFER-ENCODING: CHUNKED']],
  ['two equal lengths', ['Content-Length: 5', 'Content-Length: 5']],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 44']],
  ['two lengths in a list', ['Content-Length: 5, 5']],
  ['two different lengths in a list', ['Content-Length: 0, 44']],
  ['a length with a plus', ['Content-Length: +5']],
  ['a negative length', ['Content-Length: -5']],
  ['a length in hexadecimal', ['Content-Length: 0x5']],
  ['a length with a point', ['Content-Length: 5.0']],
  ['a length with an exponent', ['Content-Length: 5e0']],
  ['a length with a blank inside', ['Content-Length: 5 5']],
  ['a length with a word behind', ['Content-Length: 5;a=b']],
  ['a length of words', ['Content-Length: five']],
  ['a length in quotes', ['Content-Length: "5"']],
  ['a length of 20 digits', ['Content-Length: 18446744073709551616']],
  ['a length of 30 digits', [`Content-Length: ${'9'.repeat(30)}`]],
  ['a length with a NUL', ['Content-Length: 5\0']],
  ['a length with a line feed', ['Content-Length: 5\n']],
  ['a length with digits of another script', ['Content-Length: \xd9\xa5']],
  ['an empty length', ['Content-Length: ']],
  ['a length folded over two lines', ['Content-Length:', ' 5']],
  ['a blank before the colon of the chunks', ['Transfer-Encoding : chunked']],
  ['chunks folded over two lines', ['Transfer-Encoding:', ' chunked']],
  ['chunks with a vertical tab', ['Transfer-Encoding: \vchunked']],
  ['chunks with a NUL', ['Transfer-Encoding: chunked\0']],
  ['chunks behind a line feed', ['X: y\nTransfer-Encoding: chunked']],
  ['chunks behind a return', ['X: y\rTransfer-Encoding: chunked']],
];

/** An encoding that does not end in one `chunked`: the body has no end that anybody could know. */
const endless = [
  'gzip',
  'identity',
  'chunked, gzip',
  'xchunked',
  'chunkedx',
  '"chunked"',
  'chunked;q=1',
  'chunked, identity',
  'cow',
  'chunked,',
  ',',
  'chun ked',
];

const framings: readonly SocketCase[] = [
  ...conflicting.flatMap(([name, headers]) => [
    refused(`POST with ${name}`, request('POST /v1/sandbox/reset', headers, `0\r\n\r\n${SMUGGLED}`)),
    refused(`GET with ${name}`, request('GET /v1/health', headers, `0\r\n\r\n${SMUGGLED}`)),
  ]),
  ...endless.map((encoding) =>
    refused(
      `the encoding ${encoding}`,
      request('GET /v1/health', [`Transfer-Encoding: ${encoding}`], `0\r\n\r\n${SMUGGLED}`),
    ),
  ),
  ...['5', '05', '0000000000000005', '5 ', ' 5', '\t5\t'].map((length) =>
    answered(`the length “${length}”`, request('GET /v1/health', [`Content-Length: ${length}`], 'GET /'), 200),
  ),
  ...['chunked', 'CHUNKED', ' chunked ', '\tchunked', 'gzip, chunked'].map((encoding) =>
    answered(
      `the encoding “${encoding}”`,
      request('GET /v1/health', [`Transfer-Encoding: ${encoding}`], '5\r\nGET /\r\n0\r\n\r\n'),
      200,
    ),
  ),
  answered(
    'a request in a body with a length',
    request('GET /v1/health', [`Content-Length: ${SMUGGLED.length}`], SMUGGLED),
    200,
  ),
  answered(
    'a request in a chunk',
    request('GET /v1/health', [CHUNKED], `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`),
    200,
  ),
  answered(
    'headers whose names only look like a length',
    request('GET /v1/health', ['Content_Length: 5', 'X-Content-Length: 5', 'Content-Length2: 5']),
    200,
  ),
  answered(
    'headers whose names only look like chunks',
    request('GET /v1/health', ['Transfer_Encoding: chunked', 'X-Transfer-Encoding: chunked']),
    200,
  ),
  refused('a body that is longer than it says', request('GET /v1/health', ['Content-Length: 2'], 'abcd'), 200, 400),
];

const chunks = (name: string, body: string) =>
  refused(name, request('POST /v1/sandbox/reset', ['Authorization: Bearer none', CHUNKED], body), 401);

const wrongSizes = [
  'zz',
  '-1',
  '+2',
  '0x2',
  ' 2',
  '2 2',
  '2.0',
  '',
  'g',
  '\x002',
  '2\0',
  'FFFFFFFFFFFFFFFFF',
  '10000000000000000',
  '2_',
  '\xb2',
  '2,',
  '2=',
  '"2"',
  '2\n',
];
const wrongChunks: readonly (readonly [name: string, body: string])[] = [
  ...wrongSizes.map((size) => [`a chunk of “${size}”`, `${size}\r\n{}\r\n0\r\n\r\n`] as const),
  ['a chunk longer than its size', '1\r\n{}\r\n0\r\n\r\n'],
  ['a chunk shorter than its size', '3\r\n{}\r\n0\r\n\r\n'],
  ['a line feed behind the size', '2\n{}\r\n0\r\n\r\n'],
  ['a line feed behind the chunk', '2\r\n{}\n0\r\n\r\n'],
  ['a return behind the size', '2\r{}\r\n0\r\n\r\n'],
  ['nothing behind the chunk', '2\r\n{}0\r\n\r\n'],
  ['an extension with a line feed', '2;a\n{}\r\n0\r\n\r\n'],
  ['an extension with a NUL', '2;a=\0\r\n{}\r\n0\r\n\r\n'],
  ['an extension of 20 kB', `2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  ['a trailer without a colon', '2\r\n{}\r\n0\r\nX\r\n\r\n'],
  ['a trailer with a line feed', '2\r\n{}\r\n0\r\nX: y\n\r\n'],
  ['a trailer that is a length', '2\r\n{}\r\n0\r\nContent-Length: 44\r\n\r\n'],
  ['a trailer that is an encoding', '2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['trailers of 20 kB', `2\r\n{}\r\n0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
  ['a line feed at the end', '2\r\n{}\r\n0\r\n\n'],
];
const rightChunks: readonly (readonly [name: string, body: string])[] = [
  ['no chunks', '0\r\n\r\n'],
  ['sizes with zeros before', '00000002\r\n{}\r\n00000\r\n\r\n'],
  ['a size in capitals', `A\r\n${'x'.repeat(10)}\r\n0\r\n\r\n`],
  ['an extension', '2;a=b\r\n{}\r\n0;c\r\n\r\n'],
  ['an extension in quotes', '2;a="b;c"\r\n{}\r\n0\r\n\r\n'],
  ['a trailer', '2\r\n{}\r\n0\r\nX: y\r\n\r\n'],
  ['a trailer that is a key', '2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n'],
  ['a thousand chunks of a byte', `${'1\r\nx\r\n'.repeat(1_000)}0\r\n\r\n`],
];

const HEALTH = request('GET /v1/health');
const NOTHING = request('GET /v1/nothing');
const ORDER = request('POST /v1/orders', ['Content-Length: 5'], 'GET /');
const pipelined: readonly SocketCase[] = [
  answered('two requests at once', HEALTH + NOTHING, 200, 404),
  answered('fifty requests at once', (HEALTH + NOTHING).repeat(25), ...Array(25).fill([200, 404]).flat()),
  answered('a body between two requests', HEALTH + ORDER + NOTHING, 200, 401, 404),
  answered('empty lines between requests', `${HEALTH}\r\n\r\n${NOTHING}\r\n`, 200, 404),
  refused('a close in the middle', HEALTH + request('GET /v1/health', ['Connection: close']) + NOTHING, 200, 200),
  ...['garbage\r\n\r\n', '\0', 'GET /', request('GIFT /'), request('GET /v1/health', ['X : y'])].map((broken) =>
    refused(`requests before ${JSON.stringify(broken.slice(0, 20))}`, HEALTH + NOTHING + broken, 200, 404, 400),
  ),
  refused('a request before headers too large', HEALTH + request('GET /', [`X: ${'x'.repeat(17_000)}`]), 200, 413),
  inBytes('a request', HEALTH, 200),
  inBytes('a refusal', NOTHING, 404),
  inBytes('a body', request('GET /v1/health', [CHUNKED], '2\r\n{}\r\n0\r\n\r\n'), 200),
];

const WHOLE = request(
  'POST /v1/orders',
  ['Authorization: Bearer none', 'Idempotency-Key: half', 'Content-Length: 2'],
  '{}',
);
const HEADERS_END = WHOLE.indexOf('\r\n\r\n') + 4;
/** Cut off at every second byte: the caller says that nothing follows. */
const halves = Array.from({ length: Math.floor(WHOLE.length / 2) }, (_, index) => 1 + 2 * index).map((length) =>
  brokenOff(`the first ${length} bytes of a request`, WHOLE.slice(0, length), length < HEADERS_END ? 400 : 401),
);

export const framingCases: readonly SocketCase[] = [
  ...framings,
  ...wrongChunks.map(([name, body]) =>
    refused(name, request('GET /v1/health', [CHUNKED], body), name.startsWith('trailers of') ? 413 : 400),
  ),
  ...wrongChunks.map(([name, body]) => chunks(`${name}, without a key`, body)),
  ...rightChunks.map(([name, body]) => answered(name, request('GET /v1/health', [CHUNKED], body), 200)),
  ...pipelined,
  brokenOff('nothing at all', ''),
  brokenOff('an empty line', '\r\n'),
  brokenOff('a whole request, and no more', HEALTH, 200),
  brokenOff('two requests, and half of a third', HEALTH + NOTHING + HEALTH.slice(0, 20), 200, 404, 400),
  ...halves,
];
