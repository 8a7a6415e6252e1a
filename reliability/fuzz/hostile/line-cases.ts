import { answered, characters, hexadecimal, refused, request, type SocketCase } from './socket-case.ts';

const nameOf = (character: string) => hexadecimal(character.charCodeAt(0));

/** HTTP knows them, this service does not. */
const otherMethods =
  'DELETE PATCH OPTIONS TRACE PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK SEARCH QUERY PURGE REPORT LINK UNLINK M-SEARCH ' +
  'NOTIFY SUBSCRIBE UNSUBSCRIBE BIND REBIND UNBIND ACL MERGE MKACTIVITY CHECKOUT MKCALENDAR';
const noMethods =
  'GIFT get Get gET GETT GE POSTS PUTT HEADER - _ * / {} [] <x> 1 GET: GET, "GET" PRI RTSP FOO-BAR M_SEARCH GÉT';
const methods: readonly SocketCase[] = [
  ...otherMethods
    .split(' ')
    .flatMap((method) => [
      answered(`${method} of a path that has others`, request(`${method} /v1/orders`), 404),
      answered(`${method} of no path`, request(`${method} /v1/nothing`), 404),
    ]),
  ...noMethods.split(' ').map((method) => refused(`the method ${method}`, request(`${method} /v1/orders`))),
  refused('a NUL before the method', `\0${request('GET /v1/health')}`),
  refused('a tab behind the method', request('GET\t/v1/health')),
  refused('a blank before the method', ` ${request('GET /v1/health')}`),
  refused('a method of 8 kB', request(`${'A'.repeat(8_000)} /v1/health`)),
  refused('CONNECT of an authority', request('CONNECT gifts.test:443'), 404),
  refused('CONNECT of a path', request('CONNECT /v1/orders'), 404),
];

const first = (line: string) => `${line}\r\nHost: gifts.test\r\n\r\n`;
const wrongVersions =
  'HTTP/1.2 HTTP/3.7 HTTP/1.10 HTTP/01.1 http/1.1 Http/1.1 HTTP/1 HTTP/ HTTP HTTPS/1.1 HTTP/1,1 HTTP/1.1.1 HTTP/+1.1 HTTP/9.9 HTTP/A.B HTTP\\1.1 HTCPCP/1.0';
const versions: readonly SocketCase[] = [
  ...wrongVersions.split(' ').map((version) => refused(`the version ${version}`, first(`GET /v1/health ${version}`))),
  refused('a blank in the version', first('GET /v1/health HTTP /1.1')),
  refused('a word behind the version', first('GET /v1/health HTTP/1.1 x')),
  refused('no path', first('GET HTTP/1.1')),
  refused('two blanks, no path', first('GET  HTTP/1.1')),
];

const missing = [
  '/v1/%00',
  '/v1/..%2forders',
  '/v1/orders/..%2f..%2fetc%2fpasswd',
  '/v1/orders/%2e%2e/gifts',
  '/v1/../v1/orders',
  '/../../etc/passwd',
  '//v1/orders',
  '/v1//orders',
  '/v1/orders/',
  '/v1/orders;x=1',
  '/v1/./orders',
  '/v1/%2Forders',
  '/v1/orders/%ZZ',
  '/v1/orders/%',
  '/v1/gifts/%ff',
  '/v1/gifts/%c0%80',
  '/%',
  '/%00',
  '/v1/orders%00',
  '/v1/orders%20',
  '/V1/orders',
  '/v1/Orders',
  '/v1/orders\\',
  '/\\evil.test',
  '/v1/orders/%0d%0aX:y',
  '/v1/orders/{order_id}',
  '/v1/orders/<x>',
  "/v1/orders/'",
  '/v1/orders/"',
  '/v1/orders/`',
  '/v1/orders/|',
  '/v1/orders/^',
  '/v1/orders/a/b',
  '/v1/orders/%F0%9F%98%80',
  '/v2/orders',
  '/v1',
  '/v1/',
];
const targets: readonly SocketCase[] = [
  ...missing.map((path) => answered(`the path ${path}`, request(`PUT ${path}`), 404)),
  ...[...characters(0x00, 0x1f), ...characters(0x7f, 0x82), ...characters(0xfd, 0xff)]
    // A line feed or a return ends the line.
    .filter((one) => one !== '\n' && one !== '\r')
    .map((one) => refused(`${nameOf(one)} in the path`, request(`GET /v1/he${one}lth`))),
  refused('a line feed in the path', request('GET /v1/he\nlth')),
  refused('a return in the path', request('GET /v1/he\rlth')),
  refused('a blank in the path', request('GET /v1/he lth')),
  refused('a path without a slash', request('GET v1/health')),
  answered('an asterisk', request('OPTIONS *'), 404),
  answered('an absolute address', request('GET http://elsewhere.test/v1/health'), 200),
  answered('an absolute address of no path', request('GET http://elsewhere.test/v1/nothing'), 404),
  answered('an absolute address with a name and a password', request('GET http://a:b@elsewhere.test/v1/health'), 200),
  answered('an absolute address of another scheme', request('GET https://elsewhere.test/v1/health'), 200),
  answered('an absolute address without a host', request('GET http:///v1/health'), 404),
  answered('a fragment', request('GET /v1/health#part'), 200),
  answered('a query of odd signs', request('GET /v1/health?&&==?/%00%ff'), 200),
];

const SEPARATORS = '()<>@,;\\"/[]?={}';
const names: readonly SocketCase[] = [
  ...[...SEPARATORS, ...characters(0x00, 0x20), ...characters(0x7f, 0x81), '\xff']
    .filter((one) => one !== '\n' && one !== '\r')
    .map((one) => refused(`${nameOf(one)} in a header’s name`, request('GET /v1/health', [`X${one}Y: z`]))),
  refused('a blank before the colon', request('GET /v1/health', ['X : y'])),
  refused('a tab before the colon', request('GET /v1/health', ['X\t: y'])),
  refused('a blank before the colon of a length', request('POST /v1/orders', ['Content-Length : 2'], '{}')),
  refused('no name', request('GET /v1/health', [': y'])),
  refused('no colon', request('GET /v1/health', ['X'])),
  refused('a line feed in a name', request('GET /v1/health', ['X\nY: z'])),
  refused('a return in a name', request('GET /v1/health', ['X\rY: z'])),
  refused('a header folded with a blank', request('GET /v1/health', ['X: a', ' b'])),
  refused('a header folded with a tab', request('GET /v1/health', ['X: a', '\tb'])),
  refused('the first header folded', 'GET /v1/health HTTP/1.1\r\n Host: gifts.test\r\n\r\n'),
  answered('no Host', 'GET /v1/health HTTP/1.1\r\n\r\n', 400),
];

const values: readonly SocketCase[] = [
  ...[...characters(0x00, 0x08), ...characters(0x0b, 0x0c), ...characters(0x0e, 0x1f), '\x7f'].map((one) =>
    refused(`${nameOf(one)} in a header’s value`, request('GET /v1/health', [`X: a${one}b`])),
  ),
  ...['\t', ' ', '\x80', '\xff', '"', '\\', ',', ';', ':'].map((one) =>
    answered(`${nameOf(one)} in a header’s value`, request('GET /v1/health', [`X: a${one}b`]), 200),
  ),
  refused('a line feed in a value', request('GET /v1/health', ['X: a\nb'])),
  refused('a return in a value', request('GET /v1/health', ['X: a\rb'])),
  refused('a line feed and a header in a value', request('GET /v1/health', ['X: a\nContent-Length: 5'])),
  refused('line feeds alone', request('GET /v1/health').replaceAll('\r\n', '\n')),
  refused('returns alone', request('GET /v1/health').replaceAll('\r\n', '\r')),
  refused('two returns at each end', request('GET /v1/health').replaceAll('\r\n', '\r\r\n')),
  refused('a line feed at the end of the headers', 'GET /v1/health HTTP/1.1\r\nHost: gifts.test\r\n\n'),
  refused('a line feed behind the first line', 'GET /v1/health HTTP/1.1\nHost: gifts.test\r\n\r\n'),
  answered('an empty value', request('GET /v1/health', ['X:']), 200),
  answered('no blank behind the colon', request('GET /v1/health', ['X:y']), 200),
  answered('empty lines first', `\r\n\r\n${request('GET /v1/health')}`, 200),
];

const filler = (count: number) => 'a'.repeat(count);
const sizes: readonly SocketCase[] = [
  answered('headers of 15 kB', request('GET /v1/health', [`X: ${filler(15_000)}`]), 200),
  answered('a path of 15 kB', request(`GET /v1/orders/${filler(15_000)}`), 401),
  // Blanks around a value are no part of it, and are not counted.
  answered('17 kB of blanks before a value', request('GET /v1/health', [`X: ${' '.repeat(17_000)}y`]), 200),
  answered('600 headers', request('GET /v1/health', Array(600).fill('X: filler')), 200),
  refused('headers of 17 kB', request('GET /v1/health', [`X: ${filler(17_000)}`]), 413),
  refused('a name of 17 kB', request('GET /v1/health', [`${filler(17_000)}: y`]), 413),
  refused('a path of 17 kB', request(`GET /${filler(17_000)}`), 413),
  refused('a query of 17 kB', request(`GET /v1/health?${filler(17_000)}`), 413),
  refused('17 kB of small headers', request('GET /v1/health', Array(1_700).fill('X: filler')), 413),
  refused('headers of a megabyte', request('GET /v1/health', [`X: ${filler(1_000_000)}`]), 413),
  refused('a cookie of 17 kB', request('GET /v1/health', [`Cookie: ${filler(17_000)}`]), 413),
  refused('a key of 17 kB', request('GET /v1/orders', [`Authorization: Bearer ${filler(17_000)}`]), 413),
];

/** First lines and headers: what is no HTTP in them, and what looks like something else than it is. */
export const lineCases: readonly SocketCase[] = [...methods, ...versions, ...targets, ...names, ...values, ...sizes];
