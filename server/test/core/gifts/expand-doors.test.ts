import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantedAgent } from '../../harness/agent-grant.ts';
import { assertError, emailGift, linkGift } from '../../harness/api-client.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

// What `expand` adds elsewhere: to files, for agents, and when it cannot be read.

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));

test('an answer whose parts cannot be read after the change is lost, and a repeat returns it', async () => {
  const organization = await service.organization();
  const { sandbox, keys } = organization;
  const { body: order } = await sandbox.order([linkGift()]);
  const [{ gift_id: giftId }] = order.gifts;
  const send = (path: string, key: string, body: object) =>
    fetch(`${service.url}${path}?expand=history`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${keys.sandbox}`,
        'Idempotency-Key': key,
        'Content-Type': 'application/json',
        Connection: 'close',
      },
      body: JSON.stringify(body),
    });
  const acts: [path: string, key: string, body: object][] = [
    ['/v1/orders', 'lost', { gifts: [linkGift()] }],
    [`/v1/gifts/${giftId}/cancel`, 'canceled', { reason: 'Twice' }],
  ];
  await service.sql('revoke select on limited.card_facts from bestow_service');
  for (const act of acts) await assert.rejects(send(...act), /fetch failed/, act[0]);
  // A read that cannot be answered changed nothing.
  assert.equal((await sandbox.get(`/v1/gifts/${giftId}?expand=history`)).status, 500);
  await service.sql('grant select on limited.card_facts to bestow_service');
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500);
  const states: unknown[] = [];
  for (const act of acts) {
    const answer = await send(...act);
    const { history } = (await answer.json()) as { history: { state?: string; gifts_by_state?: object } };
    states.push([answer.status, history.state ?? history.gifts_by_state]);
  }
  assert.deepEqual(states, [
    [200, { sent: 1 }],
    [200, 'canceled'],
  ]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500);
});

test('the file of gifts and orders has a column for each field of the parts that are asked for', async () => {
  const { sandbox, keys } = await service.organization();
  await sandbox.post(
    '/v1/orders',
    { gifts: [emailGift('spent'), emailGift('bounced')], external_id: 'A-1' },
    { 'Idempotency-Key': 'one' },
  );
  const file = async (path: string) => {
    const headers = { Authorization: `Bearer ${keys.sandbox}`, Accept: 'text/csv' };
    const answer = await fetch(service.url + path, { headers });
    const [heading = '', ...lines] = (await answer.text()).trim().split('\r\n');
    const columns = heading.replace('\ufeff', '').split(',');
    return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [columns[index], cell])));
  };
  const [failed, spent] = await file('/v1/gifts?expand=history,card,order');
  assert.deepEqual(
    [spent?.['history.state'], spent?.['history.spent.amount'], spent?.['card.kind'], spent?.['card.left']],
    ['spent', '2500', 'card', '0'],
  );
  assert.match(spent?.['history.spent.last_at'] ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(
    [
      failed?.['history.state'],
      failed?.['history.failure.retryable'],
      failed?.['card.kind'],
      failed?.['order.external_id'],
    ],
    ['failed', 'false', '', 'A-1'],
  );
  const [order] = await file('/v1/orders?expand=history');
  assert.deepEqual(
    [order?.['amount'], order?.['history.ordered_by.kind'], order?.['history.gifts_by_state.spent']],
    ['5000', 'key', '1'],
  );
  const lists = await fetch(`${service.url}/v1/gifts?expand=deliveries`, {
    headers: { Authorization: `Bearer ${keys.sandbox}`, Accept: 'text/csv' },
  });
  assert.equal(lists.status, 422);
});

test('an agent without links sees a mask of the member who ordered', async () => {
  const organization = await service.organization();
  const person = await createPortalClient(service, 'admin@example.com');
  const { body } = await person.call('POST', `/organizations/${organization.organizationId}/sandbox/orders`, {
    form_id: '4fd1a9a0-6f2f-4d5e-9a53-2f6d0d0f8f11',
    gifts: [linkGift()],
  });
  const shownTo = async (permissions: 'links'[]) => {
    const agent = await grantedAgent(service, organization, { reach: 'all', permissions });
    return (await agent.call('get_order', { order_id: body.order_id })).body.history.ordered_by;
  };
  const [seen, masked] = [await shownTo(['links']), await shownTo([])];
  assert.deepEqual([seen.kind, seen.name], ['member', 'admin@example.com']);
  assert.deepEqual([masked.kind, masked.id, masked.name], ['member', seen.id, 'a•••@e•••.com']);
  assertError(
    await organization.sandbox.get(`/v1/orders/${body.order_id}?expand=orders`),
    'parameter_invalid',
    'expand',
  );
});

test('a gift that is sent again stays delivered at the time when a message arrived', async () => {
  const { sandbox } = await service.organization();
  const { body } = await sandbox.order([emailGift('someone')]);
  const [{ gift_id: giftId }] = body.gifts;
  await sandbox.post(`/v1/sandbox/gifts/${giftId}/deliver`);
  const history = async () => (await sandbox.get(`/v1/gifts/${giftId}?expand=history`)).body.history;
  const { delivered_at: arrived } = await history();
  await service.clock.jump(60_000);
  assert.equal((await sandbox.post(`/v1/gifts/${giftId}/resend`)).status, 200);
  assert.deepEqual([(await history()).state, (await history()).delivered_at], ['sent', arrived]);
  const found = async (query: string) => (await sandbox.get(`/v1/gifts?${query}`)).body.data.length;
  const [before, after] = [-1, 1].map((ms) => new Date(Date.parse(arrived) + ms).toISOString());
  assert.deepEqual([await found(`delivered_after=${before}`), await found(`delivered_after=${after}`)], [1, 0]);
});

test('times before the first and after the last year are bounds like others', async () => {
  const { sandbox } = await service.organization();
  await sandbox.order([emailGift('claimed')]);
  for (const time of ['delivered', 'opened', 'claimed', 'created', 'ordered'])
    for (const [query, expected] of [
      [`${time}_after=0000-01-01T00:00:00Z`, 1],
      [`${time}_before=0001-01-01T00:00:00%2B23:59`, 0],
      [`${time}_after=9999-12-31T23:59:59-23:59`, 0],
      [`${time}_before=9999-12-31T23:59:59-23:59`, 1],
    ] as const)
      for (const list of ['gifts', 'orders']) {
        const { status, body } = await sandbox.get(`/v1/${list}?${query}`);
        assert.deepEqual([status, body.data?.length], [200, expected], `${list}?${query}`);
      }
});
