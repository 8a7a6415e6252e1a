import type { Encoding } from 'bestow-readers/decode.ts';

/** UTF-16 with its mark, in the order of bytes that is named. */
export function utf16(text: string, order: 'LE' | 'BE'): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'LE' ? bytes : bytes.swap16();
}

/** An encoding with one byte for each letter. @throws RangeError for a letter that it does not have */
export function encodeBytes(text: string, encoding: Encoding): Buffer {
  const decoder = new TextDecoder(encoding);
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from(
    Array.from(text, (letter) => {
      const byte = byteOf.get(letter);
      if (byte === undefined) throw new RangeError(`${encoding} has no ${letter}.`);
      return byte;
    }),
  );
}
