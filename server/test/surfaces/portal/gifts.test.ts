import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { countPending } from '../../harness/deliveries.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalAnswer, type PortalClient } from '../../harness/portal-client.ts';
import { blankGift, giftsPath, orderGifts } from '../../harness/portal-gifts.ts';
import { startTestService } from '../../harness/test-service.ts';

/** The portal's answers about gifts. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const member = openForFile(() => createPortalClient(service, 'member@example.com'));

const now = () => new Date(service.clock.now()).toISOString();
const pass = (ms: number) => service.clock.jump(ms);

/** Compares what the portal's app reads of an error. */
function assertRefused({ status, body, headers }: PortalAnswer, expected: [number, string, string], param?: string) {
  const { error } = body;
  assert.deepEqual([status, error.code, error.message, error.param], [...expected, param]);
  assert.equal(error.request_id, headers.get('request-id'));
}
const NOT_FOUND: [number, string, string] = [404, 'not_found', 'Not found.'];
const lacks = (what: string): [number, string, string] => [
  403,
  'admin_required',
  `Your role does not include ${what}. Ask an admin of the organization.`,
];

/** What the audit log has of a gift. */
const audited = (giftId: string) =>
  service.sql<{ action: string; details: object; environment: string; actor_kind: string; actor_name: string }>(
    `select action, details, environment, actor_kind, actor_name from audit_events
     where organization_id = $1 and target = $2`,
    [organization.organizationUuid, giftId],
  );
const BY_ADMIN = { environment: 'sandbox', actor_kind: 'member', actor_name: 'admin@example.com' };

test('a gift is shown with everything that happened to it', async () => {
  const ordered = now();
  const [giftId] = await orderGifts(organization, [emailGift('pending')]);
  const of = giftsPath(organization, `/${giftId}`);
  const redirected = { method: 'phone', phone: '+1 202 555 0143' };
  const times: string[] = [];
  for (const [method, path, sent] of [
    ['POST', '/simulate', { simulation: 'fail' }],
    ['PUT', '/delivery', redirected],
    ['POST', '/simulate', { simulation: 'open' }],
    ['POST', '/simulate', { simulation: 'claim' }],
    ['POST', '/simulate', { simulation: 'spend' }],
  ] as const) {
    await pass(60_000);
    times.push(now());
    const { status, body } = await admin.call(method, of + path, sent);
    assert.equal(status, 200, JSON.stringify(sent));
    assert.deepEqual(body, (await member.call('GET', of)).body);
  }
  const { body } = await member.call('GET', of);
  const [failed, resent, opened, claimed, spent] = times;
  const message = { kind: 'delivery', tries: 0, provider: null, reminder_day: null };
  assert.deepEqual(body, {
    gift: {
      ...blankGift,
      gift_id: giftId,
      order_id: body.gift.order_id,
      status: 'claimed',
      amount: 2500,
      category: { id: 'coffee', name: 'coffee' },
      method: 'phone',
      address: '+12025550143',
      sender_name: 'Test Organization',
      created_at: ordered,
      opened_at: opened,
      claimed_at: claimed,
      state: 'spent',
      is_kept: false,
      message: null,
      language: null,
      link_expires_at: body.gift.link_expires_at,
      spent_amount_not_listed: 0,
      card_reopened_until: null,
    },
    history: body.history,
    timeline: [
      { kind: 'ordered', at: ordered },
      {
        ...message,
        at: ordered,
        number: 1,
        channel: 'email',
        address: 'pending@sandbox.gift.test',
        state: 'failed',
        created_at: ordered,
        sent_at: ordered,
        delivered_at: null,
        failed_at: failed,
        failure: { reason: 'unknown', retryable: false, provider_message: null },
      },
      {
        ...message,
        at: resent,
        number: 2,
        channel: 'phone',
        address: '+12025550143',
        state: 'delivered',
        created_at: resent,
        sent_at: resent,
        delivered_at: opened,
        failed_at: null,
        failure: null,
      },
      { kind: 'opened', at: opened },
      { kind: 'claimed', at: claimed, card_id: giftId.replace('gift_', 'card_') },
      { kind: 'spent', at: spent, amount: 2500, merchant: 'Test shop' },
    ],
    redirect: { allowed: false, reason: 'not_failed', left: 4 },
    resend_refusal: 'claimed',
    simulations: { deliver: false, fail: false, open: false, claim: false, spend: false },
  });
  for (const [number, to] of [
    [1, 'pending@sandbox.gift.test'],
    [2, '+12025550143'],
  ])
    assert.equal((await member.call('GET', `${of}/messages/${number}`)).body.to, to);
  const [live] = await orderGifts(organization, [gift()], 'live');
  assert.equal((await member.call('GET', giftsPath(organization, `/${live}`, 'live'))).body.simulations, null);
});

test('admins simulate sandbox gifts; concurrent calls make one audit event', async () => {
  const [giftId] = await orderGifts(organization, [emailGift('pending')]);
  const [link] = await orderGifts(organization, [linkGift()]);
  const [live] = await orderGifts(organization, [gift()], 'live');
  const simulate = (who: PortalClient, id: string, simulation: string) =>
    who.call('POST', `/organizations/${organization.organizationId}/sandbox/gifts/${id}/simulate`, { simulation });
  assertRefused(await simulate(member, giftId, 'open'), lacks('the sandbox and its simulations'));
  assertRefused(await simulate(admin, live, 'open'), NOT_FOUND);
  const { status, body } = await simulate(admin, giftId, 'lose');
  assert.deepEqual([status, body.error.param], [422, 'simulation']);
  assertRefused(await simulate(admin, link, 'deliver'), [
    422,
    'gift_delivery_not_simulatable',
    'A link gift is not delivered by the service, so its delivery cannot be simulated.',
  ]);
  assertRefused(await simulate(admin, giftId, 'spend'), [
    422,
    'gift_not_claimed',
    'This gift is not claimed yet, so it has no card to spend from.',
  ]);
  const claims = await Promise.all(Array.from({ length: 8 }, () => simulate(admin, giftId, 'claim')));
  assert.equal(claims.filter((claim) => claim.status === 200).length, 1);
  for (const claim of claims.filter((one) => one.status !== 200))
    assertRefused(claim, [422, 'gift_already_redeemed', 'This gift was already redeemed onto a card.']);
  assert.deepEqual(await audited(giftId), [{ action: 'gift.simulated', details: { outcome: 'claimed' }, ...BY_ADMIN }]);
});

test('an admin redirects a failed gift; other redirects are refused', async () => {
  const [giftId] = await orderGifts(organization, [emailGift('bounced')]);
  const [fine] = await orderGifts(organization, [emailGift('delivered')]);
  const redirect = (body: object, id = giftId, who = admin) =>
    who.call('PUT', giftsPath(organization, `/${id}/delivery`), body);
  const toAda = { method: 'email', email: 'pending@sandbox.gift.test' };
  const managing = 'resending, redirecting, holding and rescheduling gifts';
  assertRefused(await redirect(toAda, giftId, member), lacks(managing));
  assertRefused(await redirect(toAda, fine), [
    422,
    'gift_delivery_not_updatable',
    'Only a gift whose delivery failed can be sent to another address.',
  ]);
  for (const [body, param, message] of [
    [{}, 'method', 'method must be one of email, phone.'],
    [{ method: 'link' }, 'method', 'method must be one of email, phone.'],
    [{ method: 'email' }, 'email', 'email is required.'],
    [
      { method: 'email', email: 'ada' },
      'email',
      'email must be an email address such as name@example.com, of at most 254 characters.',
    ],
    [
      { method: 'phone', phone: '12' },
      'phone',
      'phone must be a phone number in international format, such as +1 202 555 0100.',
    ],
    [{ ...toAda, status: 'sent' }, 'status', 'The field status is not known here. Check its spelling.'],
  ] as const)
    assertRefused(await redirect(body), [422, 'parameter_invalid', message], param);

  const answers = await Promise.all(Array.from({ length: 4 }, () => redirect(toAda)));
  // The same address again is the same redirect.
  const history = answers[0]?.body;
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, history]);
  assert.deepEqual(history, (await member.call('GET', giftsPath(organization, `/${giftId}`))).body);
  assert.deepEqual(
    [history.gift.status, history.gift.address, history.redirect],
    ['sent', 'pending@sandbox.gift.test', { allowed: false, reason: 'not_failed', left: 4 }],
  );
  const details = { method: 'email', address: 'p•••@s•••.test' };
  assert.deepEqual(await audited(giftId), [{ action: 'gift.redirected', details, ...BY_ADMIN }]);
});

test('only admins get a link gift’s link, as /v1 returns it', async () => {
  const [giftId] = await orderGifts(organization, [linkGift()]);
  const [email] = await orderGifts(organization, [gift()], 'live');
  const show = (who: PortalClient, id = giftId) => who.call('GET', giftsPath(organization, `/${id}/link`));
  assertRefused(await show(member), lacks('links of gifts'));
  assertRefused(await admin.call('GET', giftsPath(organization, `/${email}/link`, 'live')), NOT_FOUND);
  const { body } = await show(admin);
  const { delivery } = (await organization.sandbox.get(`/v1/gifts/${giftId}`)).body;
  const { link_expires_at } = (await member.call('GET', giftsPath(organization, `/${giftId}`))).body.gift;
  assert.deepEqual(body, { link: delivery.link, expires_at: link_expires_at });
});

test('a message is shown without anything that opens the gift', async () => {
  const [giftId] = await orderGifts(organization, [gift({ personalization: { recipient_name: 'Ada' } })], 'live');
  await workUntil(service, async () => (await countPending(service)) === 0, 'sent');
  const delivery = { method: 'phone', phone: '+12025550143' };
  const [phone, link] = await orderGifts(organization, [gift({ delivery }), linkGift()]);
  const message = await member.call('GET', giftsPath(organization, `/${giftId}/messages/1`, 'live'));
  assert.deepEqual(message.body, {
    channel: 'email',
    to: 'someone@example.com',
    sender_name: 'Test Organization',
    subject: 'Test Organization sent you a gift',
    text: message.body.text,
    has_letter: true,
  });
  assert.match(message.body.text, /^Dear Ada,\n\nTest Organization sent you a gift\.\n/);
  assert.match(message.body.text, /\/g\/…\n/);
  const letter = await member.call('GET', giftsPath(organization, `/${giftId}/messages/1/letter`, 'live'));
  assert.equal(letter.status, 200);
  assert.equal(letter.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(
    letter.headers.get('content-security-policy'),
    `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' ${service.service.deps.publicUrl()}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin`,
  );
  assert.equal(letter.headers.get('cache-control'), 'no-store');
  assert.match(letter.body, /A gift for <bdi>Ada<\/bdi>/);
  assert.match(letter.body, /<a [^>]*>Open your gift<\/a>/);
  assert.doesNotMatch(letter.body, /href/);
  for (const text of [letter.body, message.body.text]) assert.doesNotMatch(text, /\/g\/[A-Za-z0-9_-]/);

  const sms = await member.call('GET', giftsPath(organization, `/${phone}/messages/1`));
  assert.deepEqual([sms.body.channel, sms.body.subject, sms.body.has_letter], ['phone', '', false]);
  assert.match(sms.body.text, /^Test Organization sent you a gift\. Open it: http\S+\/g\/…$/);
  for (const path of [
    `/${phone}/messages/1/letter`,
    `/${link}/messages/1`,
    `/${phone}/messages/2`,
    `/${phone}/messages/0`,
    `/${phone}/messages/1e0`,
    `/${phone}/messages/99999999999999999999`,
  ])
    assertRefused(await member.call('GET', giftsPath(organization, path)), NOT_FOUND);
});

test('foreign, unknown and malformed gift ids get the same answer', async () => {
  const other = await service.organization();
  const [foreign] = await orderGifts(other, [linkGift()]);
  const [live] = await orderGifts(organization, [linkGift()], 'live');
  const body = { method: 'email', email: 'a@example.com' };
  for (const [method, path, more] of [
    ['GET', ''],
    ['GET', '/link'],
    ['GET', '/messages/1'],
    ['GET', '/messages/1/letter'],
    ['PUT', '/delivery', body],
    ['POST', '/simulate', { simulation: 'open' }],
  ] as const)
    for (const id of [foreign, live, 'gift_01h455vb4pex5vsknk084sn02q', 'gift_', 'x'])
      assertRefused(await admin.call(method, giftsPath(organization, `/${id}${path}`), more), NOT_FOUND);
});

test('all categories are listed, and retired ones are marked', async () => {
  await service.sql(`update categories set retired_at = $1 where category_id = 'travel'`, [new Date(now())]);
  const { body } = await member.call('GET', '/categories');
  assert.deepEqual(body, {
    data: ['coffee', 'books', 'travel'].map((id) => ({ category_id: id, name: id, is_retired: id === 'travel' })),
  });
});
