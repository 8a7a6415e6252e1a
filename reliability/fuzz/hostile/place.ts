import type { Expected } from './expected-order.ts';
import type { Nasty } from './nasty-strings.ts';

/** What a lane's requests are about: an organization of its own, and gifts that nothing here may change. */
export interface Ground {
  key: string;
  /** An email gift that was claimed: it cannot be redirected or claimed again. */
  claimedGift: string;
  /** A link gift: its delivery cannot be settled. */
  linkGift: string;
  /** The Idempotency-Key of an order that was placed before with `PLACED_BODY`. */
  placedKey: string;
}

/** Somewhere that a value is put. */
export interface Place {
  name: string;
  side: 'interface' | 'page';
  /** Whether the value could end the line it stands in, so that the bytes are more or less than one request. */
  isAlone(value: Nasty): boolean;
  /** @param unique a text that no other request has */
  request(value: Nasty, ground: Ground, unique: string): Buffer;
  /** How it is to be answered; undefined where any answer of the catalogue will do. */
  expected(value: Nasty): Expected | undefined;
}

export const PLACED_BODY = Buffer.from(
  '{"gifts":[{"amount":1000,"category":"coffee","delivery":{"method":"email","email":"a@example.com"},"personalization":{"recipient_name":"Ada"}}]}',
);

const LINE = Buffer.from('\r\n');
const HOST = 'Host: gifts.test';

/** The bytes of a request; its headers are those given, the length of its body, and a Host where none is given. */
export function requestOf(
  firstLine: string | Buffer,
  headers: readonly (string | Buffer)[],
  body: Buffer | undefined = undefined,
): Buffer {
  const hasHost = headers.some((each) => each.toString('latin1').startsWith('Host:'));
  const lines = [...(hasHost ? [] : [HOST]), ...headers, ...(body ? [`Content-Length: ${body.length}`] : [])];
  return Buffer.concat([
    Buffer.from(firstLine),
    Buffer.from(' HTTP/1.1\r\n'),
    ...lines.flatMap((each) => [Buffer.from(each), LINE]),
    LINE,
    body ?? Buffer.alloc(0),
  ]);
}

export const keyOf = ({ key }: Ground) => `Authorization: Bearer ${key}`;

export const never = () => false;
export const endsLine = ({ bytes }: Nasty) => bytes.includes('\r') || bytes.includes('\n');

/** First line and headers together may have 16 KB, of which under 1 KB is not the value: between the two, either may be. */
export const MOST_HEADER_BYTES = 16_384;
export const isNearLimit = (bytes: number) => bytes > MOST_HEADER_BYTES - 1_000 && bytes <= MOST_HEADER_BYTES;
