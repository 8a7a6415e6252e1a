/** A case on a connection of its own: what is written on it, and the statuses of all answers that must come. */
export interface SocketCase {
  name: string;
  pieces: readonly Buffer[];
  /** Whether the caller ends its half of the connection after the last piece. */
  isEnded: boolean;
  statuses: readonly number[];
}

const HOST = 'Host: gifts.test';
const bytes = (text: string) => Buffer.from(text, 'latin1');

/** The bytes of a request, one per character; `firstLine` is without the version. */
export const request = (firstLine: string, headers: readonly string[] = [], body = '') =>
  [`${firstLine} HTTP/1.1`, HOST, ...headers, '', body].join('\r\n');

/** Ends the connection where it is still in step; otherwise nobody answers it. */
const LAST = request('GET /v1/health', ['Connection: close']);

/** Answers of these statuses, 400 where none is given, and the connection is over: what follows is not even read. */
export const refused = (name: string, text: string, ...statuses: number[]): SocketCase => ({
  name,
  pieces: [bytes(text + LAST)],
  isEnded: false,
  statuses: statuses.length === 0 ? [400] : statuses,
});

/** An answer each, and the connection stays in step: the health that is asked for behind them is the last. */
export const answered = (name: string, text: string, ...statuses: number[]): SocketCase => ({
  name,
  pieces: [bytes(text + LAST)],
  isEnded: false,
  statuses: [...statuses, 200],
});

/** As `answered`, with every byte in a piece of its own. */
export const inBytes = (name: string, text: string, ...statuses: number[]): SocketCase => ({
  name: `${name}, byte by byte`,
  pieces: [...bytes(text + LAST)].map((byte) => Buffer.from([byte])),
  isEnded: false,
  statuses: [...statuses, 200],
});

/** Nothing follows, and the caller says so. */
export const brokenOff = (name: string, text: string, ...statuses: number[]): SocketCase => ({
  name,
  pieces: [bytes(text)],
  isEnded: true,
  statuses,
});

/** How a byte is named in a case's name. */
export const hexadecimal = (byte: number) => `0x${byte.toString(16).padStart(2, '0')}`;

/** The bytes from one to another, as characters. */
export const characters = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
