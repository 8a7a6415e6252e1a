import { brand } from './errors.ts';
import type { WebhookEvent } from './event-types.ts';

/** The request was not signed with the secret, is too old, or is not an event. Answer 400. */
export class WebhookVerificationError extends Error {}
brand(WebhookVerificationError, 'WebhookVerificationError');

type Headers = { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>;

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
const NO_SECRET =
  'The secret of the endpoint is missing. It begins with whsec_, and only the answer that made it shows it.';

/**
 * Checks the signature of a webhook request (Standard Webhooks 1.0) and returns its event.
 *
 * @param body the body as it was received, not parsed and written again
 * @param headers of the request: an object with `get`, or names and values in any case
 * @param secret of the endpoint, which begins with `whsec_`
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: Headers,
  secret: string,
): Promise<WebhookEvent> {
  const text = textOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The webhook’s timestamp is more than five minutes away. Check your clock.');
  const key = await importKey(secret, 'verify');
  for (const signature of headerOf(headers, 'webhook-signature').split(' ')) {
    if (!signature.startsWith('v1,')) continue;
    const bytes = fromBase64(signature.slice('v1,'.length));
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signedBytes(id, timestamp, text))))
      return parse(text);
  }
  throw new WebhookVerificationError(
    isBase64Json(text)
      ? 'The body is Base64, as API Gateway passes it on (isBase64Encoded): decode it first.'
      : 'The webhook was not signed with this secret, or its body was changed. Pass the body as it was received, and the secret of this endpoint.',
  );
}

/** Signs a body as the service does, to test your own receiver. @returns the headers of the request */
export async function signTestWebhook(
  body: string,
  secret: string,
  { id = `evt_${crypto.randomUUID()}`, timestamp = new Date() }: { id?: string; timestamp?: Date } = {},
): Promise<{ 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }> {
  const seconds = `${Math.floor(timestamp.getTime() / 1_000)}`;
  const signature = await crypto.subtle.sign('HMAC', await importKey(secret, 'sign'), signedBytes(id, seconds, body));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${base64}` };
}

const signedBytes = (id: string, timestamp: string, text: string) =>
  new TextEncoder().encode(`${id}.${timestamp}.${text}`);

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new TextDecoder().decode(body);
  throw new WebhookVerificationError(
    'The body is already parsed, so it cannot be checked. Pass it as text or bytes, as it was received: express.raw({ type: "application/json" }), request.text().',
  );
}

function headerOf(headers: Headers | null | undefined, name: string): string {
  if (typeof headers !== 'object' || headers === null)
    throw new WebhookVerificationError('The headers of the request are missing.');
  if (Array.isArray(headers))
    throw new WebhookVerificationError('The headers are a list. Pass an object of names and values, or Headers.');
  const entries = () => Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  const value: unknown = typeof headers.get === 'function' ? headers.get(name) : entries();
  const [text, another] = Array.isArray(value) ? value : [value];
  if (another !== undefined) throw new WebhookVerificationError(`The webhook has the header ${name} more than once.`);
  if (typeof text === 'string' && text !== '') return text;
  throw new WebhookVerificationError(`The webhook has no header ${name}. Does a proxy or framework remove it?`);
}

async function importKey(secret: unknown, use: 'sign' | 'verify'): Promise<CryptoKey> {
  if (typeof secret !== 'string' || secret.trim() === '') throw new WebhookVerificationError(NO_SECRET);
  const text = secret.trim();
  const bytes = fromBase64(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookVerificationError('The secret is not one of a webhook endpoint, which begins with whsec_.');
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

/** Undefined if the text is not Base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const isBase64Json = (text: string) => fromBase64(text)?.[0] === '{'.charCodeAt(0);

function parse(text: string): WebhookEvent {
  try {
    const event = JSON.parse(text);
    if (typeof event !== 'object' || event === null || Array.isArray(event)) throw event;
    if (event?.timestamp !== undefined) event.created_at ??= event.timestamp;
    return event as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('The webhook’s body is not JSON of an event.');
  }
}
