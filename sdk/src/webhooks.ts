import { brand } from './errors.ts';

/** An event that was pushed to a webhook endpoint. */
export interface WebhookEvent {
  /** Such as `gift.claimed`. More types may come. */
  type: string;
  /** When it happened, as ISO 8601. */
  timestamp: string;
  /** Ids, and what changed. */
  data: Record<string, unknown>;
  /** The same in every attempt: remember it to do nothing twice. */
  event_id: string;
  /** Rises by one with each event of the environment; null in a try. */
  sequence: number | null;
  /** The sequence that was pushed to the endpoint before; null for the first one. */
  previous_sequence: number | null;
}

/** The request was not signed with the secret, is too old, or is not an event. Answer 400. */
export class WebhookVerificationError extends Error {}
brand(WebhookVerificationError, 'WebhookVerificationError');

type WebhookHeaders = { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>;

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature of a webhook request (Standard Webhooks 1.0) and returns its event.
 *
 * @param body the body as it was received, not parsed and written again
 * @param headers of the request; names are in lower case, or the object has `get`
 * @param secret of the endpoint, which begins with `whsec_`
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The webhook’s timestamp is more than five minutes away. Check your clock.');
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of headerOf(headers, 'webhook-signature').split(' ')) {
    if (!signature.startsWith('v1,')) continue;
    const bytes = fromBase64(signature.slice('v1,'.length));
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return parse(text);
  }
  throw new WebhookVerificationError('The webhook was not signed with this secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The webhook has no header ${name}.`);
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookVerificationError('The secret is not one of a webhook endpoint, which begins with whsec_.');
  return bytes;
}

/** Undefined if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parse(text: string): WebhookEvent {
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('The webhook’s body is not JSON.');
  }
}
