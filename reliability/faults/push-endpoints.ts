import { Webhook } from 'standardwebhooks';
import { Bestow } from '../../sdk/src/index.ts';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/harness/webhook-receiver.ts';
import type { LoadOrganization } from '../load/state.ts';
import type { PushedEvent } from '../record/recorder.ts';
import type { Installation } from './installation.ts';

export interface PushEndpoints {
  /** Accepts everything from now on. */
  heal(): void;
  /** Closes the receivers. Returns the promises that were broken, a sentence each. */
  stop(): Promise<string[]>;
}

/** The product gives an event up after ten failures. */
const MOST_FAILURES = 5;
/** The product retries after 5 seconds to a day. */
const DUE_EVERY_MS = 500;
const DUE_AT_ONCE = `update webhook_deliveries set next_attempt_at = now() where state = 'pending' and next_attempt_at > now()`;
const LOOKS_EVERY = 7;

/**
 * Adds a concurrent and an ordered endpoint to each sandbox and records what they receive. Until `heal` they fail half of the
 * time, and failed pushes are due at once.
 */
export async function addPushEndpoints(
  installation: Installation,
  urls: readonly string[],
  organizations: readonly LoadOrganization[],
  random: () => number,
): Promise<PushEndpoints> {
  const failures: string[] = [];
  const looks: Promise<void>[] = [];
  const stopping = new AbortController();
  let isHealed = false;
  let hurrying: Promise<unknown> = Promise.resolve();
  const hurry = setInterval(() => {
    // The database may be down.
    hurrying = hurrying.then(() => installation.sql(DUE_AT_ONCE)).catch(() => undefined);
  }, DUE_EVERY_MS);
  const receivers: WebhookReceiver[] = [];
  for (const [index, organization] of organizations.entries())
    for (const isOrdered of [false, true]) {
      const receiver = await startWebhookReceiver();
      receivers.push(receiver);
      const baseUrl = urls[index % urls.length] ?? '';
      const { endpointId, secret } = await addEndpoint(installation, baseUrl, organization, receiver.url, isOrdered);
      const bestow = new Bestow(organization.key, { baseUrl, timeoutMs: 120_000, maxRetries: Infinity });
      // A client that the service has never answered takes a refused connection for a wrong address, and gives up early.
      await bestow.balance.retrieve();
      const webhook = new Webhook(secret);
      const failed = new Map<number, number>();
      const retrieve = async ({ data }: PushedEvent) => {
        const { order_id } = data as { order_id: string };
        await bestow.orders.retrieve(order_id, { signal: stopping.signal }).catch((error: Error) => {
          if (!stopping.signal.aborted) failures.push(`${order_id} was pushed and not found: ${error.message}`);
        });
      };
      receiver.reply = ({ text, headers }) => {
        receiver.received.length = 0;
        const event = webhook.verify(text, headers) as PushedEvent;
        const before = failed.get(event.sequence) ?? 0;
        const isAccepted = isHealed || before === MOST_FAILURES || random() < 0.5;
        if (!isAccepted) failed.set(event.sequence, before + 1);
        installation.recorder.push({ endpointId, event, isAccepted });
        if (event.type === 'order.created' && event.sequence % LOOKS_EVERY === 0 && before === 0)
          looks.push(retrieve(event));
        return { status: isAccepted ? 204 : 500 };
      };
    }
  return {
    heal() {
      isHealed = true;
    },
    async stop() {
      clearInterval(hurry);
      await hurrying;
      await Promise.all(looks);
      stopping.abort();
      for (const receiver of receivers) await receiver.close();
      return failures;
    },
  };
}

/** Adds an endpoint that gets the events from now on, all of which it must accept in the end. */
export async function addEndpoint(
  { recorder, sql }: Installation,
  baseUrl: string,
  { key, organizationId, environment }: LoadOrganization,
  url: string,
  isOrdered: boolean,
): Promise<{ endpointId: string; secret: string }> {
  const answer = await fetch(`${baseUrl}/v1/webhook_endpoints`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, ordered: isOrdered }),
  });
  if (answer.status !== 201) throw new Error(`An endpoint was not added: ${await answer.text()}`);
  const { endpoint_id: endpointId, secret } = (await answer.json()) as { endpoint_id: string; secret: string };
  const [row] = await sql<{ after: number }>(
    'select cursor_sequence::integer as after from webhook_endpoints where endpoint_id = $1',
    [decodeId('wh', endpointId)],
  );
  if (row === undefined) throw new Error(`The endpoint ${endpointId} is not in its table.`);
  recorder.expectPushes({ endpointId, organizationId, environment, isOrdered, after: row.after });
  return { endpointId, secret };
}
