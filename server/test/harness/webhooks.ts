import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { addEndpoint } from '../../src/capabilities/webhooks/add-endpoint.ts';
import type { EndpointInput } from '../../src/capabilities/webhooks/endpoint-input.ts';
import { admitted } from '../../src/platform/authentication/caller.ts';
import { emailGift } from './api-client.ts';
import { openForFile } from './open-for-file.ts';
import { OPERATOR } from './operator.ts';
import { until } from './server-process.ts';
import { startTestService, type TestOrganization, type TestService } from './test-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** Allows pushes of the sandbox to receivers of tests. */
export const LOCAL_PUSHES = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

/** Opens a service that pushes to receivers for the tests of a file; each test begins without endpoints. */
export function openForPushes() {
  const service = openForFile(() => startTestService(LOCAL_PUSHES));
  const receivers: WebhookReceiver[] = [];
  afterEach(async () => {
    await service.sql('delete from webhook_endpoints');
    await service.sql('delete from webhook_deliveries');
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  return {
    service,
    async receiver(): Promise<WebhookReceiver> {
      const started = await startWebhookReceiver();
      receivers.push(started);
      return started;
    },
    /** The sequence after the last event. */
    async nextSequence({ organizationUuid }: Pick<TestOrganization, 'organizationUuid'>): Promise<number> {
      const [row] = await service.sql<{ next: number }>(
        `select last_sequence::integer + 1 as next from event_counters
         where organization_id = $1 and environment = 'sandbox'`,
        [organizationUuid],
      );
      return row?.next ?? 1;
    },
    async stateOf(endpointId: string) {
      const [row] = await service.sql<{ failing: boolean; disabled: string | null; cursor: number; failures: number }>(
        `select failing_since is not null as failing, disabled_reason as disabled, cursor_sequence::integer as cursor,
           failures
         from webhook_endpoints where endpoint_id = $1`,
        [endpointId],
      );
      assert.ok(row);
      return row;
    },
    deliveriesOf: (endpointId: string) =>
      service.sql<{ sequence: number; state: string; attempts: number }>(
        `select sequence::integer, state, attempts from webhook_deliveries where endpoint_id = $1 order by sequence`,
        [endpointId],
      ),
  };
}

/** Adds an endpoint for placed orders to the sandbox of an organization. */
export async function addTestEndpoint(
  { service: { deps } }: TestService,
  { organizationUuid }: Pick<TestOrganization, 'organizationUuid'>,
  url: string,
  more: Partial<EndpointInput> = {},
): Promise<{ endpointId: string; secret: string }> {
  const added = await addEndpoint(deps, {
    caller: admitted({ organizationId: organizationUuid, environment: 'sandbox' }),
    input: { url, description: null, types: ['order.created'], isOrdered: false, ...more },
    actor: OPERATOR,
  });
  return { endpointId: added.endpoint.endpoint_id, secret: added.secret };
}

/** Places so many orders one after another, each of which is an event. */
export async function placeOrders({ sandbox }: Pick<TestOrganization, 'sandbox'>, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await sandbox.order([emailGift('processing')]);
}

/** Lets the pushers poll until the condition is true. */
export async function pushUntil(
  { clock }: Pick<TestService, 'clock'>,
  isTrue: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  await until(async () => {
    if (await isTrue()) return true;
    await clock.advance(500);
    return isTrue();
  }, what);
}

/** Lets the pushers poll until no endpoint is leased and nothing is due. */
export async function pushAll(service: TestService): Promise<void> {
  await pushUntil(
    service,
    async () => {
      const [row] = await service.sql<{ busy: boolean }>(
        `select exists (
           select from webhook_endpoints e join event_counters c using (organization_id, environment)
           where e.disabled_at is null and (e.paused_until is null or e.paused_until <= $1) and (
             e.leased_until > $1 or exists (
               select from webhook_deliveries d where d.endpoint_id = e.endpoint_id and d.state = 'pending'
                 and d.next_attempt_at <= $1
             ) or cursor_sequence < last_sequence and probe_at is null and not (is_ordered and exists (
               select from webhook_deliveries d where d.endpoint_id = e.endpoint_id and d.state = 'pending'
             ))
           )
         ) as busy`,
        [new Date(service.clock.now())],
      );
      return row?.busy === false;
    },
    'every push is done',
  );
}
