import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { retireCategory } from '../../../src/core/catalog/retire-category.ts';
import { updateCategory } from '../../../src/core/catalog/update-category.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Gifts of the category `any`: the recipient chooses another one before the claim. */

const service = openForFile(() => startTestService());
const second = openForFile(() => service.second());
before(() => service.addCategory('any'));

const HEAD = 'value,code,pin,expires,shop,terms_url';
const lineOf = (code: string) => `25.00,${code},4711,2027-11-30,Corner Shop,https://shop.example/terms`;

/** An organization whose live cards are codes that name their category. */
async function withCodes(count: number): Promise<TestOrganization> {
  const organization = await service.organization({ live: 10_000_000 });
  const own = { organizationId: organization.organizationUuid, actor: OPERATOR };
  await addIssuer(service.service.deps, { ...own, kind: 'codes', settings: {} });
  for (const categoryId of ['coffee', 'books']) {
    const lines = Array.from({ length: count }, (_, n) => lineOf(`${categoryId.toUpperCase()}-${n}`));
    await uploadCodes(service.service.deps, { ...own, categoryId, csv: [HEAD, ...lines].join('\n') });
  }
  return organization;
}

async function orderAny({ live, sandbox }: TestOrganization, environment: 'live' | 'sandbox' = 'live') {
  const { status, body } = await { live, sandbox }[environment].order([{ ...linkGift(2500), category: 'any' }]);
  assert.equal(status, 201);
  const [{ gift_id: giftId, delivery }] = body.gifts;
  return { giftId: giftId as string, link: delivery.link as string, body };
}

test('the recipient chooses, changes the choice, and gets a code of the last one', async () => {
  const organization = await withCodes(2);
  const { giftId, link } = await orderAny(organization);
  const recipient = createRecipient(service);
  await recipient.press(link, 'open');
  const open = (await recipient.view(link)).text;
  assert.match(open, /<h2 id="choices">Choose what you like<\/h2>/);
  assert.ok(!open.includes('value="any"') && !open.includes('>Claim</button>'));
  assert.equal((await recipient.press(link, 'claim')).status, 422);

  const shown = async () => (await organization.live.get(`/v1/gifts/${giftId}`)).body;
  assert.ok(!('chosen_category' in (await shown())));
  assert.equal((await recipient.press(link, 'choose', { category: 'books' })).status, 303);
  assert.deepEqual([(await shown()).category, (await shown()).chosen_category], ['any', 'books']);
  assert.match(
    (await recipient.view(link)).text,
    /for <bdi>books<\/bdi>[\s\S]*name="category" value="books">[\s\S]*>Claim</,
  );
  await recipient.press(link, 'choose', { category: 'coffee' });
  const stale = await recipient.press(link, 'claim', { category: 'books' });
  assert.deepEqual([stale.status, /Please check your choice/.test(stale.text)], [422, true]);
  assert.equal((await recipient.press(link, 'claim', { category: 'coffee' })).status, 303);
  assert.match((await recipient.press(link, 'reveal')).text, /COFFEE-\d/);

  await recipient.press(link, 'choose', { category: 'books' });
  assert.equal((await shown()).chosen_category, 'coffee');
  await organization.addMembers();
  const admin = await createPortalClient(service, 'admin@example.com');
  const { body } = await admin.call('GET', `/organizations/${organization.organizationId}/live/gifts/${giftId}`);
  assert.deepEqual([body.gift.category.id, body.gift.chosen_category], ['any', { id: 'coffee', name: 'coffee' }]);
});

test('an issuer of the chosen category alone makes the card', async () => {
  const organization = await service.organization({ live: 10_000_000 });
  const own = { organizationId: organization.organizationUuid, categoryId: 'books', actor: OPERATOR };
  await addIssuer(service.service.deps, { ...own, kind: 'codes', settings: {} });
  await uploadCodes(service.service.deps, { ...own, csv: `${HEAD}\n${lineOf('ONLY-BOOKS')}` });
  const { link } = await orderAny(organization);
  const recipient = createRecipient(service);
  await recipient.press(link, 'choose', { category: 'books' });
  await recipient.press(link, 'claim', { category: 'books' });
  assert.match((await recipient.press(link, 'reveal')).text, /ONLY-BOOKS/);
});

test('of choices that race claims, each card is of the recorded choice', async () => {
  const rounds = 50;
  const organization = await withCodes(rounds);
  let claims = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { giftId, link } = await orderAny(organization);
    const [one, other] = [createRecipient(service), createRecipient(second)];
    await one.press(link, 'choose', { category: 'coffee' });
    await Promise.all([
      one.press(link, 'claim', { category: 'coffee' }),
      other.press(link, 'choose', { category: 'books' }),
      other.press(link, 'claim', { category: 'books' }),
      one.press(link, 'choose', { category: 'coffee' }),
    ]);
    const rows = await service.sql<{ chosen_category_id: string; claimed_at: Date | null; category_id: string | null }>(
      `select g.chosen_category_id, g.claimed_at, c.category_id from gifts g
       left join shop_codes c on c.organization_id = g.organization_id and c.gift_id = g.gift_id where g.gift_id = $1`,
      [decodeId('gift', giftId)],
    );
    assert.equal(rows.length, 1);
    const isClaimed = rows[0]?.claimed_at !== null;
    assert.equal(rows[0]?.category_id, isClaimed ? rows[0]?.chosen_category_id : null);
    claims += Number(isClaimed);
  }
  assert.ok(claims > rounds / 4, `${claims} claims`);
});

test('what is not offered, not open or of another category cannot be chosen', async () => {
  const { deps } = service.service;
  const organization = await service.organization();
  const { giftId, link } = await orderAny(organization, 'sandbox');
  const recipient = createRecipient(service);
  await recipient.press(link, 'open');
  await service.addCategory('gone');
  await retireCategory(deps, 'gone');
  for (const category of ['any', 'gone', 'unknown', '']) {
    const refused = await recipient.press(link, 'choose', { category });
    assert.equal(refused.status, 422, category);
    assert.match(refused.text, /This is no longer offered/);
  }
  const foreign = await fetch(`${service.url}/g/${link.slice(-76)}/choose`, {
    method: 'POST',
    body: 'category=books',
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(foreign.status, 403);
  const chosen = async (id: string) => (await organization.sandbox.get(`/v1/gifts/${id}`)).body.chosen_category;
  assert.equal(await chosen(giftId), undefined);

  const { body } = await organization.sandbox.order([linkGift()]);
  await recipient.press(body.gifts[0].delivery.link, 'choose', { category: 'books' });
  assert.equal(await chosen(body.gifts[0].gift_id), undefined);
  await organization.sandbox.post(`/v1/gifts/${giftId}/cancel`, {});
  assert.equal((await recipient.press(link, 'choose', { category: 'books' })).status, 410);
  assert.equal(await chosen(giftId), undefined);
});

test('a program’s sandbox claim takes the first category of the catalog', async () => {
  const { deps } = service.service;
  await updateCategory(deps, 'books', { position: 0 });
  const organization = await service.organization();
  const { giftId } = await orderAny(organization, 'sandbox');
  const claim = () => organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/claim`, {});
  const { status, body } = await claim();
  assert.deepEqual([status, body.delivery.status, body.chosen_category], [200, 'claimed', 'books']);
  assert.equal((await claim()).body.error.code, 'gift_already_redeemed');
  const { body: plain } = await organization.sandbox.order([linkGift()]);
  const claimed = await organization.sandbox.post(`/v1/sandbox/gifts/${plain.gifts[0].gift_id}/claim`, {});
  assert.deepEqual([claimed.body.category, 'chosen_category' in claimed.body], ['coffee', false]);
});
