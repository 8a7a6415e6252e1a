/** One message of PostgreSQL's protocol. Packets that open a connection have no type. */
export interface Message {
  type: string;
  bytes: Buffer;
}

/** Larger than any message of the service. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Splits a stream into messages: one byte for the type, then the length, which includes its four bytes.
 *
 * @param isOpening whether the next packet has no type
 * @throws Error if a length is invalid
 */
export function createFraming(isOpening: () => boolean): (chunk: Buffer) => Generator<Message> {
  let rest: Buffer = Buffer.alloc(0);
  return function* (chunk) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = isOpening() ? 0 : 1;
      if (rest.length < typeBytes + 4) return;
      const length = rest.readInt32BE(typeBytes);
      if (length < 4 || length > MAX_MESSAGE_BYTES)
        throw new Error(`A message of ${length} bytes is not PostgreSQL's.`);
      const end = typeBytes + length;
      if (rest.length < end) return;
      const bytes = rest.subarray(0, end);
      rest = rest.subarray(end);
      yield { type: bytes.toString('latin1', 0, typeBytes), bytes };
    }
  };
}

/** Reads a zero-terminated text and returns the start of the next one. */
export function readText(bytes: Buffer, start: number): { text: string; next: number } {
  const end = bytes.indexOf(0, start);
  return { text: bytes.toString('utf8', start, end), next: end + 1 };
}

/** Encodes a message of the server. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export function errorResponse(severity: 'ERROR' | 'FATAL' | 'PANIK', code: string, text: string): Buffer {
  return message('E', Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${text}\0\0`));
}

export const readyForQuery = message('Z', Buffer.from('I'));
