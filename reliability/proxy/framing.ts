/** One message of PostgreSQL's protocol as it was sent; the packets that open a connection have no type. */
export interface Message {
  type: string;
  bytes: Buffer;
}

/** Larger than whatever the service sends or is sent. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Cuts a stream of bytes into messages: a byte for the type, then the length with its own four bytes. What is not yet
 * whole waits for the next chunk.
 *
 * @param isOpening whether a packet without a type comes next, as from a client that has not begun its session
 * @throws Error where a length cannot be one
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
        throw new Error(`A message of ${length} bytes is none of PostgreSQL’s.`);
      const end = typeBytes + length;
      if (rest.length < end) return;
      const bytes = rest.subarray(0, end);
      rest = rest.subarray(end);
      yield { type: bytes.toString('latin1', 0, typeBytes), bytes };
    }
  };
}

/** The text that ends with the next zero byte, and where the one after it begins. */
export function readText(bytes: Buffer, start: number): { text: string; next: number } {
  const end = bytes.indexOf(0, start);
  return { text: bytes.toString('utf8', start, end), next: end + 1 };
}

/** A message of the server's. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export function errorResponse(severity: 'ERROR' | 'FATAL' | 'PANIK', code: string, text: string): Buffer {
  return message('E', Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${text}\0\0`));
}

/** The session waits for the next statement, outside a transaction. */
export const readyForQuery = message('Z', Buffer.from('I'));
