export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  /** API key; not set for public routes. */
  key?: string;
  /** `fresh`: a new key for each request. */
  idempotencyKey?: 'fresh' | (string & {});
  headers?: Record<string, string>;
  /** ASCII. */
  body?: string;
}

/** The request in two halves; a fresh Idempotency-Key goes between them. */
export interface RequestText {
  before: string;
  after: string;
  isFresh: boolean;
}

export function textOf({ method, path, key, idempotencyKey, headers = {}, body }: LoadRequest): RequestText {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  const end = `\r\n\r\n${body ?? ''}`;
  const head = lines.join('\r\n');
  if (idempotencyKey === undefined) return { before: head + end, after: '', isFresh: false };
  const before = `${head}\r\nIdempotency-Key: `;
  if (idempotencyKey === 'fresh') return { before, after: end, isFresh: true };
  return { before: before + idempotencyKey + end, after: '', isFresh: false };
}
