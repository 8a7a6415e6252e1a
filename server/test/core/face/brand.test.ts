import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandStyle, mailPalettes } from '../../../src/core/face/colors.ts';
import { contrast } from '../../../src/core/face/contrast.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { BRAND, picture } from '../../harness/audited-brand-acts.ts';
import { countPending } from '../../harness/deliveries.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';

const { mail, service, organization } = openMailService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
const admin = openForFile(async () => {
  await organization.addMembers();
  return createPortalClient(service, 'admin@example.com');
});
const NOTHING = Object.fromEntries(Object.keys(BRAND).map((name) => [name, null]));

const path = (more = '') => `/organizations/${organization.organizationId}/brand${more}`;
const set = (changes: object) => admin.call('PUT', path(), { ...NOTHING, ...changes });

async function mailOf(personalization: object) {
  mail.received.length = 0;
  const delivery = { method: 'email', email: 'ada@example.com' };
  await organization.live.order([gift({ delivery, personalization })]);
  await workUntil(service, async () => (await countPending(service)) === 0, 'sent');
  const [received] = mail.received;
  assert.ok(received);
  return received;
}

async function pageOf() {
  const { body } = await organization.live.order([linkGift()]);
  const response = await fetch(body.gifts[0].delivery.link);
  return { html: await response.text(), policy: response.headers.get('content-security-policy') ?? '' };
}

/** Without what differs between two gifts. */
const sameOf = (text: string) => text.replaceAll(/g\/[\w-]{70,}|"[\w-]{70,}\/(?:open|decline)"/g, 'LINK');

test('mail and page of an organization wear its brand; without one they are as before', async () => {
  const plainMail = await mailOf({});
  const plainPage = await pageOf();
  assert.match(plainPage.html, /<svg class="wordmark"/);

  assert.equal((await set(BRAND)).status, 200);
  const file = (await picture(300, 100).png().toBuffer()).toString('base64');
  const { logo } = (await admin.call('PUT', path('/logo'), { file })).body;
  const { email } = await mailOf({ recipient_name: 'Ada' });
  assert.equal(email.subject, 'A thank-you from Acme Gifts');
  assert.deepEqual(email.from, { name: 'Acme Gifts via Bestow', address: 'gifts@bestow.example' });
  assert.deepEqual(email.replyTo, [{ name: '', address: 'people@acme.example' }]);
  for (const phrase of [
    `src="${service.service.deps.publicUrl()}${logo.path}"`,
    'bgcolor="#1f5fa8"',
    'alt="Test Organization"',
    'sent through',
  ])
    assert.ok(email.html?.includes(phrase), phrase);
  assert.ok(!email.html?.includes('>Bestow<'));
  assert.match(email.text ?? '', /\nAcme Inc\.\n1 Main Street\s+$/);
  const { html, policy } = await pageOf();
  assert.ok(html.includes(`<img class="logo" src="${logo.path}" width="300" height="100" alt="Test Organization">`));
  assert.ok(html.includes('from <bdi>Acme Gifts</bdi>'));
  assert.match(policy, /style-src 'self'; img-src 'self'/);
  const style = await fetch(service.url + /href="(\/assets\/brand\/[^"]+)"/.exec(html)?.[1]);
  assert.deepEqual([style.status, style.headers.get('content-type')], [200, 'text/css; charset=utf-8']);
  assert.equal(style.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.match(await style.text(), /background:#1f5fa8/);

  const named = await mailOf({ sender_name: 'Grace' });
  assert.deepEqual([named.email.subject, named.email.from?.name], ['A thank-you from Grace', 'Grace via Bestow']);

  await set({});
  await admin.call('PUT', path('/logo'), { file: null });
  assert.equal(sameOf((await mailOf({})).email.html ?? ''), sameOf(plainMail.email.html ?? ''));
  assert.deepEqual(sameOf((await pageOf()).html), sameOf(plainPage.html));
});

test('colors that cannot be read and texts that could mislead are refused', async () => {
  const refused: [object, RegExp][] = [
    [{ color: '#1f5fa8', text_color: '#3377bb' }, /its contrast is 1\.\d : 1, and 4\.5 : 1 is needed/],
    [{ color: '#777777', text_color: '#ffffff' }, /its contrast is 4\.4 : 1/],
    [{ color: '#1f5fa8' }, /both colors or neither/],
    [{ color: 'red;}body{', text_color: '#ffffff' }, /six digits after #/],
    [{ subject: 'Hello\r\nBcc: eve@example.com' }, /no line breaks/],
    [{ subject: 'Hi {name}' }, /no other braces/],
    [{ subject: 'a'.repeat(121) }, /at most 120 characters/],
    [{ footer: 'a\u0000b' }, /footer/],
    [{ footer: `${'a\n'.repeat(7)}a` }, /6 lines/],
    [{ sender_name: 'a'.repeat(81) }, /at most 80/],
    [{ sender_name: 'J\ufffdrg' }, /^sender_name has the sign \ufffd\./],
    [{ footer: 'Gr\ufffd\ufffde' }, /^footer has the sign \ufffd\./],
    [{ subject: '{sender} gr\ufffd\ufffdt' }, /^subject has the sign \ufffd\./],
    [{ reply_to: 'people@acme.example, eve@example.com' }, /reply_to/],
  ];
  for (const [changes, message] of refused) {
    for (const answer of [await set(changes), await admin.call('POST', path('/preview'), { ...NOTHING, ...changes })]) {
      assert.equal(answer.status, 422, JSON.stringify(changes));
      assert.match(answer.body.error.message, message);
    }
  }
});

test('any readable pair stays readable in light and dark', () => {
  const pairs = [
    '#000000 #ffffff',
    '#ffffff #000000',
    '#0b1f4d #ffe08a',
    '#ffe600 #1a1a1a',
    '#1f5fa8 #ffffff',
    '#767676 #ffffff',
  ];
  for (const pair of pairs) {
    const [color = '', text_color = ''] = pair.split(' ');
    const { light, dark } = mailPalettes({ color, text_color });
    for (const { paper, surface, sunken, link, edge, accent, onAccent } of [light, dark])
      for (const ground of [paper, surface, sunken]) {
        assert.ok(contrast(link, ground) >= 4.5, `${pair} link`);
        assert.ok(contrast(edge, ground) >= 3, `${pair} edge`);
        assert.ok(contrast(accent, onAccent) >= 4.5, `${pair} button`);
      }
    for (const [, accent = '', onAccent = ''] of brandStyle({ color, text_color }).matchAll(
      /--accent:(#\w+);.*--on-accent:(#\w+)/g,
    ))
      assert.ok(contrast(accent, onAccent) >= 4.5, `${pair} on accent`);
  }
});

test('a preview shows what is not saved, and only to the organization', async () => {
  const { status, body } = await admin.call('POST', path('/preview'), BRAND);
  assert.deepEqual([status, body.subject], [200, 'A thank-you from Acme Gifts']);
  const frame = await admin.call('GET', path(`/preview/mail?draft=${body.draft}`));
  assert.match(frame.body, /bgcolor="#1f5fa8"/);
  assert.match(frame.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'; sandbox$/);
  assert.match(
    (await admin.call('GET', path(`/preview/page?draft=${body.draft}`))).body,
    /assets\/brand\/1f5fa8-ffffff/,
  );
  assert.equal((await admin.call('GET', path('/preview/page?draft=none'))).status, 404);
  assert.equal((await admin.call('GET', path())).body.color, null);
});
