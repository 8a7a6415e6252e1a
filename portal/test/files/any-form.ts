import { isAscii, isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import papaparse from 'papaparse';
import { encodeBytes, utf16 } from './encode.ts';

/** Signs that separate and quote cells, and letters of windows-1252. */
export const letters = fc.constantFrom(...'abcXYZ 0189,;|\t"\'.-éßü€');

const encodings: Record<string, (text: string) => Buffer> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with its mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text) => utf16(text, 'LE'),
  'utf-16be': (text) => utf16(text, 'BE'),
  'windows-1252': (text) => encodeBytes(text, 'windows-1252'),
};

/** The encoding, the separator and the ends of lines of a table. */
export const anyForm = fc.record({
  encoding: fc.constantFrom(...Object.keys(encodings)),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\r\n', '\n'),
});
export type Form = ReturnType<typeof anyForm.generate>['value'];

/** Writes a table as a program does. */
export function writeTable(rows: readonly (readonly string[])[], { encoding, delimiter, newline }: Form): Buffer {
  const text = papaparse.unparse(rows as string[][], { delimiter, newline });
  return (encodings[encoding] as (text: string) => Buffer)(text);
}

/** “ß€” of windows-1252 has the bytes of another letter in UTF-8; if nothing else tells them apart, only the review can. */
export const isTakenForUtf8 = (bytes: Buffer, { encoding }: Form): boolean =>
  encoding === 'windows-1252' && isUtf8(bytes) && !isAscii(bytes);
