import { type Expected, readOrder } from './expected-order.ts';
import type { Nasty } from './nasty-strings.ts';
import { endsLine, isNearLimit, keyOf, MOST_HEADER_BYTES, never, PLACED_BODY, type Place, requestOf } from './place.ts';

/** Headers, paths and queries: places that a value could break out of. */

/** Whether Node's parser takes the bytes as a header's value (RFC 9110: no control character but the tab). */
const isHeaderValue = ({ bytes }: Nasty) => !bytes.some((byte) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f);
/** As the service sees it: without the blanks around it. */
const trimmed = ({ bytes }: Nasty) => bytes.toString('latin1').replace(/^[ \t]+|[ \t]+$/g, '');
const line = (name: string, { bytes }: Nasty) => Buffer.concat([Buffer.from(`${name}: `), bytes]);

const header = (name: string, wanted: (value: Nasty) => Expected, request: Place['request']): Place => ({
  name: `header ${name}`,
  side: 'interface',
  isAlone: endsLine,
  request,
  expected(value) {
    // What ends a line is a request of the caller's own making; of its first answer only the form is known.
    if (endsLine(value) || isNearLimit(value.bytes.length)) return undefined;
    if (value.bytes.length > MOST_HEADER_BYTES) return { status: [400, 413] };
    return isHeaderValue(value) ? wanted(value) : { status: [400], code: 'request_body_invalid' };
  },
});

/** Headers that the service reads, or that others like it do; none may change how an order is replayed. */
const harmless =
  'Accept Accept-Charset Accept-Encoding Accept-Language Content-Type Content-Encoding Content-Language Cookie Origin Referer User-Agent ' +
  'If-None-Match If-Match If-Modified-Since Range Sec-Fetch-Site Sec-Fetch-Mode X-Forwarded-For X-Forwarded-Proto X-Forwarded-Host X-Real-IP ' +
  'Forwarded X-HTTP-Method-Override X-Original-URL Request-Id X-Request-Id traceparent Prefer Via Date Pragma Cache-Control From DNT TE ' +
  'Proxy-Authorization X-Bestow-Client-Address X-Twilio-Signature X-Amz-Sns-Message-Type Idempotent-Replayed';

const { gifts: placedGifts = [] } = readOrder(PLACED_BODY);
const refusedKey: Expected = { status: [401] };

export const headerPlaces: readonly Place[] = [
  ...harmless.split(' ').map((name) =>
    header(
      name,
      () => ({ status: [200], gifts: placedGifts }),
      (value, ground) => {
        const headers = [keyOf(ground), `Idempotency-Key: ${ground.placedKey}`, line(name, value)];
        return requestOf('POST /v1/orders', headers, PLACED_BODY);
      },
    ),
  ),
  header(
    'Host',
    () => ({ status: [200] }),
    (value, ground) => requestOf('GET /v1/orders?limit=1', [line('Host', value), keyOf(ground)]),
  ),
  header(
    'Authorization',
    () => refusedKey,
    (value) => requestOf('GET /v1/orders?limit=1', [line('Authorization', value)]),
  ),
  header(
    'Authorization: Bearer',
    () => refusedKey,
    (value) => requestOf('GET /v1/orders?limit=1', [line('Authorization: Bearer', value)]),
  ),
  header(
    'Expect',
    // Node takes the one expectation that it knows from anywhere in the value.
    (value) => ({ status: /100-continue/i.test(trimmed(value)) || trimmed(value) === '' ? [200, 400] : [400] }),
    (value, ground) => requestOf('GET /v1/orders?limit=1', [keyOf(ground), line('Expect', value)]),
  ),
  header(
    'Idempotency-Key',
    (value) =>
      /^[ -~]{1,255}$/.test(trimmed(value))
        ? { status: [200, 201], gifts: placedGifts }
        : { status: [422], code: 'parameter_invalid' },
    (value, ground) => requestOf('POST /v1/orders', [keyOf(ground), line('Idempotency-Key', value)], PLACED_BODY),
  ),
];

const percent = (bytes: Buffer) =>
  [...bytes]
    .map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`))
    .join('');
const isPlain = (byte: number) => /[A-Za-z0-9]/.test(String.fromCharCode(byte));

interface Line {
  side?: Place['side'];
  before: string;
  behind?: string;
  body?: string;
  /** Where the value is percent-encoded; raw, only that it is refused or answered in form is known. */
  wanted(value: Nasty): Expected | undefined;
}

/** The same place twice: with the value percent-encoded, and as it is. */
function target({ side = 'interface', before, behind = '', body, wanted }: Line): Place[] {
  const lastly = body === undefined ? undefined : Buffer.from(body);
  const name = `${before}…${behind}`;
  return [
    {
      name,
      side,
      isAlone: never,
      request: ({ bytes }, ground) => requestOf(`${before}${percent(bytes)}${behind}`, [keyOf(ground)], lastly),
      expected(value) {
        const { length } = percent(value.bytes);
        if (isNearLimit(length)) return undefined;
        return length > MOST_HEADER_BYTES ? { status: [413], code: 'request_body_too_large' } : wanted(value);
      },
    },
    {
      name: `${name}, raw`,
      side,
      // A blank, or nothing, can end the path too; Node then says 400, and the connection ends.
      isAlone: endsLine,
      request: ({ bytes }, ground) =>
        requestOf(Buffer.concat([Buffer.from(before), bytes, Buffer.from(behind)]), [keyOf(ground)], lastly),
      expected: (value) =>
        side === 'interface' && !before.includes('?') && !endsLine(value) ? { status: [400, 404, 413] } : undefined,
    },
  ];
}

const missing = (): Expected => ({ status: [404], code: 'resource_missing' });
const anything = () => undefined;

export const pathPlaces: readonly Place[] = [
  target({ before: 'GET /v1/orders/', wanted: missing }),
  target({ before: 'GET /v1/gifts/', wanted: missing }),
  target({
    before: 'PUT /v1/gifts/',
    behind: '/delivery',
    body: '{"method":"email","email":"a@example.com"}',
    wanted: missing,
  }),
  ...['deliver', 'open', 'claim', 'spend'].map((act) =>
    target({ before: 'POST /v1/sandbox/gifts/', behind: `/${act}`, body: '', wanted: missing }),
  ),
  target({ before: 'GET /v1/', wanted: missing }),
  ...[
    'g/',
    'catalog/',
    'artwork/',
    'portal/assets/',
    'portal/',
    'portal/api/',
    'docs/',
    'outbox/',
    'outbox/html/',
    '',
  ].map((page) => target({ side: 'page', before: `GET /${page}`, wanted: anything })),
  target({ side: 'page', before: 'POST /g/', behind: '/claim', body: '', wanted: anything }),
].flat();

const CURSOR = /^[A-Za-z0-9_-]+$/;
const limit = ({ bytes }: Nasty): Expected =>
  /^(?:[1-9][0-9]?|100)$/.test(bytes.toString('latin1'))
    ? { status: [200] }
    : { status: [422], code: 'parameter_invalid' };
const cursor = ({ bytes }: Nasty): Expected => ({
  status: [422],
  code: CURSOR.test(bytes.toString('latin1')) ? 'cursor_invalid' : 'parameter_invalid',
});

export const queryPlaces: readonly Place[] = ['orders', 'gifts']
  .flatMap((list) => [
    target({ before: `GET /v1/${list}?limit=`, wanted: limit }),
    target({ before: `GET /v1/${list}?starting_after=`, wanted: cursor }),
    target({ before: `GET /v1/${list}?ending_before=`, wanted: cursor }),
    target({ before: `GET /v1/${list}?limit=1&unknown=`, wanted: () => ({ status: [200] }) }),
  ])
  .flat();
