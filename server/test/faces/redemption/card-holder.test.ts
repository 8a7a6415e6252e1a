import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimGift } from '../../../src/core/gifts/claim/claim-gift.ts';
import { holdGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { admitted } from '../../../src/platform/authentication/caller.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient, numberOn, type Recipient } from '../../harness/recipient.ts';
import { giftLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

// After a claim, the link alone no longer opens the number and the security code of the card.

const service = openForFile(() => startTestService());

const NUMBER = /^9999 99\d\d \d{4} \d{4}$/;
const MINUTE_MS = 60_000;

async function order(organization: TestOrganization, one: object, environment: 'live' | 'sandbox' = 'live') {
  const { status, body } = await organization[environment].order([one]);
  assert.equal(status, 201, JSON.stringify(body));
  return { giftId: body.gifts[0].gift_id as string, link: await giftLink(service, organization, environment) };
}

/** A gift that a browser has claimed, and another browser with the same link. */
async function claimed(one: object, fields: Record<string, string> = {}, environment: 'live' | 'sandbox' = 'live') {
  const organization = await service.organization();
  const bought = await order(organization, one, environment);
  const [claimer, other] = [createRecipient(service), createRecipient(service)];
  assert.equal((await claimer.press(bought.link, 'claim', fields)).status, 303);
  return { organization, ...bought, claimer, other };
}

/** The codes that the organization's recipients were sent, latest last. */
async function codes({ organizationUuid }: TestOrganization) {
  const rows = await service.sql<{ recipient: string; sealed: string; channel: string }>(
    `select recipient, details->>'sealed_code' as sealed, details->>'channel' as channel from notices
     where organization_id = $1 and kind = 'card_code' order by notice_id`,
    [organizationUuid],
  );
  return rows.map(({ recipient, sealed, channel }) => ({
    recipient,
    channel,
    code: service.service.deps.cipher.decrypt(sealed) ?? '',
  }));
}

const wrong = (code: string) => (code === '111111' ? '222222' : '111111');
const reveals = async (browser: Recipient, link: string) => numberOn(await browser.press(link, 'reveal')) !== undefined;

test('a forwarded link of a claimed gift shows no number', async () => {
  for (const one of [linkGift(), gift()]) {
    const { link, claimer, other } = await claimed(one);
    assert.match(numberOn(await claimer.press(link, 'reveal')) ?? '', NUMBER);
    for (const browser of [other, createRecipient(service)]) {
      const answer = await browser.press(link, 'reveal');
      assert.equal(answer.status, 200);
      assert.equal(numberOn(answer), undefined);
      assert.match(answer.text, /<h1>Is this your gift\?<\/h1>/);
      assert.doesNotMatch(answer.text, /9999 99|Security code/);
    }
    assert.equal(numberOn(await claimer.view(link)), undefined);
  }
});

test('a cookie opens only the gifts of its browser, and a made-up cookie opens nothing', async () => {
  const { organization, claimer } = await claimed(linkGift());
  const second = await order(organization, linkGift());
  await createRecipient(service).press(second.link, 'claim');
  assert.equal(await reveals(claimer, second.link), false);
  const answer = await fetch(`${service.url}/g/${second.link.slice(-76)}/reveal`, {
    method: 'POST',
    headers: { cookie: `bestow.recipient=${'A'.repeat(43)}` },
  });
  assert.doesNotMatch(await answer.text(), /class="digits">/);
});

test('the cookie is HttpOnly and comes with the first press', async () => {
  const organization = await service.organization();
  const { link } = await order(organization, linkGift());
  const browser = createRecipient(service);
  assert.deepEqual((await browser.view(link)).headers.getSetCookie(), []);
  const [cookie = ''] = (await browser.press(link, 'open')).headers.getSetCookie();
  assert.match(cookie, /^bestow\.recipient=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
  const before = browser.cookie();
  await browser.press(link, 'claim');
  assert.equal(browser.cookie(), before);
  assert.ok(await reveals(browser, link));
});

for (const [method, delivery, recipient] of [
  ['email', { method: 'email', email: 'Ada@example.com' }, 'Ada@example.com'],
  ['phone', { method: 'phone', phone: '+442079460958' }, '+442079460958'],
] as const)
  test(`another browser needs the code sent to the gift’s address by ${method}`, async () => {
    const { organization, link, claimer, other } = await claimed(gift({ delivery }));
    assert.match((await other.press(link, 'reveal')).text, /We can send a code to/);
    assert.deepEqual(await codes(organization), []);
    assert.match((await other.press(link, 'code')).text, /Enter the code that we sent to/);
    const [sent, ...more] = await codes(organization);
    assert.ok(sent);
    assert.deepEqual([more.length, sent.recipient, sent.channel], [0, recipient, method]);
    assert.match(sent.code, /^\d{6}$/);
    const refused = await other.press(link, 'prove', { digits: wrong(sent.code) });
    assert.deepEqual([refused.status, numberOn(refused)], [422, undefined]);
    assert.match(numberOn(await other.press(link, 'prove', { digits: ` ${sent.code}` })) ?? '', NUMBER);
    assert.ok(await reveals(other, link));
    // The proof is stronger than the cookie of the claim; and a code works once.
    assert.equal(await reveals(claimer, link), false);
    assert.equal((await claimer.press(link, 'prove', { digits: sent.code })).status, 422);
  });

test('a code ends after ten minutes, five attempts, or with the next code', async () => {
  const { organization, link, other } = await claimed(gift());
  const send = async () => {
    await service.clock.jump(MINUTE_MS);
    assert.equal((await other.press(link, 'code')).status, 200);
    return (await codes(organization)).at(-1)?.code ?? '';
  };
  const old = await send();
  await service.clock.jump(10 * MINUTE_MS);
  assert.equal((await other.press(link, 'prove', { digits: old })).status, 422);
  const tried = await send();
  for (let time = 0; time < 5; time += 1)
    assert.equal((await other.press(link, 'prove', { digits: wrong(tried) })).status, 422);
  assert.equal((await other.press(link, 'prove', { digits: tried })).status, 422);
  const replaced = await send();
  const latest = await send();
  if (replaced !== latest) assert.equal((await other.press(link, 'prove', { digits: replaced })).status, 422);
  assert.equal((await other.press(link, 'prove', { digits: latest })).status, 200);
});

test('of 100 simultaneous guesses, five are compared', async () => {
  const { organization, link, other } = await claimed(gift());
  await other.press(link, 'code');
  const [sent] = await codes(organization);
  const guesses = Array.from({ length: 100 }, () => other.press(link, 'prove', { digits: wrong(sent?.code ?? '') }));
  assert.deepEqual([...new Set((await Promise.all(guesses)).map(({ status }) => status))], [422]);
  const [row] = await service.sql('select code_tries from card_proofs where organization_id = $1', [
    organization.organizationUuid,
  ]);
  assert.deepEqual(row, { code_tries: 5 });
});

test('one code a minute and five a day are sent', async () => {
  const { organization, link, other } = await claimed(gift());
  assert.equal((await other.press(link, 'code')).status, 200);
  assert.equal((await other.press(link, 'code')).status, 429);
  for (let time = 0; time < 6; time += 1) {
    await service.clock.jump(MINUTE_MS);
    await other.press(link, 'code');
  }
  assert.equal((await codes(organization)).length, 5);
  await service.clock.jump(1440 * MINUTE_MS);
  assert.equal((await other.press(link, 'code')).status, 200);
  assert.equal((await codes(organization)).length, 6);
});

test('other browsers need the PIN of a link gift; five wrong ones lock it', async () => {
  const { link, other, claimer } = await claimed(linkGift(), { digits: '483926' });
  assert.match((await other.press(link, 'reveal')).text, /Enter the PIN/);
  assert.match(numberOn(await other.press(link, 'prove', { digits: '483926' })) ?? '', NUMBER);
  for (let time = 0; time < 5; time += 1)
    assert.equal((await claimer.press(link, 'prove', { digits: '111111' })).status, 422);
  assert.equal((await claimer.press(link, 'prove', { digits: '483926' })).status, 422);
  await service.clock.jump(60 * MINUTE_MS);
  assert.ok(numberOn(await claimer.press(link, 'prove', { digits: '483926' })));
});

test('a PIN has six digits, and a wrong one claims nothing', async () => {
  const organization = await service.organization();
  const { giftId, link } = await order(organization, linkGift());
  const browser = createRecipient(service);
  await browser.press(link, 'open');
  for (const digits of ['1234', '12345a', '1234567']) {
    const refused = await browser.press(link, 'claim', { digits });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /A PIN has six digits\./);
  }
  assert.equal((await organization.live.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'opened');
});

test('the claiming browser can set the PIN later, no other can', async () => {
  const { link, claimer, other } = await claimed(linkGift());
  assert.match((await other.press(link, 'reveal')).text, /in the browser that claimed the gift\. .*Test Organization/);
  await other.press(link, 'pin', { digits: '111111' });
  assert.equal((await other.press(link, 'prove', { digits: '111111' })).status, 422);
  assert.match((await claimer.view(link)).text, /Or a PIN, six digits/);
  assert.equal((await claimer.press(link, 'pin', { digits: '12' })).status, 422);
  assert.equal((await claimer.press(link, 'pin', { digits: '483926' })).status, 303);
  assert.match((await claimer.view(link)).text, /Other devices can open your gift with your PIN\./);
  assert.ok(numberOn(await other.press(link, 'prove', { digits: '483926' })));
});

test('full-width digits are a wrong code and a wrong PIN', async () => {
  const digits = '１２３４５６';
  const mailed = await claimed(gift());
  await mailed.other.press(mailed.link, 'code');
  const pinned = await claimed(linkGift(), { digits: '483926' });
  const unclaimed = await order(pinned.organization, linkGift());
  for (const [{ link }, browser, act] of [
    [mailed, mailed.other, 'prove'],
    [pinned, pinned.other, 'prove'],
    [pinned, pinned.claimer, 'pin'],
    [unclaimed, pinned.other, 'claim'],
  ] as const)
    assert.equal((await browser.press(link, act, { digits })).status, 422, act);
});

test('a link gift that a program claimed belongs to the first browser', async () => {
  const organization = await service.organization();
  const scope = { organizationId: organization.organizationUuid, environment: 'live' } as const;
  const [first, second] = [createRecipient(service), createRecipient(service)];
  const link = await order(organization, linkGift());
  await claimGift(service.service.deps, admitted(scope), decodeId('gift', link.giftId) ?? '');
  assert.deepEqual([await reveals(first, link.link), await reveals(second, link.link)], [true, false]);
  const email = await order(organization, gift());
  await claimGift(service.service.deps, admitted(scope), decodeId('gift', email.giftId) ?? '');
  assert.equal(await reveals(first, email.link), false);
});

test('the sandbox sends no code: it is always 000000, and the page says so', async () => {
  const { organization, link, other } = await claimed(emailGift('neutral'), {}, 'sandbox');
  assert.match((await other.press(link, 'code')).text, /Sandbox: nothing was sent\. The code is 000000\./);
  assert.deepEqual(await codes(organization), []);
  assert.match(numberOn(await other.press(link, 'prove', { digits: '000000' })) ?? '', NUMBER);
});

test('a live code is not 000000, and no code is sent before the claim', async () => {
  const { link, other } = await claimed(gift());
  assert.equal((await other.press(link, 'prove', { digits: '000000' })).status, 422);
  const organization = await service.organization();
  const unclaimed = await order(organization, gift());
  for (const act of ['code', 'prove', 'pin', 'reveal'])
    assert.equal((await other.press(unclaimed.link, act, { digits: '000000' })).status, 303, act);
  assert.deepEqual(await codes(organization), []);
});

test('the database holds no code, PIN or cookie in plain text', async () => {
  const { organization, link, claimer, other } = await claimed(linkGift(), { digits: '739154' });
  const email = await order(organization, gift());
  await claimer.press(email.link, 'claim');
  await other.press(email.link, 'code');
  const [sent] = await codes(organization);
  const secrets = ['739154', `"${sent?.code}"`, claimer.cookie().split('=')[1] ?? ''];
  for (const table of ['gifts', 'card_proofs', 'notices', 'deliveries'])
    for (const secret of secrets) {
      const text = `select from ${table} t where organization_id = $1 and t::text like '%' || $2 || '%'`;
      assert.deepEqual(await service.sql(text, [organization.organizationUuid, secret]), [], table);
    }
  assert.ok(numberOn(await other.press(link, 'prove', { digits: '739154' })));
});

test('a hold of the organization leaves claimed cards to their holders', async () => {
  const { organization, link, claimer } = await claimed(linkGift());
  await holdGifts(service.service.deps, { organizationId: organization.organizationId, actor: OPERATOR });
  assert.ok(await reveals(claimer, link));
});
