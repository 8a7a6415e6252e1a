import { writeFile } from 'node:fs/promises';

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  /** API key; not set for public routes. */
  key?: string;
  /** `fresh`: a new key for each request. */
  idempotencyKey?: 'fresh' | (string & {});
  /** ASCII. */
  body?: string;
}

/** The request in two halves; a fresh Idempotency-Key goes between them. */
export interface RequestText {
  before: string;
  after: string;
  isFresh: boolean;
}

export function textOf({ method, path, key, idempotencyKey, body }: LoadRequest): RequestText {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  const end = `\r\n\r\n${body ?? ''}`;
  const head = lines.join('\r\n');
  if (idempotencyKey === undefined) return { before: head + end, after: '', isFresh: false };
  const before = `${head}\r\nIdempotency-Key: `;
  if (idempotencyKey === 'fresh') return { before, after: end, isFresh: true };
  return { before: before + idempotencyKey + end, after: '', isFresh: false };
}

/** Formats requests for `requests.lua`: one per line, line breaks escaped as `\r\n`. */
export async function writeRequests(path: string, requests: readonly LoadRequest[]): Promise<void> {
  const lines = requests.map((request) => {
    const { before, after, isFresh } = textOf(request);
    return `${isFresh ? 'fresh' : 'fixed'}\t${onOneLine(before)}\t${onOneLine(after)}\n`;
  });
  await writeFile(path, lines.join(''));
}

const onOneLine = (text: string) => text.replaceAll('\r\n', '\\r\\n');
const asSent = (text: string) => text.replaceAll('\\r\\n', '\r\n');

export function readRequests(text: string): RequestText[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [kind, before = '', after = ''] = line.split('\t');
      return { before: asSent(before), after: asSent(after), isFresh: kind === 'fresh' };
    });
}
