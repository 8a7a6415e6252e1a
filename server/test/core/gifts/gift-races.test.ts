import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { catalogue } from '../../../src/platform/base/errors.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { emailGift } from '../../harness/api-client.ts';
import { type Holder, openHolder } from '../../harness/holder.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// Two acts on one gift: the gift changes while one act waits for its lock.

const elsewhere = { method: 'email', email: 'pat@example.com' } as const;

const LOCKED = catalogue.resource_locked.status;

let service: TestService;
let holder: Holder;
let organization: TestOrganization;
let giftId: string;
let orderId: string;
before(async () => {
  service = await startTestService();
  organization = await service.organization();
  holder = await openHolder(service);
});
after(async () => {
  await holder.end();
  await service.close();
});

/** Locks a new gift until `rollback`. */
async function buyAndLock(to: Parameters<typeof emailGift>[0]) {
  await buy(to);
  await holder.query('begin');
  await holder.query('select from gifts where gift_id = $1 for update', [decodeId('gift', giftId)]);
}

/** Queues the acts for the gift's lock in this order, then releases it. @returns their statuses */
async function inOrder(...acts: (() => Promise<{ status: number }>)[]): Promise<number[]> {
  const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const answers: Promise<number>[] = [];
  for (const act of acts) {
    let isAnswered = false;
    const answer = act().then(({ status }) => {
      isAnswered = true;
      return status;
    });
    answers.push(answer);
    await until(async () => isAnswered || (await service.sql(isWaiting)).length >= answers.length, 'it waits');
  }
  await holder.query('rollback');
  return Promise.all(answers);
}

const redirect = () => organization.sandbox.put(`/v1/gifts/${giftId}/delivery`, elsewhere);
const shown = async () => (await organization.sandbox.get(`/v1/gifts/${giftId}`)).body.delivery.status;

async function linkOf(id: string): Promise<string> {
  const [row] = await service.sql<{
    organization_id: string;
    gift_id: string;
    link_version: number;
    link_expires_at: Date;
  }>('select organization_id, gift_id, link_version, link_expires_at from gifts where gift_id = $1', [
    decodeId('gift', id),
  ]);
  assert.ok(row);
  const url = service.service.deps.links.url({
    organizationId: row.organization_id,
    environment: 'sandbox',
    giftId: row.gift_id,
    version: row.link_version,
    expiresAtMs: row.link_expires_at.getTime(),
  });
  return `${service.url}${url.slice(url.indexOf('/g/'))}`;
}

for (const act of ['claim', 'open'])
  test(`a link ended by a redirect cannot ${act} the gift, even if already submitted`, async () => {
    let link = '';
    const press = () => fetch(`${link}/${act}`, { method: 'POST', redirect: 'manual' });
    let statuses: number[] = [LOCKED];
    // Retry if the machine was too busy to queue both within the lock's timeout of half a second.
    for (let attempt = 0; attempt < 5 && statuses.some((status) => status === LOCKED || status === 500); attempt += 1) {
      await buyAndLock('bounced');
      link = await linkOf(giftId);
      statuses = await inOrder(redirect, press);
    }
    assert.deepEqual(statuses, [200, 303]);
    assert.equal((await fetch(link)).status, 404);
    assert.equal(await shown(), 'sent');
  });

/** Makes a change just before the service runs this statement. @returns a function that says whether it happened */
function beforeRead(name: string, change: () => Promise<unknown>): () => boolean {
  const { read } = service.service.deps.database;
  const query = read.query.bind(read);
  let isDone = false;
  read.query = async (asked) => {
    if (asked.name?.startsWith(name)) {
      read.query = query;
      await change();
      isDone = true;
    }
    return query(asked);
  };
  return () => isDone;
}

const setDeliveryState = (state: string) =>
  service.sql(`update gifts set delivery_state = '${state}' where gift_id = $1`, [decodeId('gift', giftId)]);

async function buy(to: Parameters<typeof emailGift>[0]): Promise<void> {
  const { body } = await organization.sandbox.order([emailGift(to)]);
  giftId = body.gifts[0].gift_id;
  orderId = body.order_id;
}

test('a redirect succeeds if the delivery fails at the same moment', async () => {
  await buy('neutral');
  const hasChanged = beforeRead('gifts.select_detail', () => setDeliveryState('failed'));
  const { status, body } = await redirect();
  assert.ok(hasChanged());
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(await shown(), 'sent');
});

test('a delivery failed during a redirect ends as failed, not as delivered', async () => {
  await buy('bounced');
  const hasChanged = beforeRead('gifts.select', () => setDeliveryState('pending'));
  const { status, body } = await organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/deliver`, {
    outcome: 'failed',
  });
  assert.ok(hasChanged());
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(await shown(), 'failed');
});

test('an order whose last gift was just claimed is not answered as canceled', async () => {
  await buyAndLock('neutral');
  const statuses = await inOrder(
    () => organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/claim`),
    () => organization.sandbox.post(`/v1/orders/${orderId}/cancel`),
  );
  assert.deepEqual(statuses, [200, catalogue.gift_already_redeemed.status]);
});
