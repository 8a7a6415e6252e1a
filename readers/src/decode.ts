import { TableError } from './table.ts';

/** Encodings of files that are not Unicode, as spreadsheet programs save them. */
const encodings = {
  'windows-1252': 'Western Europe, Windows',
  macintosh: 'Western Europe, Mac',
  'windows-1250': 'Central Europe, Windows',
  'windows-1254': 'Turkish, Windows',
  'windows-1251': 'Cyrillic, Windows',
  'windows-1253': 'Greek, Windows',
  'windows-1255': 'Hebrew, Windows',
  'windows-1256': 'Arabic, Windows',
  shift_jis: 'Japanese, Shift JIS',
  gb18030: 'Chinese, GB 18030',
  big5: 'Chinese, Big5',
  'euc-kr': 'Korean, EUC-KR',
} as const;
export type Encoding = keyof typeof encodings;

export const isEncoding = (text: string): text is Encoding => Object.hasOwn(encodings, text);

/** One way to read a file, with words of it that differ. */
export interface Reading {
  encoding: Encoding;
  label: string;
  sample: string;
}

/** The text; or, if the file is not Unicode, the ways to read it, from which a person chooses. */
export type Decoded = { text: string } | { readings: Reading[] };

const begins = (bytes: Uint8Array, ...signature: number[]) => signature.every((byte, at) => bytes[at] === byte);
export const isZip = (bytes: Uint8Array): boolean => begins(bytes, 0x50, 0x4b, 0x03, 0x04);

const BINARY = 'This file is not a table that can be read. Save it as XLSX or as “CSV UTF-8”, and try again.';
const DAMAGED = 'This file is damaged: its letters cannot be read. Save it again as XLSX or as “CSV UTF-8”.';
const OLD =
  'This file is an old Excel workbook (.xls), or it has a password. Save it as XLSX without a password, and try again.';
const MARKUP =
  'This file is a web page, although its name says otherwise. Open it in Excel, save it as XLSX, and try again.';

/**
 * Decodes a file that is not a workbook.
 *
 * @param encoding as a person chose it, for a file that is not Unicode
 * @throws TableError that names the form of the file and what to save instead
 */
export function decode(bytes: Uint8Array, encoding?: Encoding): Decoded {
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new TableError(OLD);
  const text = decodeUnicode(bytes);
  if (text !== undefined) {
    if (/^\s*<(?:!doctype|html|table|\?xml)/i.test(text)) throw new TableError(MARKUP);
    return { text };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a binary file has them
  if (/[\0-\x08\x0e-\x19\x1c-\x1f]/.test(new TextDecoder('latin1').decode(bytes))) throw new TableError(BINARY);
  if (encoding !== undefined) return { text: new TextDecoder(encoding).decode(bytes) };
  const readings = readingsOf(bytes);
  if (readings.length === 0) throw new TableError(BINARY);
  return { readings };
}

function decodeUnicode(bytes: Uint8Array): string | undefined {
  if (begins(bytes, 0xff, 0xfe)) return decodeWhole('utf-16le', bytes);
  if (begins(bytes, 0xfe, 0xff)) return decodeWhole('utf-16be', bytes);
  if (begins(bytes, 0xef, 0xbb, 0xbf)) return decodeWhole('utf-8', bytes);
  // Without a mark, UTF-16 has a zero in every second byte of Western text.
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > bytes.length / 8 && even === 0) return decodeWhole('utf-16le', bytes);
  if (even > bytes.length / 8 && odd === 0) return decodeWhole('utf-16be', bytes);
  if (even + odd > bytes.length / 8) throw new TableError(BINARY);
  return tryDecode('utf-8', bytes);
}

function decodeWhole(encoding: string, bytes: Uint8Array): string {
  const text = tryDecode(encoding, bytes);
  if (text === undefined) throw new TableError(DAMAGED);
  return text;
}

function tryDecode(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const MOST_WORDS = 4;

/** Readings that give the same text are one. */
function readingsOf(bytes: Uint8Array): Reading[] {
  const texts = new Set<string>();
  const readings: Reading[] = [];
  for (const [encoding, label] of Object.entries(encodings) as [Encoding, string][]) {
    const text = tryDecode(encoding, bytes);
    // Letters that this encoding does not have become control characters.
    if (text === undefined || texts.has(text) || /[\x80-\x9f]/.test(text)) continue;
    texts.add(text);
    const words = text.match(/[^\s,;|"]*[^\0-\x7f][^\s,;|"]*/g) ?? [];
    readings.push({ encoding, label, sample: [...new Set(words)].slice(0, MOST_WORDS).join(' ') });
  }
  return readings;
}
