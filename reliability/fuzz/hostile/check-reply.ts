import { catalogue, type ErrorCode } from '../../../server/src/errors.ts';
import type { TestService } from '../../../server/test/harness/test-service.ts';
import { headerOf, type Reply } from './wire.ts';

const REQUEST_ID = /^req_[0-9a-hjkmnp-tv-z]{26}$/;
const JSON_TYPE = 'application/json; charset=utf-8';
const utf8 = new TextDecoder('utf-8', { fatal: true });
/** No control character except a line feed, and no half of a surrogate pair. */
const UNCLEAN = /(?!\n)[\p{Cc}\p{Cs}\u2028\u2029]/u;

const interfaceHeaders: Record<string, RegExp> = {
  'cache-control': /^no-store$/,
  'content-security-policy': /^default-src 'none'; frame-ancestors 'none'$/,
  'referrer-policy': /^no-referrer$/,
  'x-content-type-options': /^nosniff$/,
  ratelimit: /^"(?:key|address)";r=\d+;t=\d+$/,
  'ratelimit-policy': /^"(?:key|address)";q=\d+;w=\d+$/,
};

/** Returns what is wrong with the form of an answer. `/v1` promises more than the portal's interface. */
export function faultsOf(reply: Reply, side: 'v1' | 'portal' = 'v1'): string[] {
  const { status, body } = reply;
  const faults: string[] = [];
  if (status < 200 || status >= 500) faults.push(`status ${status}`);
  if (!REQUEST_ID.test(headerOf(reply, 'request-id') ?? '')) faults.push('no Request-Id');
  const parsed = headerOf(reply, 'content-type') === JSON_TYPE ? parse(body) : undefined;
  if (parsed !== undefined && !isCleanText(parsed)) faults.push('a control character or half a surrogate pair');
  if (side === 'portal') return faults;
  if (parsed === undefined) faults.push('no JSON');
  for (const [name, value] of Object.entries(interfaceHeaders))
    if (!value.test(headerOf(reply, name) ?? '')) faults.push(`header ${name}`);
  if (status >= 400) faults.push(...faultsOfError(reply, parsed));
  return faults;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
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
    [request_id === headerOf(reply, 'request-id'), 'request_id differs from the header'],
    [(headerOf(reply, 'retry-after') !== undefined) === (entry.retry === 'yes'), 'Retry-After'],
    [(headerOf(reply, 'www-authenticate') === 'Bearer') === (entry.status === 401), 'WWW-Authenticate'],
  ] as const;
  return faults.filter(([holds]) => !holds).map(([, fault]) => fault);
}

function isCleanText(value: unknown): boolean {
  if (typeof value === 'string') return !UNCLEAN.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => !UNCLEAN.test(name) && isCleanText(each));
}

/** Collects warnings and errors that the service logs from now on: bad input must not fill the log. */
export function watchLog({ service }: TestService): string[] {
  const lines: string[] = [];
  const note = (details: { err?: Error }, message: string) =>
    lines.push(`logged: ${message} ${details.err?.stack ?? ''}`);
  Object.assign(service.deps.log, { warn: note, error: note, fatal: note });
  return lines;
}
