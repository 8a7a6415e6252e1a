import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { revokeGrant } from '../../../src/core/grants/revoke-grant.ts';
import { connectAgent } from '../../harness/agent.ts';
import { linkGift } from '../../harness/api-client.ts';
import { askFor, askingAgent, limit, ordersWith } from '../../harness/asked-orders.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** People and an agent who act on the same order at the same moment, on two servers. */

const ROUNDS = 20;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const second = openForFile(() => service.second());
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const balance = () => balanceOf(service, organization, 'sandbox');
const path = (more: string) => requestsPath(organization, more);
const BUSY = ['resource_locked', 'idempotency_in_progress'];

test('twenty calls with one token on two servers ask once', async () => {
  const agent = await askingAgent(service, organization);
  const elsewhere = await connectAgent(second.url, agent.token);
  const given = await agent.preview({ gifts: [linkGift()] });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? agent : elsewhere).call('place_order', given)),
  );
  const [first] = answers;
  for (const { body } of answers)
    assert.deepEqual([body.status, body.order_request_id], ['waiting_for_approval', first?.body.order_request_id]);
  const mails = await service.sql(`select from notices where details ->> 'request_id' = $1`, [
    first?.body.order_request_id,
  ]);
  assert.equal(mails.length, 2);
});

test('two approvals, a decline, a revocation and the agent agree on one outcome', async () => {
  const start = await balance();
  const states: Record<string, number> = {};
  let bought = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const agent = await askingAgent(service, organization);
    const { given, id } = await askFor(agent, [linkGift()]);
    const { organizationId } = organization;
    const elsewhere = { origin: second.url };
    const approve = (person: typeof admin, more?: typeof elsewhere) =>
      person.call('POST', path(`/${id}/approve`), undefined, more);
    const decline = () => admin.at(second.url).call('POST', path(`/${id}/decline`), {}, elsewhere);
    const acts: (() => Promise<unknown>)[] = [
      () => approve(admin),
      () => approve(admin.at(second.url), elsewhere),
      decline,
      // Later in each round, so that it falls before, into and after the approvals.
      async () => {
        await setTimeout(round * 5);
        return revokeGrant(service.service.deps, { organizationId, grantId: agent.grant_id, actor: OPERATOR });
      },
      () => agent.call('place_order', given).catch(() => undefined),
    ];
    // The first round is approved and the second declined, on a slow machine too.
    if (round === 0) await approve(admin);
    if (round === 1) await decline();
    await Promise.all(acts.map((_, n) => acts[(n + round) % acts.length]?.()));
    const { body } = await admin.call('GET', path(`/${id}`));
    const orders = await ordersWith(service, given);
    assert.equal(orders.length, body.state === 'approved' ? 1 : 0, body.state);
    bought += orders.length;
    states[body.state] = (states[body.state] ?? 0) + 1;
  }
  assert.ok(bought > 0 && bought < ROUNDS, JSON.stringify(states));
  assert.equal(await balance(), start - bought * 2_500);
  await verifyAll(service);
});

test('while the amount is set or removed, a token buys or asks, and never both', async () => {
  const start = await balance();
  const agent = await askingAgent(service, organization, null);
  const elsewhere = await connectAgent(second.url, agent.token);
  let bought = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await limit(service, organization, agent, { ask_above: round % 2 === 0 ? null : 0 });
    const given = await agent.preview({ gifts: [linkGift()] });
    const place = (who: typeof elsewhere) => who.call('place_order', given);
    const change = () => limit(service, organization, agent, { ask_above: round % 2 === 0 ? 0 : null });
    const acts = [() => place(agent), change, () => place(elsewhere), () => place(agent)];
    await Promise.all(acts.map((_, n) => acts[(n + round) % acts.length]?.()));
    const { body } = await place(agent);
    assert.ok(body.error === undefined || BUSY.includes(body.error.code), JSON.stringify(body));
    const orders = await ordersWith(service, given);
    const requests = await service.sql('select from gift_requests where order_key = $1', [given.preview_token]);
    assert.equal(orders.length + requests.length, 1);
    bought += orders.length;
  }
  assert.equal(await balance(), start - bought * 2_500);
});

test('once the amount is set, no order above it is placed without an approval', async () => {
  const start = await balance();
  const agent = await askingAgent(service, organization, null);
  const previews = await Promise.all(Array.from({ length: 30 }, () => agent.preview({ gifts: [linkGift()] })));
  const placing = previews.map((given) => agent.call('place_order', given));
  await limit(service, organization, agent, { ask_above: 2_499 });
  const spent = start - (await balance());
  const statuses = (await Promise.all(placing)).map(({ body }) => body.status ?? body.error.code);
  assert.equal(start - (await balance()), spent, statuses.join());
  assert.equal(statuses.filter((status) => status === 'processed').length * 2_500, spent);
});
