import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** Bytes that are no text, or are one in another encoding than UTF-8. */

/** In hexadecimal: overlong, cut off, out of range, halves of pairs, bytes that no UTF-8 has. */
const notUtf8 =
  '80 bf ff fe c0 c1 f5 f8 fc fffe feff c080 c0af c1bf e08080 e09fbf f0808080 f08fbfbf f8888080 fc8480808080 c2 e282 e2 f09f98 f09f f0 ' +
  'eda080 edbfbf eda0bdedb880 edb880 f4908080 f7bfbfbf c328 a0a1 e228a1 e28228 f0288cbc f09028bc f0288c28 80808080 bfbf e9 fc72 a3 93 ' +
  'c3 c3c3 e2e282ac 41c0 c020 c022 c05c e0a4 f1 1bc0 9f 85 efbb efbf fdbfbfbfbfbf';

/** An order that is placed wherever its encoding is the right one. */
const ORDER = '{"gifts":[{"amount":1000,"category":"coffee","delivery":{"method":"link"}}]}';
const texts = ['Ada', 'é', ORDER];

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const swapped = (text: string) => utf16(text).swap16();
const utf32 = (text: string) => Buffer.from(Uint32Array.from(text, (one) => one.codePointAt(0) ?? 0).buffer);

const encodings: Record<string, (text: string) => Buffer> = {
  'UTF-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'UTF-8 with two marks': (text) => Buffer.from(`\ufeff\ufeff${text}`),
  'UTF-16': utf16,
  'UTF-16 with a mark': (text) => utf16(`\ufeff${text}`),
  'UTF-16, big end first': swapped,
  'UTF-16, big end first, with a mark': (text) => swapped(`\ufeff${text}`),
  'UTF-32': utf32,
  'UTF-7': (text) =>
    Buffer.from(text.replace(/[^A-Za-z]/g, (one) => `+${swapped(one).toString('base64').replace(/=/g, '')}-`)),
  'Latin 1': (text) => Buffer.from(text, 'latin1'),
  base64: (text) => Buffer.from(Buffer.from(text).toString('base64')),
  gzip: (text) => gzipSync(text),
  'gzip twice': (text) => gzipSync(gzipSync(text)),
  'gzip cut off': (text) => gzipSync(text).subarray(0, 15),
  deflate: (text) => deflateSync(text),
  'raw deflate': (text) => deflateRawSync(text),
  brotli: (text) => brotliCompressSync(text),
  zstd: (text) => zstdCompressSync(text),
  'a NUL behind': (text) => Buffer.from(`${text}\0`),
  'a NUL before': (text) => Buffer.from(`\0${text}`),
  'blanks around': (text) => Buffer.from(` \r\n\t${text}\r\n\t `),
  'blanks that are none': (text) => Buffer.from(`\u00a0${text}\u3000`),
  'a line of JSON behind': (text) => Buffer.from(`${text}\n${text}`),
  'a record mark before': (text) => Buffer.from(`\x1e${text}\n`),
  "a script's guard before": (text) => Buffer.from(`)]}',\n${text}`),
};

const broken = notUtf8.split(' ').flatMap((hexadecimal) => {
  const bytes = Buffer.from(hexadecimal, 'hex');
  return [
    bytes,
    Buffer.concat([Buffer.from('A'), bytes, Buffer.from('da')]),
    Buffer.concat([Buffer.from('Ada'), bytes]),
  ];
});

/** [family, bytes] of everything that is not simply a text. */
export const hostileBytes: readonly (readonly [family: string, bytes: Buffer])[] = [
  ...broken.map((bytes) => ['not UTF-8', bytes] as const),
  ...Object.entries(encodings).flatMap(([name, encode]) =>
    texts.map((text) => [`encoded as ${name}`, encode(text)] as const),
  ),
  // Every byte but letters and digits alone: each is tried as a header, a path and a query, too.
  ...Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]))
    .filter((bytes) => !/[A-Za-z0-9]/.test(bytes.toString('latin1')))
    .map((bytes) => ['one byte', bytes] as const),
];
