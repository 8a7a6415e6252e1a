import { signTestWebhook } from '../webhooks.ts';
import type { FakeEndpoint, FakePush, Memory } from './memory.ts';
import { invalid, Refusal } from './refusal.ts';
import { RULES } from './rules.ts';

interface EndpointInput {
  url: string;
  description?: string | null;
  types?: string[] | null;
  ordered?: boolean;
  status?: string;
}

const MOST_ENDPOINTS = 10;
const URL_FORM = new RegExp(RULES.endpoint);
const PRIVATE_URL = new RegExp(RULES.private_endpoint);

const SECRET_BYTES = 32;
const DEFAULT_OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** The endpoint with its secret, as only the answer that made it shows it. */
export const withSecret = ({ shown, secrets }: FakeEndpoint) => ({ ...shown, secret: secrets[0] });

/** @throws Refusal */
export function createEndpoint(memory: Memory, { url, description, types, ordered }: EndpointInput): FakeEndpoint {
  const address = readUrl(url);
  if (memory.endpoints.size >= MOST_ENDPOINTS) throw new Refusal('webhook_endpoint_limit_reached');
  const endpoint: FakeEndpoint = {
    shown: {
      endpoint_id: memory.nextId('wh'),
      url: address,
      description: description ?? null,
      types: types ?? null,
      ordered: ordered ?? false,
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      paused_until: null,
      sequence: memory.sequence,
      previous_secret_until: null,
      created_at: memory.now(),
    },
    secrets: [newSecret()],
    lastSequence: null,
  };
  memory.endpoints.set(endpoint.shown.endpoint_id, endpoint);
  return endpoint;
}

/** @throws Refusal */
export function changeEndpoint(memory: Memory, { shown }: FakeEndpoint, change: Partial<EndpointInput>): void {
  const { url = shown.url, status = shown['status'], ...others } = change;
  Object.assign(shown, { ...others, url: readUrl(url) });
  if (status === shown['status']) return;
  const isDisabled = status === 'disabled';
  Object.assign(shown, { status, disabled_reason: isDisabled ? 'requested' : null });
  shown['disabled_at'] = isDisabled ? memory.now() : null;
}

/** The address as it is requested. @throws Refusal */
function readUrl(url: string): string {
  if (!URL_FORM.test(url))
    throw invalid(
      'url',
      'must be an https:// address without user and fragment, with the port 443 or one from 1024 on',
    );
  if (PRIVATE_URL.test(url)) throw invalid('url', 'must have a public address');
  return url.indexOf('/', 'https://'.length) < 0 ? `${url}/` : url;
}

/** Signs with a new secret, and for some hours with the earlier one too. */
export function rotateSecret(memory: Memory, endpoint: FakeEndpoint, overlapHours = DEFAULT_OVERLAP_HOURS): string {
  const [last = ''] = endpoint.secrets;
  const until = new Date(memory.nowMs() + overlapHours * HOUR_MS).toISOString();
  endpoint.secrets = overlapHours === 0 ? [newSecret()] : [newSecret(), last];
  endpoint.shown['previous_secret_until'] = until;
  return endpoint.shown.endpoint_id;
}

interface Draft {
  id: string;
  url: string;
  body: string;
  secrets: readonly string[];
}

/** What no endpoint got yet, for those that want it. */
function draftPushes({ endpoints, events, sequence: last }: Memory): Draft[] {
  return [...endpoints.values()].flatMap((endpoint) => {
    const { shown, secrets } = endpoint;
    const wanted = events.filter(
      (event) => event.sequence > shown.sequence && (shown.types?.includes(event.type) ?? true),
    );
    if (shown['status'] === 'disabled') return [];
    shown.sequence = last;
    return wanted.map(({ event_id, type, created_at: timestamp, sequence, data }) => {
      const previous_sequence = endpoint.lastSequence;
      endpoint.lastSequence = sequence;
      const body = JSON.stringify({ type, timestamp, data, event_id, sequence, previous_sequence });
      return { id: event_id, url: shown.url, body, secrets };
    });
  });
}

async function signed({ id, url, body, secrets }: Draft): Promise<FakePush> {
  const each = await Promise.all(secrets.map((secret) => signTestWebhook(body, secret, { id })));
  const signature = each.map((one) => one['webhook-signature']).join(' ');
  return { url, headers: { 'content-type': 'application/json', ...each[0], 'webhook-signature': signature }, body };
}

/** Pushes what happened to every endpoint that wants it. */
export async function push(memory: Memory): Promise<void> {
  memory.pushes.push(...(await Promise.all(draftPushes(memory).map(signed))));
}
