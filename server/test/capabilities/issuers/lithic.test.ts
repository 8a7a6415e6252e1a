import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { listIssuers } from '../../../src/core/issuer/choose-issuer.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseIssuer } from '../../harness/choose-stripe.ts';
import { lithicForm, lithicSettings } from '../../harness/lithic-network.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient, type Recipient } from '../../harness/recipient.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { type FakeLithic, startLithic } from '../lithic/server.ts';

// What is particular about Lithic, on the fake of it.

const service = openForFile(() => startTestService());

let lithic: FakeLithic;
let organization: TestOrganization;
before(async () => {
  organization = await service.organization({ live: 10_000_000 });
  lithic = await startLithic(service.clock);
  const { hooks } = await chooseIssuer(service, organization, 'lithic', lithicSettings(lithic));
  lithic.network.eventsUrl = `${hooks}/events`;
  lithic.network.asaUrl = `${hooks}/authorizations`;
});
after(() => lithic.close());

test('a signed frame of Lithic shows the card without scripts', async () => {
  const { body } = await organization.live.order([linkGift()]);
  const press = (act: string, cookie = '') =>
    fetch(`${service.url}/g/${body.gifts[0].delivery.link.slice(-76)}/${act}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams(lithicForm),
    });
  const cookie = (await press('claim')).headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const shown = await press('reveal', cookie);
  const page = await shown.text();
  assert.match(page, /<iframe class="issuer" src="http:\/\/127\.0\.0\.1:\d+\/v1\/embed\/card\?[^"]*hmac&#61;/);
  assert.doesNotMatch(page, /<script/);
  assert.match(shown.headers.get('content-security-policy') ?? '', new RegExp(`frame-src ${lithic.url}$`));
});

test('a card of Lithic moves to another browser, by a code to the address in the issuer’s own form', async () => {
  const { body } = await organization.live.order([linkGift()]);
  const { link } = body.gifts[0].delivery;
  const [claimer, other] = [createRecipient(service), createRecipient(service)];
  await claimer.press(link, 'open');
  assert.match((await claimer.view(link)).text, /<input type="hidden" name="holder_email" value="">/);
  assert.equal((await claimer.press(link, 'claim', { ...lithicForm, holder_email: '', digits: '' })).status, 303);
  const isShown = async (browser: Recipient) => /<iframe/.test((await browser.press(link, 'reveal')).text);
  assert.deepEqual([await isShown(claimer), await isShown(other)], [true, false]);
  assert.equal((await other.press(link, 'code')).status, 200);
  const [sent] = await service.sql<{ recipient: string; sealed: string }>(
    `select recipient, details->>'sealed_code' as sealed from notices where organization_id = $1 and kind = 'card_code'`,
    [organization.organizationUuid],
  );
  assert.equal(sent?.recipient, lithicForm.email);
  const digits = service.service.deps.cipher.decrypt(sent.sealed) ?? '';
  assert.match((await other.press(link, 'prove', { digits })).text, /<iframe class="issuer"/);
  assert.deepEqual([await isShown(claimer), await isShown(other)], [false, true]);
});

test('a refusal of Lithic is explained, and leaves the gift unclaimed', async () => {
  for (const first_name of ['Invalid', 'Rejected']) {
    const { body } = await organization.live.order([linkGift()]);
    const url = `${service.url}/g/${body.gifts[0].delivery.link.slice(-76)}/claim`;
    const claim = (fields: object) =>
      fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ ...lithicForm, ...fields }) });
    const answer = await claim({ first_name });
    assert.equal(answer.status, 422);
    assert.match(await answer.text(), /did not accept these details/);
    assert.equal((await claim({})).status, 303);
  }
});

test('an answer of Lithic that is not about the card claims nothing', async () => {
  for (const call of ['POST /v1/cards', 'PATCH /v1/cards'] as const) {
    const { body } = await organization.live.order([linkGift()]);
    const [{ gift_id, delivery }] = body.gifts;
    const uuid = decodeId('gift', gift_id);
    lithic.fault = { call, when: 'after', body: {} };
    const url = `${service.url}/g/${delivery.link.slice(-76)}/claim`;
    await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(lithicForm) });
    const [before] = await service.sql('select state from cards where gift_id = $1', [uuid]);
    assert.equal(before?.['state'], call === 'POST /v1/cards' ? 'claiming' : 'inactive');
    lithic.fault = undefined;
    await service.clock.advance(12_000);
    const [row] = await service.sql('select state, provider_id from cards where gift_id = $1', [uuid]);
    assert.equal(row?.['state'], 'active');
    assert.equal(lithic.state.cards.get(String(row?.['provider_id']))?.state, 'OPEN');
  }
});

test('a forged event or question of Lithic is refused', async () => {
  for (const url of [lithic.network.eventsUrl, lithic.network.asaUrl]) {
    const seconds = Math.floor(service.clock.now() / 1_000);
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(seconds), 'webhook-signature': 'v1,Zm9yZ2Vk' };
    assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 401);
  }
});

test('an issuer whose key would leave this machine in plain text is refused', async () => {
  const { deps } = service.service;
  const { organizationUuid: organizationId } = await service.organization();
  const settings = lithicSettings(lithic);
  for (const api_base of ['http://api.example.com', 'http://127.0.0.1:1@api.example.com', 'http://localhost.example'])
    await assert.rejects(
      addIssuer(deps, { organizationId, kind: 'lithic', settings: { ...settings, api_base }, actor: OPERATOR }),
      /^Error: api_base must be an https:\/\/ address, or an http:\/\/ one on this machine\.$/,
    );
  assert.deepEqual(await listIssuers(deps, organizationId), []);
});

test('an issuer of cards in another currency than the gifts is refused', async () => {
  const { deps } = service.service;
  const { organizationUuid: organizationId } = await service.organization();
  const inEuros = { ...deps, config: { ...deps.config, currency: 'EUR' } };
  const chosen = { organizationId, kind: 'lithic', settings: lithicSettings(lithic), actor: OPERATOR };
  await assert.rejects(addIssuer(inEuros, chosen), /cards are in USD, but gifts are in EUR/);
  assert.deepEqual(await listIssuers(deps, organizationId), []);
});
