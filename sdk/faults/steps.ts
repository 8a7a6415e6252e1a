import { deflateSync, gzipSync } from 'node:zlib';

/** What happens to one attempt: a word, an answer that is not the service's, its answer changed, or bytes. */
export type Step = keyof typeof WORDS | GatewayAnswer | ChangedAnswer | RawBytes;

type Text = string | { text: string; times: number };
/** Null takes a header of the service away. `{port}` is the proxy's port. A value may have more lines. */
type Headers = Record<string, Text | null>;
interface Ending {
  /** The connection ends after the bytes, or is reset as soon as they have arrived. */
  close?: 'fin' | 'reset';
  /** A few bytes now and then. */
  drip?: true;
}
interface GatewayAnswer extends Ending {
  status: number;
  /** The service gets the request, but the client not its answer. */
  forward?: true;
  html?: true;
  json?: unknown;
  /** The error object of a service. */
  error?: { type: string; code: string };
  text?: Text[];
  headers?: Headers;
  /** Seconds from now, sent as a date. */
  retry_after_date?: number;
}
interface ChangedAnswer extends Ending {
  /** What is not the service's own in its answer. The members apply in their order. */
  change: {
    /** Another path's answer. The service gets the request, too. */
    answer_of?: string;
    /** Members of the JSON. */
    members?: Record<string, unknown>;
    replace?: [text: string, by: string];
    times?: number;
    /** From and to, in bytes. */
    part?: [number, number?];
    prepend?: Text;
    append?: Text;
    charset?: 'utf16le';
    coding?: 'gzip' | 'deflate';
    /** These bytes are inverted. */
    invert?: [number, number];
    part_of_coded?: [number, number];
    /** What each `Content-Length` says more than there is. */
    lengths?: number[];
    /** The lines of the trailers. */
    chunked?: string;
    headers?: Headers;
    /** So many more headers. */
    more_headers?: number;
    status?: number;
    version?: string;
    /** Bytes before the answer. */
    before?: Text;
    /** Only the first half of the body is written. */
    is_half?: true;
  };
}
interface RawBytes extends Ending {
  forward?: true;
  bytes: string;
}

/** An answer of the service. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export const WORDS = {
  forward: { change: {} },
  cut: { bytes: '', close: 'fin' },
  'forward-cut': { forward: true, bytes: '', close: 'fin' },
  'forward-half': { change: { is_half: true }, close: 'fin' },
  'forward-half-chunked': { change: { chunked: '', is_half: true }, close: 'fin' },
  'forward-hang': { forward: true, bytes: '' },
  'forward-trickle': { change: { append: { text: ' ', times: 1_000_000 } }, drip: true },
} satisfies Record<string, ChangedAnswer | RawBytes>;

/** Latin-1, so that a text can have every byte. */
const bytes = (text: Text) => Buffer.from(typeof text === 'string' ? text : text.text.repeat(text.times), 'latin1');

function headOf(status: number, version: string, headers: Headers): Buffer {
  const lines = Object.entries(headers).filter((pair): pair is [string, Text] => pair[1] !== null);
  const text = lines.map(([name, value]) => `${name}: ${bytes(value).toString('latin1')}\r\n`).join('');
  return bytes(`HTTP/${version} ${status} Status\r\n${text}\r\n`);
}

function gatewayBytes({ status, html, json, error, text, headers, retry_after_date }: GatewayAnswer): Buffer {
  const object = error && { error: { ...error, message: 'As the table of faults says.', request_id: 'req_fault' } };
  const data = object ?? json;
  const content = html ? `<!doctype html><title>${status}</title>` : data === undefined ? '' : JSON.stringify(data);
  const body = Buffer.concat([Buffer.from(content), ...(text ?? []).map(bytes)]);
  const all: Headers = { 'content-length': `${body.length}` };
  if (status < 200 || status === 204) all['content-length'] = null;
  if (html || data !== undefined) all['content-type'] = html ? 'text/html' : 'application/json';
  if (retry_after_date !== undefined)
    all['retry-after'] = new Date(Date.now() + 1_000 * retry_after_date).toUTCString();
  return Buffer.concat([headOf(status, '1.1', { ...all, ...headers }), body]);
}

function changedBody(given: Buffer, change: ChangedAnswer['change']): Buffer {
  const { members, replace, times = 1, part = [0], prepend = '', append = '', charset, coding } = change;
  let text = given.toString();
  if (members) text = JSON.stringify({ ...JSON.parse(text), ...members });
  if (replace) text = text.replaceAll(...replace);
  let body = Buffer.from(text.repeat(times)).subarray(...part);
  body = Buffer.concat([bytes(prepend), body, bytes(append)]);
  if (charset) body = Buffer.from(body.toString(), charset);
  if (coding) body = coding === 'gzip' ? gzipSync(body) : deflateSync(body);
  const inverted = body.subarray(...(change.invert ?? [0, 0]));
  for (const [index, byte] of inverted.entries()) inverted[index] = byte ^ 0xff;
  return change.part_of_coded ? body.subarray(...change.part_of_coded) : body;
}

function changedBytes(answer: Answer, change: ChangedAnswer['change']): Buffer {
  const { chunked, lengths = chunked === undefined ? [0] : [], more_headers = 0 } = change;
  const { status = answer.status, version = '1.1', before = '', is_half } = change;
  const content = changedBody(answer.body, change);
  const body =
    chunked === undefined
      ? content
      : Buffer.concat([bytes(`${content.length.toString(16)};part=1\r\n`), content, bytes(`\r\n0\r\n${chunked}\r\n`)]);
  const length = lengths.map((more) => content.length + more).join('\r\ncontent-length: ');
  const headers: Headers = {
    ...answer.headers,
    'content-length': length || null,
    ...(chunked !== undefined && { 'transfer-encoding': 'chunked' }),
    ...(change.coding && { 'content-encoding': change.coding }),
    ...change.headers,
    ...Object.fromEntries(Array.from({ length: more_headers }, (_, number) => [`x-${number}`, 'a'])),
  };
  const sent = is_half ? body.subarray(0, body.length / 2) : body;
  return Buffer.concat([bytes(before), headOf(status, version, headers), sent]);
}

/** The bytes that the client gets. The answer is the service's, if it gets the request. */
export function bytesOf(step: Exclude<Step, string>, answer: Answer): Buffer {
  if ('bytes' in step) return bytes(step.bytes);
  if ('status' in step) return gatewayBytes(step);
  return changedBytes(answer, step.change);
}
