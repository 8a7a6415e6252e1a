import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertError, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

// The language of a gift, of its page and of its messages.

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization({ sandbox: 100_000_000 }));
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const program = { program: 'award', unclaimed_after_days: null, reminder_days: [], messages_show_value: false };
const setLanguage = (language: string | null) =>
  admin.call('PUT', `/organizations/${organization.organizationId}/program`, { ...program, language });

async function orderLink(more: object = {}): Promise<string> {
  const { body } = await organization.sandbox.order([{ ...linkGift(), ...more }]);
  return service.url + new URL(body.gifts[0].delivery.link).pathname;
}

interface Visit {
  language?: string;
  accept?: string;
  cookie?: string;
  method?: string;
}

async function open(link: string, { language, accept = '*', cookie = '', method = 'GET' }: Visit = {}) {
  const query = language === undefined ? '' : `?language=${language}`;
  const answer = await fetch(link + query, {
    method,
    headers: { 'accept-language': accept, cookie },
    redirect: 'manual',
  });
  return { answer, text: await answer.text(), lang: answer.headers.get('content-language') };
}

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

test('every answer shows the language of a gift that has one, and no other gift', async () => {
  const { sandbox } = organization;
  const placed = await sandbox.order([{ ...linkGift(), language: 'pt-BR' }, linkGift()]);
  const [first, second] = placed.body.gifts;
  assert.deepEqual([first.language, 'language' in second], ['pt-BR', false]);
  assert.deepEqual((await sandbox.get(`/v1/orders/${placed.body.order_id}`)).body, placed.body);
  assert.deepEqual((await sandbox.get('/v1/gifts?limit=2')).body.data, [second, first]);
  const pending = await sandbox.order([
    { ...gift({ delivery: { method: 'email', email: 'processing@sandbox.gift.test' } }), language: 'ja' },
  ]);
  assert.equal(pending.status, 201);
  for (const language of ['pt', 'DE', '', 5])
    assertError(await sandbox.order([{ ...linkGift(), language }]), 'parameter_invalid', 'gifts[0].language');
});

test('a choice beats the gift, the gift the organization, and that the browser', async () => {
  const [plain, own] = [await orderLink(), await orderLink({ language: 'fr' })];
  assert.equal((await open(plain)).lang, 'en');
  assert.equal((await open(plain, { accept: 'nl' })).lang, 'nl');
  assert.equal((await setLanguage('pl')).status, 200);
  assert.equal((await open(plain, { accept: 'nl' })).lang, 'pl');
  assert.equal((await open(own, { accept: 'nl' })).lang, 'fr');
  const chosen = await open(own, { language: 'ja', accept: 'nl' });
  assert.match(chosen.text, /<html lang="ja">.*あなたへのギフト.*<summary>日本語<\/summary>/s);
  assert.equal(chosen.answer.headers.get('vary'), 'Accept-Language, Cookie');
  const cookie = cookieOf(chosen.answer);
  assert.equal((await open(plain, { cookie })).lang, 'ja');
  assert.equal((await open(own, { cookie, language: 'xx' })).lang, 'ja');
  await open(`${own}/open`, { method: 'POST' });
  const answered = await open(`${own}/claim`, { language: 'de' });
  assert.deepEqual([answered.answer.status, cookieOf(answered.answer)], [303, 'bestow.language=de']);
  await setLanguage(null);
});

/** What a person reads, without names and numbers. */
const readable = (document: string) =>
  document
    .replaceAll(/<(?:style|script|svg)\b.*?<\/(?:style|script|svg)>/gs, '')
    .replaceAll(/<nav class="languages".*?<\/nav>/gs, '')
    .replaceAll(/<bdi[^>]*>.*?<\/bdi>|<code>.*?<\/code>|<dd>Bestow Test<\/dd>|Bestow|US\$|USD|Ada|Charles/gs, '')
    .replaceAll(/ (?:alt|title|placeholder|aria-label)="([^"]*)"/g, '>$1<')
    .replaceAll(/<[^>]*>/g, ' ');

test('the Arabic page has no English word in any state', async () => {
  const names = { recipient_name: 'Ada', sender_name: 'Charles' };
  const link = await orderLink({ language: 'ar', personalization: names });
  let cookie = '';
  const states: [string, string, string][] = [
    ['wrapped', 'GET', ''],
    ['opened', 'POST', '/open'],
    ['claimed', 'POST', '/claim'],
    ['revealed', 'POST', '/reveal'],
    ['no purchase', 'POST', '/purchase'],
    ['no note', 'POST', '/thank'],
    ['no PIN', 'POST', '/pin'],
  ];
  for (const [state, method, path] of states) {
    const { answer, text } = await open(link + path, { method, cookie });
    if (answer.headers.getSetCookie().length > 0) cookie = cookieOf(answer);
    const document = answer.status === 303 ? (await open(link, { cookie })).text : text;
    assert.match(document, /<html lang="ar" dir="rtl">/, state);
    assert.doesNotMatch(readable(document), /[A-Za-z]{2,}/, state);
  }
  for (const path of [`${link}/reveal`, `${link}x`, `${service.url}/find`, `${service.url}/find/gifts`]) {
    const { text } = await open(path, { method: path.endsWith('x') ? 'GET' : 'POST', accept: 'ar' });
    assert.doesNotMatch(readable(text), /[A-Za-z]{2,}/, path);
  }
});

async function messageOf(path: string): Promise<{ subject: string; text: string }> {
  return (await (admin as PortalClient).call('GET', path)).body;
}

test('messages are in the gift’s language, else the organization’s, else English', async () => {
  const sentTo = async (delivery: object, more: object = {}) => {
    const { body } = await organization.sandbox.order([
      { ...gift({ delivery, personalization: { sender_name: 'Ada' } }), ...more },
    ]);
    return messageOf(`/organizations/${organization.organizationId}/sandbox/gifts/${body.gifts[0].gift_id}/messages/1`);
  };
  const email = { method: 'email', email: 'a@example.com' };
  assert.equal((await sentTo(email)).subject, 'Ada sent you a gift');
  await setLanguage('de');
  assert.equal((await sentTo(email)).subject, 'Ada hat dir ein Geschenk geschickt');
  assert.equal((await sentTo(email, { language: 'ar' })).subject, 'هدية لك من Ada');
  const phone = await sentTo({ method: 'phone', phone: '+12025550143' }, { language: 'es' });
  assert.match(phone.text, /^Ada \(Test Organization\) te ha enviado un regalo\. Abrir: /);
  await setLanguage(null);
});

test('the code of a page is in the page’s language', async () => {
  const body = new URLSearchParams({ address: 'finder@example.com' });
  await fetch(`${service.url}/find`, { method: 'POST', body, headers: { 'accept-language': 'it' } });
  const rows = await service.sql(
    `select details->>'language' as language from portal.codes where recipient = 'finder@example.com'`,
  );
  assert.deepEqual(rows, [{ language: 'it' }]);
});
