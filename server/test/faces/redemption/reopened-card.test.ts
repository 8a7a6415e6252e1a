import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { reopenCard } from '../../../src/core/card-proofs/reopen-card.ts';
import { holdGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient, numberOn, type Recipient } from '../../harness/recipient.ts';
import { giftLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

// A recipient who lost the browser that claimed the gift: an admin lets another browser show the card, once.

const service = openForFile(() => startTestService());
const DAY_MS = 86_400_000;

async function claimed(one: object, fields: Record<string, string> = {}) {
  const organization = await service.organization();
  const { body } = await organization.live.order([one]);
  const giftId: string = body.gifts[0].gift_id;
  const link = await giftLink(service, organization, 'live');
  const [claimer, other] = [createRecipient(service), createRecipient(service)];
  assert.equal((await claimer.press(link, 'claim', fields)).status, 303);
  return { organization, giftId, link, claimer, other };
}

const allow = ({ organizationUuid }: TestOrganization, giftId: string) =>
  reopenCard(service.service.deps, {
    scope: { organizationId: organizationUuid, environment: 'live' },
    giftId: decodeId('gift', giftId) ?? '',
    actor: OPERATOR,
  });

const reveals = async (browser: Recipient, link: string) => numberOn(await browser.press(link, 'reveal')) !== undefined;

const notices = ({ organizationUuid }: TestOrganization) =>
  service.sql<{ recipient: string }>(
    `select recipient from notices where organization_id = $1 and kind = 'card_reopened'`,
    [organizationUuid],
  );

test('after an admin’s act one other browser takes the card, and the earlier one loses it', async () => {
  for (const [one, fields] of [
    [linkGift(), {}],
    [linkGift(), { digits: '483926' }],
    [linkGift(), { holder_email: 'ada@example.com' }],
    [gift(), {}],
  ] as const) {
    const { organization, giftId, link, claimer, other } = await claimed(one, fields);
    // The link alone takes nothing.
    assert.equal(numberOn(await other.press(link, 'take')), undefined);
    await allow(organization, giftId);
    assert.match((await other.press(link, 'reveal')).text, /Open it in this browser/);
    assert.ok(await reveals(claimer, link), 'until another browser takes it');
    assert.ok(numberOn(await other.press(link, 'take')));
    assert.deepEqual([await reveals(other, link), await reveals(claimer, link)], [true, false]);
    assert.equal(numberOn(await claimer.press(link, 'take')), undefined);
    // The PIN and the address of before end.
    assert.equal(numberOn(await claimer.press(link, 'prove', fields)), undefined);
    if ('holder_email' in fields) assert.match((await claimer.press(link, 'code')).text, /ask .* to let another/);
  }
});

test('of many browsers at once, one takes the card', async () => {
  const { organization, giftId, link } = await claimed(linkGift());
  await allow(organization, giftId);
  const browsers = Array.from({ length: 10 }, () => createRecipient(service));
  await Promise.all(browsers.map((browser) => browser.view(link)));
  const answers = await Promise.all(browsers.map((browser) => browser.press(link, 'take')));
  assert.equal(answers.filter((answer) => numberOn(answer) !== undefined).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 9);
});

test('the permission ends after a day, and with a code', async () => {
  const late = await claimed(linkGift());
  await allow(late.organization, late.giftId);
  await service.clock.jump(DAY_MS);
  assert.equal((await late.other.press(late.link, 'take')).status, 409);
  assert.match((await late.other.press(late.link, 'reveal')).text, /ask .*Test Organization.* to let another browser/);
  const pinned = await claimed(linkGift(), { digits: '483926' });
  await allow(pinned.organization, pinned.giftId);
  assert.ok(numberOn(await pinned.other.press(pinned.link, 'prove', { digits: '483926' })));
  assert.equal((await createRecipient(service).press(pinned.link, 'take')).status, 409);
});

test('the address of a gift is told, or that of a link gift’s holder', async () => {
  const mailed = await claimed(gift({ delivery: { method: 'email', email: 'ada@example.com' } }));
  await allow(mailed.organization, mailed.giftId);
  assert.deepEqual(await notices(mailed.organization), [{ recipient: 'ada@example.com' }]);
  const shared = await claimed(linkGift());
  await allow(shared.organization, shared.giftId);
  assert.deepEqual(await notices(shared.organization), []);
  const left = await claimed(linkGift(), { holder_email: 'ada@example.com' });
  await allow(left.organization, left.giftId);
  assert.deepEqual(await notices(left.organization), [{ recipient: 'ada@example.com' }]);
});

test('an unclaimed gift is refused in words, and so is one on hold', async () => {
  const organization = await service.organization();
  const { body } = await organization.live.order([linkGift()]);
  await assert.rejects(allow(organization, body.gifts[0].gift_id), {
    code: 'gift_not_claimed',
    message: 'This gift is not claimed yet, so no browser has its card. Its link still works.',
  });
  const held = await claimed(linkGift());
  const scope = { organizationId: held.organization.organizationUuid, environment: 'live' } as const;
  await allow(held.organization, held.giftId);
  await holdGift(service.service.deps, { scope, giftId: decodeId('gift', held.giftId) ?? '', actor: OPERATOR });
  assert.equal(numberOn(await held.other.press(held.link, 'take')), undefined);
  await assert.rejects(allow(held.organization, held.giftId), { code: 'gift_on_hold' });
});

test('an own code moves to the other browser too', async () => {
  const organization = await service.organization();
  const codes = { organizationId: organization.organizationUuid, categoryId: 'coffee', actor: OPERATOR };
  await addIssuer(service.service.deps, { ...codes, kind: 'codes', settings: {} });
  await uploadCodes(service.service.deps, { ...codes, csv: 'value,code,shop\n25.00,ABCD-1234,Shop\n' });
  const { body } = await organization.live.order([linkGift()]);
  const link = await giftLink(service, organization, 'live');
  const [claimer, other] = [createRecipient(service), createRecipient(service)];
  await claimer.press(link, 'claim');
  await allow(organization, body.gifts[0].gift_id);
  assert.match((await other.press(link, 'take')).text, /ABCD-1234/);
  assert.doesNotMatch((await claimer.press(link, 'reveal')).text, /ABCD-1234/);
});
