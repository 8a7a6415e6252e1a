import { catalogue, type ErrorCode } from '../../../server/src/errors.ts';
import { headerOf, type Reply } from './wire.ts';

/** Where an answer comes from: `/v1` promises more of its answers than pages for people, or the portal to its own app. */
export type Side = 'interface' | 'page' | 'portal';

const REQUEST_ID = /^req_[0-9a-hjkmnp-tv-z]{26}$/;
const JSON_TYPE = 'application/json; charset=utf-8';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Line feeds, tabs and returns lay out pages; nothing else below the blank belongs in any answer. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const RAW_CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
/** In a text that a person or their database is given: no control character but a line feed, no half of a surrogate pair. */
const IN_TEXT = /(?!\n)[\p{Cc}\p{Cs}\u2028\u2029]/u;

const interfaceHeaders: Record<string, RegExp> = {
  'cache-control': /^no-store$/,
  'content-security-policy': /^default-src 'none'; frame-ancestors 'none'$/,
  'referrer-policy': /^no-referrer$/,
  'x-content-type-options': /^nosniff$/,
  ratelimit: /^"(?:key|address)";r=\d+;t=\d+$/,
  'ratelimit-policy': /^"(?:key|address)";q=\d+;w=\d+$/,
};

/**
 * What is wrong with an answer, whatever was asked: nothing, where it is one that the service may give. A status from
 * 500 on is always wrong here: nobody steers a failure.
 */
export function faultsOf(reply: Reply, side: Side = 'interface'): string[] {
  const { status, body } = reply;
  const faults: string[] = [];
  const want = (isSo: boolean, fault: string) => {
    if (!isSo) faults.push(fault);
  };
  want(status >= 200 && status < 500, `status ${status}`);
  want(REQUEST_ID.test(headerOf(reply, 'request-id') ?? ''), 'no Request-Id');
  let text = '';
  try {
    text = utf8.decode(body);
  } catch {
    faults.push('a body that is not UTF-8');
  }
  want(!RAW_CONTROL.test(text), 'a control character in the body');
  const isJson = headerOf(reply, 'content-type') === JSON_TYPE;
  const parsed = isJson ? parse(text) : undefined;
  if (side === 'interface') {
    want(isJson && parsed !== undefined, 'no JSON');
    for (const [name, value] of Object.entries(interfaceHeaders))
      want(value.test(headerOf(reply, name) ?? ''), `header ${name}`);
  }
  if (side !== 'portal' && status >= 400 && (isJson || side === 'interface'))
    faults.push(...faultsOfError(reply, parsed));
  if (parsed !== undefined) want(isCleanText(parsed), 'a control character or half a surrogate pair in a text');
  return faults;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultsOfError(reply: Reply, parsed: unknown): string[] {
  const error = (parsed as { error?: Record<string, unknown> } | undefined)?.error ?? {};
  const { type, code, message, doc_url, request_id, param, ...more } = error;
  const entry = catalogue[code as ErrorCode];
  if (entry === undefined) return ['no error object of the catalogue'];
  const faults = [
    [Object.keys(parsed as object).length === 1 && Object.keys(more).length === 0, 'unknown fields beside the error'],
    [entry.status === reply.status && entry.type === type, `${reply.status} ${String(type)} with ${String(code)}`],
    [typeof message === 'string' && message.length > 0 && message.length < 1_000, 'message'],
    [param === undefined || (typeof param === 'string' && param.length < 300), 'param'],
    [typeof doc_url === 'string' && doc_url.endsWith(`/docs/errors#${String(code)}`), 'doc_url'],
    [request_id === headerOf(reply, 'request-id'), 'request_id is not the header’s'],
    [(headerOf(reply, 'retry-after') !== undefined) === (entry.retry === 'yes'), 'Retry-After'],
    [(headerOf(reply, 'www-authenticate') === 'Bearer') === (entry.status === 401), 'WWW-Authenticate'],
  ] as const;
  return faults.filter(([isSo]) => !isSo).map(([, fault]) => fault);
}

/** Every name and text in it, at any depth. */
function isCleanText(value: unknown): boolean {
  if (typeof value === 'string') return !IN_TEXT.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => !IN_TEXT.test(name) && isCleanText(each));
}
