import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { setBalanceAlert } from '../../../src/core/balances/set-balance-alert.ts';
import { warnOfLowBalances } from '../../../src/core/balances/warn-of-low-balances.ts';
import { recordAccepted } from '../../../src/core/delivery/queries.ts';
import { simulateGift } from '../../../src/core/gifts/sandbox/simulate-gift.ts';
import { createKey } from '../../../src/core/keys/create-key.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { reinstateOrganization } from '../../../src/core/organizations/reinstate-organization.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { encodeReference } from '../../../src/platform/messaging/reference.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { providerSettings, sendSendgrid } from '../../harness/delivery-events.ts';
import { eventsOf } from '../../harness/events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// Every act that appends events, at once, on few organizations and over two processes.

const ORGANIZATIONS = 3;
/** The last round neither resets nor suspends. */
const ROUNDS = 13;
const settings = { ...providerSettings, VALUE_PER_RECIPIENT_PER_DAY: '100000000' };
const first = openForFile(() => startTestService(settings));
/** Short of the lock time-outs, so that a deadlock is found as one. New sessions have it. */
const service = openForFile(async () => {
  const [{ name } = assert.fail()] = await first.sql<{ name: string }>('select current_database() as name');
  await first.sql(`alter database "${name}" set deadlock_timeout = '10ms'`);
  return first.second();
});
const other = openForFile(() => first.second());
const actor = OPERATOR;

interface GiftRow {
  organization_id: string;
  environment: 'live' | 'sandbox';
  gift_id: string;
  delivery_id: string;
}

const giftsOf = (organizations: readonly TestOrganization[]) =>
  service.sql<GiftRow>(
    `select organization_id, environment, gift_id, delivery_id from gifts
     where organization_id = any ($1) and delivery_id is not null order by random() limit 20`,
    [organizations.map(({ organizationUuid }) => organizationUuid)],
  );

const failedGifts = async ({ organizationUuid }: TestOrganization) =>
  (
    await service.sql<{ gift_id: string }>(
      `select gift_id from gifts where organization_id = $1 and environment = 'live' and delivery_state = 'failed' order by random() limit 10`,
      [organizationUuid],
    )
  ).map(({ gift_id }) => encodeId('gift', gift_id));

const someGifts = async ({ organizationUuid }: TestOrganization) =>
  (
    await service.sql<{ gift_id: string }>(
      `select gift_id from gifts where organization_id = $1 and environment = 'live' order by random() limit 3`,
      [organizationUuid],
    )
  ).map(({ gift_id }) => encodeId('gift', gift_id));

const encoded = ({ organization_id, environment, gift_id, delivery_id }: GiftRow) =>
  encodeReference({ organizationId: organization_id, environment, giftId: gift_id, deliveryId: delivery_id });

/** What the interface and recipients do to an organization. */
async function callerActs(organization: TestOrganization, round: number): Promise<Promise<unknown>[]> {
  const { keys } = organization;
  // A reset has emptied the balance.
  await organization.fund('sandbox', 500_000);
  const clients = [service, other].map(({ api }) => ({ live: api(keys.live), sandbox: api(keys.sandbox) }));
  const acts: Promise<unknown>[] = [];
  for (const { live, sandbox } of clients) {
    const failed = await sandbox.order([emailGift('bounced'), emailGift('spent'), gift(), linkGift()]);
    const ids = (failed.body.gifts ?? []).map(({ gift_id }: { gift_id: string }) => gift_id);
    const someone = { method: 'email', email: `someone${round}@example.com` };
    acts.push(
      ...Array.from({ length: 4 }, () =>
        live.order([gift({ amount: 1000 }), gift({ amount: 1000, delivery: someone })]),
      ),
      sandbox.order([emailGift('processing'), emailGift('claimed')]),
      sandbox.put(`/v1/gifts/${ids[0]}/delivery`, someone),
      ...(await failedGifts(organization)).map((id) =>
        live.put(`/v1/gifts/${id}/delivery`, { ...someone, email: 'x@example.com' }),
      ),
      sandbox.post(`/v1/gifts/${ids[2]}/link`),
      sandbox.post(`/v1/gifts/${ids[2]}/resend`),
      sandbox.post(`/v1/gifts/${ids[3]}/cancel`),
      sandbox.post(`/v1/orders/${failed.body.order_id}/cancel`),
      ...(await someGifts(organization)).map((id) => live.post(`/v1/gifts/${id}/cancel`)),
      ...['open', 'claim', 'spend'].flatMap((act) =>
        ids.slice(2).map((id: string) => sandbox.post(`/v1/sandbox/gifts/${id}/${act}`)),
      ),
      ...(round % 4 === 3 ? [sandbox.post('/v1/sandbox/reset')] : []),
    );
  }
  return acts;
}

/** What members and the operator do to an organization. */
function operatorActs(organization: TestOrganization, round: number): Promise<unknown>[] {
  const { organizationId } = organization;
  const { deps } = other.service;
  const recipient = { method: 'email', email: `someone${round}@example.com` } as const;
  const key = async () => {
    const { key_id } = await createKey(deps, { organizationId, environment: 'sandbox', name: 'n', actor });
    await revokeKey(deps, { organizationId, keyId: key_id, actor });
  };
  const suspension = async () => {
    await suspendOrganization(deps, { organizationId, actor, holdsGifts: true });
    await reinstateOrganization(deps, { organizationId, actor, releasesGifts: true });
  };
  return [
    organization.fund('live', 10_000),
    organization.fund('sandbox', 500_000),
    key(),
    eraseRecipient(deps, { organizationId, recipient, actor }),
    warnOfLowBalances(deps),
    ...(round % 3 === 2 ? [suspension()] : []),
  ];
}

/** What providers and members do to gifts of several organizations. */
async function giftActs(organizations: readonly TestOrganization[]): Promise<Promise<unknown>[]> {
  const gifts = await giftsOf(organizations);
  const { deps } = service.service;
  const sent_at = new Date(service.clock.now());
  const accepted = JSON.stringify(gifts.map((one) => ({ ...one, provider: 'smtp', provider_id: null, sent_at })));
  const references = gifts.map(encoded);
  const report = (event: string) => references.map((delivery) => ({ event, type: 'bounce', delivery }));
  const simulated = gifts.filter(({ environment }) => environment === 'sandbox').slice(0, 4);
  return [
    recordAccepted(deps.database.shards, [accepted]),
    recordAccepted(other.service.deps.database.shards, [accepted]),
    sendSendgrid(service, report('delivered')),
    sendSendgrid(other, report('bounce')),
    ...simulated.map(({ organization_id: organizationId, gift_id: giftId }) =>
      simulateGift(deps, {
        caller: { organizationId, environment: 'sandbox', keyHash: null },
        giftId,
        simulation: 'claim',
        actor,
      }),
    ),
  ];
}

test('all acts at once never deadlock, and leave no hole', async () => {
  const organizations = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => service.organization()));
  for (const { organizationId } of organizations)
    await setBalanceAlert(service.service.deps, { organizationId, environment: 'live', thresholdCents: 5e6, actor });
  const codes = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const callers = await Promise.all(organizations.map((organization) => callerActs(organization, round)));
    const gifts = await giftActs(organizations);
    const settled = await Promise.allSettled([
      ...callers.flat(),
      ...organizations.flatMap((organization) => operatorActs(organization, round)),
      ...gifts,
    ]);
    for (const result of settled)
      if (result.status === 'rejected') codes.add(String(result.reason.code ?? result.reason));
  }
  assert.ok(!codes.has('40P01'), [...codes].join(', '));
  const [{ deadlocks } = assert.fail()] = await service.sql<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  assert.equal(Number(deadlocks), 0);
  const seen = new Set<string>();
  for (const organization of organizations)
    for (const environment of ['live', 'sandbox'] as const)
      for (const { type } of await eventsOf(service, organization, environment)) seen.add(`${environment} ${type}`);
  const liveTypes = ['order.created', 'gift.sent', 'gift.delivered', 'gift.delivery_failed', 'gift.redirected'];
  for (const type of [...liveTypes, 'gift.canceled']) assert.ok(seen.has(`live ${type}`), type);
  const sandboxTypes = ['gift.opened', 'gift.claimed', 'gift.spent', 'order.canceled', 'key.revoked', 'sandbox.reset'];
  for (const type of sandboxTypes) assert.ok(seen.has(`sandbox ${type}`), type);
  assert.ok(seen.has('live balance.low') && seen.has('live organization.suspended'), [...seen].join(', '));
});
