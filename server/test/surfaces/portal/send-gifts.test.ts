import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { setCaps } from '../../../src/core/caps/set-caps.ts';
import { setProgram } from '../../../src/core/organizations/set-program.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { linkGift } from '../../harness/api-client.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient, type PortalAnswer } from '../../harness/portal-client.ts';
import { openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Gifts that people send in the portal. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const second = openForFile(() => service.second());
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const member = openForFile(() => createPortalClient(service, 'member@example.com'));

const ordersOf = ({ organizationId }: TestOrganization, environment = 'sandbox', more = '') =>
  `/organizations/${organizationId}/${environment}/orders${more}`;
const send = (gift: object = linkGift(), form_id: string = randomUUID(), environment = 'sandbox', who = admin) =>
  who.call('POST', ordersOf(organization, environment), { form_id, gifts: [gift] });
const refusal = ({ status, body }: PortalAnswer) => [status, body.error?.code, body.error?.param];
const balance = async (environment: 'live' | 'sandbox' = 'sandbox') =>
  (await organization[environment].get('/v1/balance')).body.available;

test('an admin buys a gift, which is theirs in the order and in the audit log', async () => {
  const before = await balance();
  const { status, body } = await send({ ...linkGift(), personalization: { message: 'Hello' }, language: 'de' });
  assert.equal(status, 200);
  const [{ gift_id, link }] = body.gifts;
  assert.deepEqual(body, { order_id: body.order_id, gifts: [{ gift_id, link }], is_replay: false });
  assert.equal((await openLink(service, link)).status, 200);
  assert.equal(await balance(), before - 2500);
  const { body: order } = await admin.call('GET', ordersOf(organization, 'sandbox', `/${body.order_id}`));
  assert.deepEqual([order.key, order.member.email, order.amount], [null, 'admin@example.com', 2500]);
  const { body: listed } = await member.call('GET', ordersOf(organization));
  assert.equal(listed.data[0].order_id, body.order_id);
  const csv = await admin.call('GET', ordersOf(organization, 'sandbox', '.csv'));
  assert.ok(csv.body.includes(body.order_id));
  const { body: read } = await organization.sandbox.get(`/v1/orders/${body.order_id}`);
  assert.equal(read.gifts[0].personalization.message, 'Hello');
  assert.equal(read.gifts[0].language, 'de');
  const events = await service.sql(
    `select action, actor_kind, actor_name, target, details, environment from audit_events
     where organization_id = $1 and target = $2`,
    [organization.organizationUuid, body.order_id],
  );
  assert.deepEqual(events, [
    {
      action: 'order.placed',
      actor_kind: 'member',
      actor_name: 'admin@example.com',
      target: body.order_id,
      details: { gifts: 1, amount_cents: 2500 },
      environment: 'sandbox',
    },
  ]);
});

test('one form buys once, however often and wherever it is sent', async () => {
  const before = await balance();
  const form = randomUUID();
  const other = admin.at(second.url);
  const path = ordersOf(organization);
  const body = { form_id: form, gifts: [linkGift()] };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? admin.call('POST', path, body) : other.call('POST', path, body, { origin: second.url }),
    ),
  );
  const bought = answers.filter(({ status }) => status === 200);
  assert.ok(bought.length > 0);
  for (const answer of answers)
    if (answer.status !== 200)
      assert.ok(
        ['idempotency_in_progress', 'resource_locked'].includes(answer.body.error.code),
        answer.body.error.code,
      );
  assert.equal(new Set(bought.map(({ body: sent }) => sent.gifts[0].gift_id)).size, 1);
  assert.equal(bought.filter(({ body: sent }) => !sent.is_replay).length, 1);
  assert.equal(await balance(), before - 2500);
  assert.deepEqual(refusal(await send(linkGift(5000), form)), [409, 'idempotency_key_reused', undefined]);
  const events = await service.sql(`select from audit_events where target = $1`, [bought[0]?.body.order_id]);
  assert.equal(events.length, 1);
});

test('only admins send, of an organization that is not suspended', async () => {
  const before = await balance();
  assert.deepEqual(refusal(await send(linkGift(), undefined, 'sandbox', member)), [403, 'admin_required', undefined]);
  const { deps } = service.service;
  const suspended = await service.organization();
  await suspended.addMembers();
  await suspendOrganization(deps, { organizationId: suspended.organizationId, actor: OPERATOR });
  const refused = await admin.call('POST', ordersOf(suspended), { form_id: randomUUID(), gifts: [linkGift()] });
  assert.deepEqual(refusal(refused), [403, 'organization_suspended', undefined]);
  assert.equal(await balance(), before);
});

test('errors name the field, and nothing is charged', async () => {
  const before = await balance();
  const wrong: [gift: object, param: string][] = [
    [{ ...linkGift(), amount: 999 }, 'gifts[0].amount'],
    [{ ...linkGift(), category: 'nothing' }, 'gifts[0].category'],
    [{ ...linkGift(), delivery: { method: 'email', email: 'ada' } }, 'gifts[0].delivery.email'],
    [{ ...linkGift(), delivery: { method: 'phone', phone: '12' } }, 'gifts[0].delivery.phone'],
    [{ ...linkGift(), personalization: { message: 'a\tb' } }, 'gifts[0].personalization.message'],
    [{ ...linkGift(), personalization: { sender_name: '' } }, 'gifts[0].personalization.sender_name'],
  ];
  for (const [gift, param] of wrong) assert.deepEqual(refusal(await send(gift)), [422, 'parameter_invalid', param]);
  const body = { form_id: 'x', gifts: [linkGift()] };
  assert.deepEqual(refusal(await admin.call('POST', ordersOf(organization), body)), [
    422,
    'parameter_invalid',
    'form_id',
  ]);
  const steered = { ...linkGift(), delivery: { method: 'email', email: 'insufficient-balance@sandbox.gift.test' } };
  assert.deepEqual(refusal(await send(steered)), [402, 'insufficient_balance', undefined]);
  assert.equal(await balance(), before);
});

test('live orders of people count for the organization’s spending caps', async () => {
  const { deps } = service.service;
  const before = await balance('live');
  assert.equal((await send(linkGift(1000), undefined, 'live')).status, 200);
  const { organizationId } = organization;
  await setCaps(deps, { organizationId, environment: 'live', amounts: { day: 2500 }, actor: OPERATOR });
  assert.deepEqual(refusal(await send(linkGift(2000), undefined, 'live')), [402, 'insufficient_balance', undefined]);
  assert.equal((await send(linkGift(1500), undefined, 'live')).status, 200);
  assert.deepEqual(refusal(await send(linkGift(1000), undefined, 'live')), [402, 'insufficient_balance', undefined]);
  assert.equal(await balance('live'), before - 2500);
  await verifyAll(service);
});

test('a gift on its way has no link in the answer, and a processing one comes later', async () => {
  const { body } = await send({ ...linkGift(), delivery: { method: 'email', email: 'ada@example.com' } });
  assert.deepEqual(body.gifts, [{ gift_id: body.gifts[0].gift_id, link: null }]);
  const steered = { ...linkGift(), delivery: { method: 'email', email: 'processing@sandbox.gift.test' } };
  assert.deepEqual((await send(steered)).body.gifts, []);
});

const draft = { method: 'email', amount: 2500, category: 'coffee', recipient_name: 'Ada', message: '<b>Hi</b>\nAda' };
const preview = (body: object, who = admin) => who.call('POST', ordersOf(organization, 'sandbox', '/preview'), body);
const frame = (part: string, sealed: string, of = organization) =>
  admin.call('GET', ordersOf(of, 'sandbox', `/preview/${part}?draft=${sealed}`));

test('a preview shows mail and page with the real templates, and buys nothing', async () => {
  const { organizationId } = organization;
  const days = { program: 'award', unclaimedAfterDays: 30, reminderDays: [] } as const;
  await setProgram(service.service.deps, { organizationId, ...days, actor: OPERATOR });
  const before = await balance();
  const { status, body } = await preview(draft);
  assert.deepEqual([status, body.subject], [200, 'Test Organization sent you a gift']);
  assert.ok(body.text.replaceAll('\u2060', '').includes('> <b>Hi</b>\n> Ada'));
  const { body: placed } = await send({ ...linkGift(), personalization: { message: 'x' } });
  const [{ last_day }] = (await service.sql(
    `select to_char((expires_at - interval '1 second') at time zone 'UTC', 'FMDD FMMonth YYYY') as last_day
     from gifts where order_id = (select order_id from orders order by order_id desc limit 1)`,
  )) as [{ last_day: string }];
  assert.equal(placed.gifts.length, 1);
  const mail = await frame('mail', body.draft);
  const page = await frame('page', body.draft);
  for (const shown of [mail, page]) {
    assert.equal(shown.status, 200);
    assert.match(
      shown.headers.get('content-security-policy') ?? '',
      /form-action 'none'.*frame-ancestors 'self'.*sandbox/,
    );
    for (const words of ['&#60;b&#62;Hi', 'Ada', 'Test Organization', `Claim it by ${last_day}`])
      assert.ok(shown.body.includes(words), words);
    assert.ok(!shown.body.includes('<b>Hi'));
  }
  assert.ok(!mail.body.includes('href='));
  assert.equal(await balance(), before - 2500);
  const text = await preview({ ...draft, method: 'phone' });
  assert.match(text.body.text, /^Test Organization sent you a gift with a message\. Claim it by .*: http.*\/g\/…$/);
  const link = await preview({ ...draft, method: 'link' });
  assert.deepEqual([link.body.subject, link.body.text], [null, null]);
  assert.equal((await frame('mail', link.body.draft)).status, 404);
});

test('the longest draft has a preview', async () => {
  const long = (length: number) => '🎁'.repeat(length);
  const longest = { recipient_name: long(200), sender_name: long(200), message: long(500) };
  const { body } = await preview({ ...draft, ...longest });
  assert.equal((await frame('page', body.draft)).status, 200);
});

const LOST = 'J\ufffdrg';
const refusedBecauseOf = (param: string) => ({
  code: 'parameter_invalid',
  param,
  message: `${param} has the sign \ufffd. It stands for letters that were lost when a file was read or a text was copied. Write the text again.`,
});
const refused = ({ status, body: { error } }: PortalAnswer) => {
  assert.equal(status, 422);
  return { code: error.code, param: error.param, message: error.message };
};

for (const field of ['recipient_name', 'sender_name', 'message'])
  test(`${field} with lost letters is refused in the portal, and taken by /v1`, async () => {
    const before = await balance();
    const lost = { ...linkGift(), personalization: { [field]: LOST } };
    const gifts = [linkGift(), lost];
    const sent = await admin.call('POST', ordersOf(organization), { form_id: randomUUID(), gifts });
    assert.deepEqual(refused(sent), refusedBecauseOf(`gifts[1].personalization.${field}`));
    const draft = { method: 'link', amount: 2500, category: 'coffee', [field]: LOST };
    assert.deepEqual(refused(await preview(draft)), refusedBecauseOf(field));
    assert.equal(await balance(), before);
    const { status, body } = await organization.sandbox.order([lost]);
    assert.equal(status, 201);
    assert.equal(body.gifts[0].personalization[field], LOST);
  });

test('a preview opens only for admins of its organization', async () => {
  assert.equal((await preview(draft, member)).status, 403);
  const { body } = await preview(draft);
  const withoutDraft = await admin.call('GET', ordersOf(organization, 'sandbox', '/preview/page'));
  assert.deepEqual(refusal(withoutDraft).slice(0, 2), [404, 'not_found']);
  const other = await service.organization();
  await other.addMembers();
  assert.equal((await frame('page', body.draft, other)).status, 404);
  assert.equal(
    (
      await frame(
        'page',
        body.draft.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A')),
      )
    ).status,
    404,
  );
  assert.equal((await frame('else', body.draft)).status, 404);
  assert.deepEqual(refusal(await preview({ ...draft, category: 'nothing' })), [422, 'parameter_invalid', 'category']);
  assert.deepEqual(refusal(await preview({ ...draft, email: 'ada' })), [422, 'parameter_invalid', 'email']);
});
