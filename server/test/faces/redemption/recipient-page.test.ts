import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { LocalIssuer } from '../../../src/core/issuer/port.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { OutcomeUnknown } from '../../../src/platform/base/outcome-unknown.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import {
  giftLink,
  openLink,
  startTestService,
  type TestOrganization,
  type TestService,
} from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const ACTS = ['open', 'choose', 'claim', 'reveal', 'code', 'prove', 'pin', 'purchase', 'renew', 'thank', 'decline'];

interface Bought {
  giftId: string;
  link: string;
  token: string;
}

async function orderLink({ sandbox }: TestOrganization, environment = sandbox): Promise<Bought> {
  const { body } = await environment.order([linkGift()]);
  const [{ gift_id: giftId, delivery }] = body.gifts;
  return { giftId, link: delivery.link, token: delivery.link.slice(-76) };
}

const press = (link: string, act: string, more: RequestInit = {}, at: Pick<TestService, 'url'> = service) =>
  fetch(`${at.url}/g/${link.slice(-76)}/${act}`, { method: 'POST', redirect: 'manual', ...more });

const statusOf = async (organization: TestOrganization, giftId: string) =>
  (await organization.sandbox.get(`/v1/gifts/${giftId}`)).body.delivery.status;

const ISSUED = { state: 'issued', providerId: null, face: null } as const;

/** Lets the sandbox's issuer do this in the commit of a claim, until the test ends. */
function replaceIssue(t: TestContext, at: TestService, issue: NonNullable<LocalIssuer['issue']>) {
  const { issuers } = at.service.deps;
  const { simulated } = issuers;
  issuers.simulated = { ...simulated, issue };
  const restore = () => Object.assign(issuers, { simulated });
  t.after(restore);
  return restore;
}

const dataOf = async ({ organizationUuid }: TestOrganization) =>
  service.sql('select opened_at, claimed_at, card_id, spent_cents from gifts where organization_id = $1', [
    organizationUuid,
  ]);

test('unwrap, claim and show number redirect to the page and change the status', async () => {
  const organization = await service.organization();
  const { giftId, link, token } = await orderLink(organization);
  assert.equal(await statusOf(organization, giftId), 'sent');

  const opened = await press(link, 'open');
  assert.deepEqual([opened.status, opened.headers.get('location')], [303, `../${token}#unwrapped`]);
  assert.equal(await statusOf(organization, giftId), 'opened');
  const unwrapped = (await openLink(service, link)).text;
  assert.ok(unwrapped.includes('<span class="worth">$25.00</span> for <bdi>coffee</bdi>'));
  assert.ok(unwrapped.includes('>Claim</button>'));

  const claimed = await press(link, 'claim');
  assert.deepEqual([claimed.status, claimed.headers.get('location')], [303, `../${token}#card`]);
  assert.equal(await statusOf(organization, giftId), 'claimed');
  const card = (await openLink(service, link)).text;
  assert.ok(card.includes('Show number') && !card.includes('class="digits"'));

  const headers = { cookie: claimed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' };
  const revealed = await press(link, 'reveal', { headers });
  const text = await revealed.text();
  assert.equal(revealed.status, 200);
  assert.equal(revealed.headers.get('cache-control'), 'no-store');
  assert.match(text, /<span class="digits">9999 99\d\d \d{4} \d{4}<\/span>/);
  const again = await (await press(link, 'reveal', { headers })).text();
  assert.equal(/class="digits">([^<]*)/.exec(again)?.[1], /class="digits">([^<]*)/.exec(text)?.[1]);
});

test('claiming a wrapped gift opens it, and late presses change nothing', async () => {
  const organization = await service.organization();
  const { link, token } = await orderLink(organization);
  assert.deepEqual((await press(link, 'reveal')).headers.get('location'), `../${token}`);
  assert.equal((await press(link, 'claim')).status, 303);
  const before = await dataOf(organization);
  const now = new Date(service.clock.now());
  assert.deepEqual([before[0]?.['opened_at'], before[0]?.['claimed_at']], [now, now]);
  await service.clock.setTime(service.clock.now() + 60_000);
  for (const act of ['open', 'claim', 'open', 'renew']) assert.equal((await press(link, act)).status, 303);
  assert.deepEqual(await dataOf(organization), before);
});

test('twenty concurrent claims on two processes issue one card', async (t) => {
  const organization = await service.organization();
  const other = await service.second();
  const issued: string[] = [];
  for (const at of [service, other])
    replaceIssue(t, at, async (_transaction, card) => {
      issued.push(card.cardId);
      return ISSUED;
    });
  const { giftId, link, token } = await orderLink(organization);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => press(link, 'claim', {}, n % 2 ? service : other)),
  );
  const locations = new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`));
  assert.deepEqual([...locations], [`303 ../${token}#card`]);
  assert.equal(issued.length, 1);
  assert.equal((await dataOf(organization))[0]?.['card_id'], issued[0]);
  const again = await organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/claim`);
  assert.equal(again.body.error.code, 'gift_already_redeemed');
});

test('a claim whose issuer fails leaves the gift unclaimed, and a retry works', async (t) => {
  const organization = await service.organization();
  const { giftId, link } = await orderLink(organization);
  await press(link, 'open');
  const before = await dataOf(organization);
  const restore = replaceIssue(t, service, () => Promise.reject(new Error('The issuer is unreachable.')));
  const answer = await press(link, 'claim');
  const text = await answer.text();
  assert.equal(answer.status, 503);
  assert.match(text, /role="alert">We could not prepare your gift\. .*try again/);
  assert.match(text, /<form class="details" method="post" action="claim"/);
  assert.ok(!text.includes('unreachable'));
  const call = await organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/claim`);
  assert.deepEqual([call.status, call.body.error.code], [500, 'internal_error']);
  assert.deepEqual(await dataOf(organization), before);
  restore();
  assert.equal((await press(link, 'claim')).status, 303);
  assert.equal(await statusOf(organization, giftId), 'claimed');
});

test('a claim whose connection was lost at the commit leads to its card', async () => {
  const organization = await service.organization();
  const { link, token } = await orderLink(organization);
  const { deps } = service.service;
  const { database } = deps;
  const query: typeof database.change.query = async (statement) => {
    await database.change.query(statement);
    throw new OutcomeUnknown('The connection was lost at the commit.');
  };
  deps.database = { ...database, change: { query } };
  try {
    const answer = await press(link, 'claim');
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, `../${token}#card`]);
  } finally {
    deps.database = database;
  }
});

test('an interrupted claim is completed with the same card', async (t) => {
  const organization = await service.organization();
  const { link } = await orderLink(organization);
  const issued: string[] = [];
  replaceIssue(t, service, async (_transaction, { cardId }) => {
    issued.push(cardId);
    if (issued.length === 1) throw new Error('The response was lost.');
    return ISSUED;
  });
  assert.equal((await press(link, 'claim')).status, 503);
  assert.equal((await press(link, 'claim')).status, 303);
  assert.equal(issued.length, 2);
  assert.deepEqual([...new Set(issued)], [(await dataOf(organization))[0]?.['card_id']]);
});

test('gifts of a suspended organization can be opened and claimed', async () => {
  const organization = await service.organization();
  const { link } = await orderLink(organization, organization.live);
  await suspendOrganization(service.service.deps, { organizationId: organization.organizationId, actor: OPERATOR });
  assert.equal((await openLink(service, link)).status, 200);
  assert.equal((await press(link, 'open')).status, 303);
  assert.equal((await press(link, 'claim')).status, 303);
  assert.ok((await openLink(service, link)).text.includes('Show number'));
});

// foreign-form.test.ts has every combination of headers.
test('a form of another site is refused and changes nothing', async () => {
  const organization = await service.organization();
  const { link } = await orderLink(organization);
  const before = await dataOf(organization);
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    for (const act of ACTS) {
      const answer = await press(link, act, { headers });
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assert.match(await answer.text(), /Request blocked/);
    }
  assert.deepEqual(await dataOf(organization), before);
  const headers = { origin: service.url, 'sec-fetch-site': 'same-origin' };
  assert.equal((await press(link, 'open', { headers })).status, 303);
});

test('an unknown, ended or expired link changes nothing', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([emailGift('bounced')]);
  const ended = await giftLink(service, organization, 'sandbox');
  await organization.sandbox.put(`/v1/gifts/${body.gifts[0].gift_id}/delivery`, gift()['delivery']);
  const before = await dataOf(organization);
  for (const link of ['A'.repeat(76), 'nonsense', ended])
    for (const act of ACTS) {
      const answer = await press(link, act);
      assert.equal(answer.status, 404);
      assert.match(await answer.text(), /This link does not open a gift/);
    }
  const current = await giftLink(service, organization, 'sandbox');
  await service.clock.setTime(service.clock.now() + 30 * 86_400_000);
  for (const act of ACTS.filter((act) => act !== 'renew')) assert.equal((await press(current, act)).status, 410);
  assert.deepEqual(await dataOf(organization), before);
});

test('reloading the URL of an answer redirects to the page', async () => {
  const organization = await service.organization();
  const { link, token } = await orderLink(organization);
  const before = await dataOf(organization);
  for (const act of ACTS) {
    const { status, headers } = await openLink(service, `${link}/${act}`);
    assert.deepEqual([status, headers.get('location')], [303, `../${token}`]);
    assert.equal((await openLink(service, `${link.slice(0, -4)}/${act}`)).status, 404);
  }
  assert.deepEqual(await dataOf(organization), before);
});

test('an unexpected error shows a page without details', async () => {
  const organization = await service.organization();
  const { link } = await orderLink(organization);
  const { deps } = service.service;
  const { read } = deps.database;
  deps.database.read = { query: () => Promise.reject(new Error('The database is unreachable.')) };
  try {
    for (const { status, text, headers } of [
      await openLink(service, link),
      await openLink(service, `${link}/open`, 'POST'),
    ]) {
      assert.deepEqual([status, headers.get('retry-after')], [500, '1']);
      assert.match(text, /The problem is on our side/);
      assert.ok(!text.includes('unreachable'));
    }
  } finally {
    deps.database.read = read;
  }
  assert.equal((await openLink(service, link)).status, 200);
});

test('page and card show amounts in the currency', async () => {
  for (const [currency, value] of [
    ['GBP', '£25.00'],
    ['CHF', 'CHF\u00a025.00'],
  ] as const) {
    const inCurrency = await service.second({ CURRENCY: currency });
    const { link } = await orderLink(await service.organization());
    await press(link, 'open', {}, inCurrency);
    const page = (await openLink(inCurrency, link)).text;
    assert.ok(page.includes(`<span class="worth">${value}</span>`), currency);
    await press(link, 'claim', {}, inCurrency);
    const card = (await openLink(inCurrency, link)).text;
    assert.ok(card.includes(`<strong>${value}</strong> of ${value}`), currency);
  }
});
