import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiClient, assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

interface Gift {
  gift_id: string;
  delivery: { status: string };
}

const byEmail = (email: string) => ({ method: 'email', email });
const byPhone = (phone: string) => ({ method: 'phone', phone });

async function ordered(sandbox: ApiClient, wanted: Record<string, unknown>): Promise<Gift> {
  return (await sandbox.order([wanted])).body.gifts[0];
}
const redirect = (client: ApiClient, { gift_id }: Gift, target: unknown) =>
  client.put(`/v1/gifts/${gift_id}/delivery`, target);
const fail = (client: ApiClient, { gift_id }: Gift) =>
  client.post(`/v1/sandbox/gifts/${gift_id}/deliver`, { outcome: 'failed' });

test('a failed gift can be redirected to any method without a charge', async () => {
  const { sandbox, organizationUuid } = await service.organization();
  const personalization = { sender_name: 'Charles', recipient_name: 'Ada' };
  const email = { method: 'email', email: 'bounced@sandbox.gift.test' };
  const bought = await ordered(sandbox, gift({ delivery: email, personalization }));
  const [{ order_id }] = (await sandbox.get('/v1/orders')).body.data;
  const ledger = () => service.sql('select * from ledger_entries where organization_id = $1', [organizationUuid]);
  const entries = await ledger();
  const targets: [given: unknown, delivery: unknown][] = [
    [byPhone('+44 (0)20 7183 8750'), { method: 'phone', status: 'sent', phone: '+442071838750' }],
    [byPhone('+12025550143'), { method: 'phone', status: 'sent', phone: '+12025550143' }],
    [byEmail('New.Ada@Example.com'), { method: 'email', status: 'sent', email: 'New.Ada@Example.com' }],
    [byEmail('ada@example.org'), { method: 'email', status: 'sent', email: 'ada@example.org' }],
  ];
  for (const [target, delivery] of targets) {
    const now = { ...bought, delivery };
    const answer = await redirect(sandbox, bought, target);
    assert.deepEqual([answer.status, answer.body], [200, now]);
    assert.deepEqual((await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body, now);
    const order = { order_id, status: 'processed', gifts: [now] };
    assert.deepEqual((await sandbox.get(`/v1/orders/${order_id}`)).body, order);
    assert.equal((await fail(sandbox, bought)).body.delivery.status, 'failed');
  }
  assert.deepEqual(await ledger(), entries);
});

test('only a gift shown as failed can be redirected', async () => {
  const { sandbox } = await service.organization();
  const cases: [wanted: Record<string, unknown>, acts: string[]][] = [
    [gift(), []],
    [emailGift('delivered'), []],
    [emailGift('opened'), []],
    [emailGift('claimed'), []],
    [emailGift('spent'), []],
    [emailGift('bounced'), ['deliver']],
    [emailGift('bounced'), ['open']],
    [emailGift('bounced'), ['claim']],
    [emailGift('bounced'), ['claim', 'spend']],
    [linkGift(), []],
    [linkGift(), ['open']],
    [linkGift(), ['claim']],
  ];
  for (const [wanted, acts] of cases) {
    let bought = await ordered(sandbox, wanted);
    for (const act of acts) bought = (await sandbox.post(`/v1/sandbox/gifts/${bought.gift_id}/${act}`)).body;
    assert.notEqual(bought.delivery.status, 'failed');
    for (const target of [byEmail('ada@example.com'), byPhone('+12025550143')])
      assertError(await redirect(sandbox, bought, target), 'gift_delivery_not_updatable');
    assert.deepEqual((await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body, bought);
  }
});

const asOften = async (organizationUuid: string) => {
  const [gift] = await service.sql<{ redirect_count: number; link_version: number; deliveries: number }>(
    `select redirect_count, link_version, (select count(*)::integer from deliveries d where d.organization_id = $1) as deliveries
     from gifts where organization_id = $1`,
    [organizationUuid],
  );
  return gift;
};

test('a redirect to the address under way does nothing more', async () => {
  const { sandbox, organizationUuid } = await service.organization();
  const bought = await ordered(sandbox, emailGift('bounced'));
  const to = byEmail('ada@example.com');
  const first = await redirect(sandbox, bought, to);
  const before = await asOften(organizationUuid);
  const again = await Promise.all(Array.from({ length: 5 }, () => redirect(sandbox, bought, to)));
  for (const { status, body } of again) assert.deepEqual([status, body], [200, first.body]);
  assert.deepEqual(await asOften(organizationUuid), before);
  assertError(await redirect(sandbox, bought, byEmail('bob@example.com')), 'gift_delivery_not_updatable');
  await fail(sandbox, bought);
  assertError(await redirect(sandbox, bought, to), 'parameter_invalid', 'email');
  const neverRedirected = await ordered(sandbox, gift({ delivery: to }));
  assertError(await redirect(sandbox, neverRedirected, to), 'gift_delivery_not_updatable');
});

test('a key redirects once, and an error does not use it up', async () => {
  const { sandbox, organizationUuid } = await service.organization();
  const { gift_id } = await ordered(sandbox, emailGift('bounced'));
  const path = `/v1/gifts/${gift_id}/delivery`;
  const put = (to: object, key: string) => sandbox.put(path, to, { 'Idempotency-Key': key });
  assertError(await put(byEmail('bounced@sandbox.gift.test'), 'one'), 'parameter_invalid', 'email');
  const first = await put(byEmail('opened@sandbox.gift.test'), 'one');
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [200, null]);
  const before = await asOften(organizationUuid);
  const again = await put(byEmail('opened@sandbox.gift.test'), 'one');
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  assert.deepEqual([again.body, await asOften(organizationUuid)], [first.body, before]);
  assertError(await put(byEmail('ada@example.com'), 'one'), 'idempotency_key_reused');
  assertError(await put(byEmail('opened@sandbox.gift.test'), 'two'), 'gift_delivery_not_updatable');
  assertError(await put(byEmail('ada@example.com'), 'k'.repeat(256)), 'parameter_invalid', 'Idempotency-Key');
});

test('a redirect whose answer was lost is answered when it is repeated', async () => {
  const { sandbox } = await service.organization();
  const to = byEmail('response-lost@sandbox.gift.test');
  for (const headers of [{}, { 'Idempotency-Key': 'lost' }]) {
    const { gift_id } = await ordered(sandbox, emailGift('bounced'));
    const put = () => sandbox.put(`/v1/gifts/${gift_id}/delivery`, to, headers);
    await assert.rejects(put());
    const { status, body } = await put();
    assert.deepEqual([status, body.delivery], [200, { ...to, status: 'sent' }]);
  }
});

test('a redirect with an invalid body names the field and changes nothing', async () => {
  const { sandbox } = await service.organization();
  const failed = await ordered(sandbox, emailGift('bounced'));
  const none: Gift = { gift_id: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg', delivery: { status: 'none' } };
  const refused: [body: unknown, param: string][] = [
    [{}, 'method'],
    [{ email: 'ada@example.com' }, 'method'],
    [{ method: 'link' }, 'method'],
    [{ method: 'Email', email: 'ada@example.com' }, 'method'],
    [{ method: 'email' }, 'email'],
    [{ method: 'phone' }, 'phone'],
    [{ method: 'email', phone: '+12025550143' }, 'email'],
    [{ method: 'email', email: 'ada@example' }, 'email'],
    [{ method: 'email', email: '.ada@example.com' }, 'email'],
    [{ method: 'email', email: 'ada..b@example.com' }, 'email'],
    [{ method: 'phone', phone: '2025550143' }, 'phone'],
    [{ method: 'email', email: 'ada@example.com', phone: '+12025550143' }, 'phone'],
    [{ method: 'email', email: 'ada@example.com', status: 'sent' }, 'status'],
    [{ method: 'email', email: 'ada@example.com', gift_id: 'x' }, 'gift_id'],
    [[], 'body'],
    ['null', 'body'],
  ];
  for (const [body, param] of refused)
    for (const one of [failed, none]) assertError(await redirect(sandbox, one, body), 'parameter_invalid', param);
  for (const one of [failed, none]) {
    assertError(await redirect(sandbox, one, undefined), 'request_body_invalid');
    assertError(await redirect(sandbox, one, '{"method":'), 'request_body_invalid');
    assertError(await redirect(sandbox, one, `"${'x'.repeat(1_048_576)}"`), 'request_body_too_large');
  }
  assertError(await redirect(sandbox, none, byEmail('ada@example.com')), 'resource_missing');
  assert.deepEqual((await sandbox.get(`/v1/gifts/${failed.gift_id}`)).body, failed);
});

test('refuses the sixth redirect of a gift', async () => {
  const { sandbox } = await service.organization();
  const bought = await ordered(sandbox, emailGift('bounced'));
  for (let count = 1; count <= 5; count += 1) {
    const answer = await redirect(sandbox, bought, byEmail(`bounced+${count}@sandbox.gift.test`));
    assert.deepEqual([answer.status, answer.body.delivery.status], [200, 'failed'], `redirect ${count}`);
  }
  const last = (await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body;
  // The limit comes before the new address's steering.
  const targets = [byEmail('delivered@sandbox.gift.test'), byPhone('+12025550100'), byPhone('+12025550107')];
  for (const target of targets) assertError(await redirect(sandbox, bought, target), 'gift_resend_limit_reached');
  assert.deepEqual((await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body, last);
  const other = await ordered(sandbox, emailGift('bounced'));
  assert.equal((await redirect(sandbox, other, byEmail('ada@example.com'))).status, 200);
});

test('RESEND_LIMIT sets the number of redirects; 0 forbids them', async () => {
  const { keys, sandbox } = await service.organization();
  for (const limit of [0, 2]) {
    const other = await service.second({ RESEND_LIMIT: String(limit) });
    const client = other.api(keys.sandbox);
    const bought = await ordered(sandbox, emailGift('bounced'));
    for (let count = 1; count <= limit; count += 1)
      assert.equal((await redirect(client, bought, byEmail(`bounced+${count}@sandbox.gift.test`))).status, 200);
    assertError(await redirect(client, bought, byEmail('ada@example.com')), 'gift_resend_limit_reached');
  }
});

test('a redirect to the address that just failed is refused and not counted', async () => {
  const { sandbox } = await service.organization();
  const bought = await ordered(sandbox, emailGift('bounced'));
  for (let count = 0; count < 6; count += 1)
    assertError(await redirect(sandbox, bought, byEmail('bounced@sandbox.gift.test')), 'parameter_invalid', 'email');
  assert.deepEqual((await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body, bought);
  assert.equal((await redirect(sandbox, bought, byPhone('+1 (202) 555-0101'))).body.delivery.status, 'failed');
  assertError(await redirect(sandbox, bought, byPhone('+12025550101')), 'parameter_invalid', 'phone');
  // An earlier address may be right after all, and so may another spelling.
  for (const email of ['bounced@sandbox.gift.test', 'Bounced@sandbox.gift.test'])
    assert.equal((await redirect(sandbox, bought, byEmail(email))).status, 200);
});

test('exactly one of concurrent redirects wins', async () => {
  const { sandbox, keys } = await service.organization();
  const other = await service.second();
  const clients = [sandbox, other.api(keys.sandbox)];
  for (let round = 0; round < 5; round += 1) {
    const bought = await ordered(sandbox, emailGift('bounced'));
    const targets = Array.from({ length: 6 }, (_, index) => `ada${index}@example.com`);
    const once = (email: string, index: number) => redirect(clients[index % 2] ?? sandbox, bought, byEmail(email));
    const answers = await Promise.all(
      targets.map(async (email, index) => {
        let answer = await once(email, index);
        // A slow machine holds the lock for longer than a request waits; a client repeats it then.
        while (answer.body.error?.code === 'resource_locked') answer = await once(email, index);
        return answer;
      }),
    );
    const winners = answers.flatMap((answer, index) => (answer.status === 200 ? [{ answer, index }] : []));
    assert.equal(winners.length, 1);
    const email = targets[winners[0]?.index ?? -1];
    const now = { ...bought, delivery: { method: 'email', status: 'sent', email } };
    assert.deepEqual(winners[0]?.answer.body, now);
    assert.deepEqual((await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body, now);
    for (const answer of answers) if (answer.status !== 200) assertError(answer, 'gift_delivery_not_updatable');
  }
});
