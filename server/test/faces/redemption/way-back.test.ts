import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseGiftName } from '../../../src/capabilities/erasure/erase-gift-name.ts';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { exportRecipient } from '../../../src/capabilities/reports/export-recipient.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { chooseFake } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient, numberOn, type Recipient } from '../../harness/recipient.ts';
import { giftLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The claim of a link gift asks for an email address or a PIN, so that its card is not lost with a browser.

const service = openForFile(() => startTestService());
const MINUTE_MS = 60_000;
const ADA = 'Ada@example.com';

async function bought(own?: TestOrganization) {
  const organization = own ?? (await service.organization());
  const { body } = await organization.live.order([linkGift()]);
  const { gift_id: giftId, delivery } = body.gifts[0];
  const [claimer, other] = [createRecipient(service), createRecipient(service)];
  return { organization, giftId: giftId as string, link: delivery.link as string, claimer, other };
}

/** As the page's form sends it. */
const form = (fields: Record<string, string> = {}) => ({ holder_email: '', digits: '', ...fields });

async function claimed(fields: Record<string, string>) {
  const one = await bought();
  assert.equal((await one.claimer.press(one.link, 'claim', form(fields))).status, 303);
  return one;
}

const reveals = async (browser: Recipient, link: string) => numberOn(await browser.press(link, 'reveal')) !== undefined;

/** The codes that were sent, latest last. */
async function codes({ organizationUuid }: TestOrganization) {
  const rows = await service.sql<{ recipient: string; sealed: string; channel: string }>(
    `select recipient, details->>'sealed_code' as sealed, details->>'channel' as channel from notices
     where organization_id = $1 and kind = 'card_code' order by notice_id`,
    [organizationUuid],
  );
  return rows.map(({ sealed, ...row }) => ({ ...row, code: service.service.deps.cipher.decrypt(sealed) ?? '' }));
}

/** Asks for a code and returns it. */
async function codeFor(browser: Recipient, link: string, organization: TestOrganization) {
  await service.clock.jump(MINUTE_MS);
  assert.equal((await browser.press(link, 'code')).status, 200);
  return (await codes(organization)).at(-1) ?? assert.fail('no code');
}

test('a claim without an address or a PIN warns first, and claims at the second word', async () => {
  const { organization, giftId, link, claimer, other } = await bought();
  await claimer.press(link, 'open');
  const { text } = await claimer.view(link);
  assert.match(text, /<legend>Keep a way back to your gift<\/legend>/);
  assert.doesNotMatch(text, /Claim without either/);
  const warned = await claimer.press(link, 'claim', form());
  assert.equal(warned.status, 422);
  assert.match(warned.text, /role="alert">Without an email address or a PIN, .* only .*Test Organization.* can help\./);
  assert.equal((await organization.live.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'opened');
  assert.match(warned.text, /<button class="button" name="without" value="yes">Claim without either</);
  assert.equal((await claimer.press(link, 'claim', form({ without: 'yes' }))).status, 303);
  assert.ok(await reveals(claimer, link));
  assert.match((await other.press(link, 'reveal')).text, /in the browser that claimed the gift/);
});

test('a code to the address that the holder entered moves the card to another browser', async () => {
  const { organization, link, claimer, other } = await claimed({ holder_email: ADA });
  const asked = await other.press(link, 'reveal');
  assert.match(asked.text, /We can send a code to .*A•••@e•••\.com/);
  assert.doesNotMatch(asked.text, /Ada@/);
  assert.deepEqual(await codes(organization), []);
  const sent = await codeFor(other, link, organization);
  assert.deepEqual([sent.recipient, sent.channel], [ADA, 'email']);
  const wrong = sent.code === '111111' ? '222222' : '111111';
  assert.equal((await other.press(link, 'prove', { digits: wrong })).status, 422);
  assert.ok(numberOn(await other.press(link, 'prove', { digits: sent.code })));
  assert.deepEqual([await reveals(other, link), await reveals(claimer, link)], [true, false]);
  // And back again, by the same address.
  const again = await codeFor(claimer, link, organization);
  assert.ok(numberOn(await claimer.press(link, 'prove', { digits: again.code })));
});

test('with an address and a PIN, each of them moves the card', async () => {
  const { organization, link, other } = await claimed({ holder_email: ADA, digits: '483926' });
  assert.match((await other.press(link, 'reveal')).text, /We can send a code.*Or enter the PIN that you chose/s);
  assert.equal((await other.press(link, 'prove', { by: 'pin', digits: '111111' })).status, 422);
  assert.ok(numberOn(await other.press(link, 'prove', { by: 'pin', digits: '483926' })));
  const third = createRecipient(service);
  const sent = await codeFor(third, link, organization);
  assert.ok(numberOn(await third.press(link, 'prove', { digits: sent.code })));
});

test('a text that is not an address claims nothing, and stays in the form', async () => {
  const { link, claimer } = await bought();
  await claimer.press(link, 'open');
  for (const holder_email of ['ada', 'ada@', 'ada@example', `${'a'.repeat(250)}@example.com`]) {
    const refused = await claimer.press(link, 'claim', form({ holder_email, digits: '483926' }));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /id="holder_email-error" role="alert">This is not an email address/);
    assert.ok(refused.text.includes(`value="${holder_email}"`));
  }
});

test('an address and a PIN stay in the form if the issuer refuses, or its own form has an error', async () => {
  const organization = await service.organization();
  const provider = await chooseFake([service], organization);
  const { link, claimer } = await bought(organization);
  await claimer.press(link, 'open');
  const refusedBy = async (fields: Record<string, string>) => {
    const refused = await claimer.press(link, 'claim', form({ holder_email: ADA, digits: '483926', ...fields }));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /name="holder_email"[^>]* value="Ada@example\.com"/);
    assert.match(refused.text, /name="digits"[^>]* value="483926"/);
    return refused.text;
  };
  provider.outcome = { state: 'refused', reason: 'The issuer refuses this name.' };
  assert.match(await refusedBy({}), /The issuer refuses this name\./);
  provider.requirements = {
    schema: { type: 'object', properties: { city: { type: 'string', title: 'City' } }, required: ['city'] },
  };
  assert.match(await refusedBy({ city: '' }), /id="city-error"/);
});

test('only the holder changes the address, and the code to the earlier one ends', async () => {
  const { organization, link, claimer, other } = await claimed({ holder_email: 'typo@example.com' });
  assert.match((await claimer.view(link)).text, /with a code that we send to .*typo@example\.com/);
  assert.doesNotMatch((await other.view(link)).text, /typo@|Other devices/);
  const early = await codeFor(other, link, organization);
  await other.press(link, 'pin', form({ holder_email: 'thief@example.com' }));
  assert.equal((await claimer.press(link, 'pin', form({ holder_email: 'ada@' }))).status, 422);
  assert.equal((await claimer.press(link, 'pin', form({ holder_email: ADA }))).status, 303);
  assert.equal((await other.press(link, 'prove', { digits: early.code })).status, 422);
  assert.equal((await codeFor(other, link, organization)).recipient, ADA);
});

test('a gift with an address of its own is not asked', async () => {
  const organization = await service.organization();
  await organization.live.order([gift()]);
  const link = await giftLink(service, organization, 'live');
  const browser = createRecipient(service);
  await browser.press(link, 'open');
  assert.doesNotMatch((await browser.view(link)).text, /holder_email/);
  assert.equal((await browser.press(link, 'claim', form({ holder_email: ADA, digits: '483926' }))).status, 303);
  assert.deepEqual(
    await service.sql('select from card_proofs where organization_id = $1', [organization.organizationUuid]),
    [],
  );
});

test('the address comes with a card of a provider, also if a job finishes the claim', async () => {
  const organization = await service.organization();
  const provider = await chooseFake([service], organization);
  const { link, claimer, other } = await bought(organization);
  provider.before = () => Promise.reject(new Error('The provider is down.'));
  assert.equal((await claimer.press(link, 'claim', form({ holder_email: ADA }))).status, 303);
  provider.before = () => undefined;
  await service.clock.advance(11_000);
  const sent = await codeFor(other, link, organization);
  assert.equal(sent.recipient, ADA);
  assert.match((await other.press(link, 'prove', { digits: sent.code })).text, /Hide number/);
  assert.deepEqual(
    await service.sql('select holder_address from cards where organization_id = $1', [organization.organizationUuid]),
    [{ holder_address: null }],
  );
});

test('an own code moves by the address too', async () => {
  const organization = await service.organization();
  const codesOf = { organizationId: organization.organizationUuid, categoryId: 'coffee', actor: OPERATOR };
  await addIssuer(service.service.deps, { ...codesOf, kind: 'codes', settings: {} });
  await uploadCodes(service.service.deps, { ...codesOf, csv: 'value,code,shop\n25.00,ABCD-1234,Shop\n' });
  const { link, claimer, other } = await bought(organization);
  await claimer.press(link, 'claim', form({ holder_email: ADA }));
  assert.doesNotMatch((await other.press(link, 'reveal')).text, /ABCD-1234/);
  const sent = await codeFor(other, link, organization);
  assert.match((await other.press(link, 'prove', { digits: sent.code })).text, /ABCD-1234/);
});

test('of five browsers with one code, one takes the card', async () => {
  const { organization, link, other } = await claimed({ holder_email: ADA });
  const { code } = await codeFor(other, link, organization);
  const browsers = Array.from({ length: 5 }, () => createRecipient(service));
  const answers = await Promise.all(browsers.map((browser) => browser.press(link, 'prove', { digits: code })));
  assert.equal(answers.filter((answer) => numberOn(answer) !== undefined).length, 1);
});

test('an export has the gifts whose holder entered the address, and an erasure forgets it', async () => {
  const { organization, giftId, link, claimer, other } = await claimed({ holder_email: ADA });
  await claimer.press(link, 'thank', { note: 'Thank you!' });
  const deps = service.service.deps;
  const of = { organizationId: organization.organizationId, actor: OPERATOR };
  const recipient = { method: 'email', email: ADA.toUpperCase() } as const;
  const { organizations } = await exportRecipient(deps, { ...of, recipient });
  const [held] = JSON.parse(JSON.stringify(organizations));
  assert.deepEqual(
    held.gifts.map((one: { gift_id: string; thanks: string }) => [one.gift_id, one.thanks]),
    [[giftId, 'Thank you!']],
  );
  assert.ok(held.events.length > 0);
  await codeFor(other, link, organization);
  assert.equal((await eraseRecipient(deps, { ...of, recipient })).gifts, 1);
  const [row] = await service.sql<{ text: string }>(
    `select concat(p::text, g::text, (select string_agg(n::text, ' ') from notices n where n.organization_id = $1)) as text
     from card_proofs p join gifts g using (organization_id, environment, gift_id) where organization_id = $1`,
    [organization.organizationUuid],
  );
  assert.doesNotMatch(row?.text ?? '', /ada@|Thank you/i);
  assert.ok(await reveals(claimer, link), 'the holder keeps the card');
  assert.match((await other.press(link, 'reveal')).text, /in the browser that claimed the gift/);
});

test('the erasure of one gift forgets what its holder entered', async () => {
  const { organization, giftId } = await claimed({ holder_email: ADA });
  assert.equal(await eraseGiftName(service.service.deps, { giftId, actor: OPERATOR }), 1);
  assert.deepEqual(
    await service.sql('select holder_address from card_proofs where organization_id = $1', [
      organization.organizationUuid,
    ]),
    [{ holder_address: null }],
  );
});
