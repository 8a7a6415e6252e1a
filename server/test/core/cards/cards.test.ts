import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type ApiClient, assertError, emailGift, linkGift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import {
  giftLink,
  openLink,
  startTestService,
  type TestOrganization,
  type TestService,
} from '../../harness/test-service.ts';

// Purchases are recorded on the card and never exceed its value.

const service = openForFile(() => startTestService());

interface Bought {
  giftId: string;
  link: string;
}

async function orderLink(client: ApiClient, amountCents = 2500): Promise<Bought> {
  const { body } = await client.order([linkGift(amountCents)]);
  return { giftId: body.gifts[0].gift_id, link: body.gifts[0].delivery.link };
}

async function claimed({ sandbox }: TestOrganization, amountCents = 2500): Promise<Bought> {
  const bought = await orderLink(sandbox, amountCents);
  assert.equal((await sandbox.post(`/v1/sandbox/gifts/${bought.giftId}/claim`)).status, 200);
  return bought;
}

/** Submits the page's form. */
const buy = (link: string, amount: string, purchaseId: string = randomUUID(), at: Pick<TestService, 'url'> = service) =>
  fetch(`${at.url}${link.slice(link.indexOf('/g/'))}/purchase`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ purchase_id: purchaseId, amount }),
  });

const purchasesOf = ({ organizationUuid }: TestOrganization) =>
  service.sql('select merchant, amount_cents, created_at from card_purchases where organization_id = $1 order by 2', [
    organizationUuid,
  ]);

async function spentOf({ organizationUuid }: TestOrganization): Promise<unknown> {
  const [row] = await service.sql('select spent_cents from gifts where organization_id = $1', [organizationUuid]);
  return row?.['spent_cents'];
}

/** Returns the page's text. */
async function wordsOf(link: string): Promise<string> {
  const { text } = await openLink(service, link);
  const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
  return main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('a test purchase is recorded and reduces the balance', async () => {
  const organization = await service.organization();
  const { link } = await claimed(organization);
  assert.match(await wordsOf(link), /Balance \$25\.00 of \$25\.00 .* Purchases No purchases yet\./);
  const answer = await buy(link, '7.50');
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, `../${link.slice(-76)}#purchases`]);
  await buy(link, '3,5');
  assert.deepEqual(await purchasesOf(organization), [
    { merchant: 'Test shop', amount_cents: 350, created_at: new Date(service.clock.now()) },
    { merchant: 'Test shop', amount_cents: 750, created_at: new Date(service.clock.now()) },
  ]);
  const words = await wordsOf(link);
  assert.match(words, /Balance \$14\.00 of \$25\.00/);
  assert.match(words, /Test shop November 21, 2026 −\$(?:3|7)\.50 Test shop/);
});

test('submitting the same form twice makes one purchase', async () => {
  const organization = await service.organization();
  const { link } = await claimed(organization);
  const purchaseId = randomUUID();
  const answers = await Promise.all(Array.from({ length: 10 }, () => buy(link, '25.00', purchaseId)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
  assert.equal((await purchasesOf(organization)).length, 1);
  assert.equal(await spentOf(organization), 2500);
});

test('refuses an amount that is invalid or more than is left, beside the field', async () => {
  const organization = await service.organization();
  const { link } = await claimed(organization);
  await buy(link, '20');
  const before = await purchasesOf(organization);
  const refused = await buy(link, '5.01');
  assert.equal(refused.status, 422);
  const text = await refused.text();
  assert.match(text, /id="amount-error" role="alert">Only \$5\.00 is left on the card\./);
  assert.match(text, /name="amount"[^>]* value="5\.01" aria-invalid="true"/, 'what was typed stays');
  for (const amount of ['', '0', '0.00', '-1', '1.001', '1e2', 'five', '9999.99', '99999', ' ', '1 2']) {
    const answer = await buy(link, amount);
    assert.equal(answer.status, 422, amount);
    assert.match(await answer.text(), /aria-invalid="true" aria-describedby="amount-error"/);
  }
  assert.equal((await buy(link, '1', 'no-uuid')).status, 422);
  for (const body of ['', 'amount', '{"amount":5}', 'amount=1&purchase_id=%00', '&&&'])
    assert.equal((await fetch(`${service.url}/g/${link.slice(-76)}/purchase`, { method: 'POST', body })).status, 422);
  assert.deepEqual(await purchasesOf(organization), before);
});

test('concurrent purchases on two processes never exceed the card’s value', async () => {
  const organization = await service.organization();
  const { giftId, link } = await claimed(organization);
  const other = await service.second();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => buy(link, '2.50', randomUUID(), n % 2 ? service : other)),
  );
  assert.equal(answers.filter(({ status }) => status === 303).length, 10);
  assert.equal((await purchasesOf(organization)).length, 10);
  assert.equal(await spentOf(organization), 2500);
  assert.equal((await organization.sandbox.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'claimed');
});

test('sandbox `spend` makes one purchase of the rest, even when repeated at once', async () => {
  const organization = await service.organization();
  const { giftId, link } = await claimed(organization);
  await buy(link, '10');
  const spend = () => organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/spend`);
  const answers = await Promise.all(Array.from({ length: 10 }, spend));
  const shown = (await organization.sandbox.get(`/v1/gifts/${giftId}`)).body;
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, shown]);
  assert.deepEqual(
    (await purchasesOf(organization)).map((row) => row['amount_cents']),
    [1000, 1500],
  );
  const words = await wordsOf(link);
  assert.match(words, /Balance \$0\.00 of \$25\.00/);
  assert.doesNotMatch(words, /Make a test purchase/);
});

test('an unclaimed gift has no card to spend from', async () => {
  const organization = await service.organization();
  const { giftId, link } = await orderLink(organization.sandbox);
  assert.equal((await buy(link, '5')).headers.get('location'), `../${link.slice(-76)}`);
  assertError(await organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/spend`), 'gift_not_claimed');
  assert.deepEqual(await purchasesOf(organization), []);
});

test('a live gift’s page offers and makes no test purchase', async () => {
  const organization = await service.organization();
  const { link } = await orderLink(organization.live);
  await fetch(`${service.url}/g/${link.slice(-76)}/claim`, { method: 'POST' });
  assert.doesNotMatch((await openLink(service, link)).text, /purchase_id|[Ss]andbox/);
  assert.equal((await buy(link, '5')).status, 404);
  assert.deepEqual(await purchasesOf(organization), []);
});

test('a gift steered to spent shows its spend, and a reset deletes purchases', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([emailGift('spent')]);
  const link = await giftLink(service, organization, 'sandbox');
  assert.match(await wordsOf(link), /Balance \$0\.00 of \$25\.00 .* Purchases Spent in a simulation −\$25\.00/);
  const again = await organization.sandbox.post(`/v1/sandbox/gifts/${body.gifts[0].gift_id}/spend`);
  assert.equal(again.status, 200);
  assert.deepEqual(await purchasesOf(organization), []);

  await buy((await claimed(organization)).link, '5');
  assert.equal((await purchasesOf(organization)).length, 1);
  await organization.sandbox.post('/v1/sandbox/reset');
  assert.deepEqual(await purchasesOf(organization), []);
});

test('the database has no card number or security code', async () => {
  const organization = await service.organization();
  const { link } = await claimed(organization);
  const answer = await fetch(`${service.url}/g/${link.slice(-76)}/reveal`, { method: 'POST' });
  const number = /class="digits">([\d ]+)</.exec(await answer.text())?.[1]?.replaceAll(' ', '');
  assert.match(`${number}`, /^999999\d{10}$/);
  for (const table of ['gifts', 'card_purchases', 'deliveries', 'orders']) {
    const found = await service.sql(`select from ${table} t where t::text like '%' || $1 || '%'`, [number]);
    assert.equal(found.length, 0, table);
  }
});

test('`bestow card spend` makes a test purchase or explains why it cannot', async () => {
  const organization = await service.organization();
  const { giftId, link } = await claimed(organization);
  const unclaimed = await orderLink(organization.sandbox);
  const live = await orderLink(organization.live);
  const done = await bestow('card', 'spend', giftId, '--amount', '2000', '--json');
  assert.deepEqual(done, {
    code: 0,
    stdout: `${JSON.stringify({ gift_id: giftId, amount: 2000, balance: 500 })}\n`,
    stderr: '',
  });
  assert.match(await wordsOf(link), /Balance \$5\.00 of \$25\.00/);
  const refusals: [string, string, RegExp][] = [
    [giftId, '501', /^Only 500 cents are left on the card of gift_\w+; spend that or less\.\n$/],
    [giftId, '9007199254740991', /^Only 500 cents are left/],
    [unclaimed.giftId, '5', /^gift_\w+ is not claimed yet; only a claimed gift can be spent\.\n$/],
    [live.giftId, '5', /^No sandbox has a gift gift_\w+; check the id\. [^\n]+\.\n$/],
    ['nonsense', '5', /^No sandbox has a gift nonsense; /],
  ];
  for (const [gift, amount, sentence] of refusals) {
    const { code, stdout, stderr } = await bestow('card', 'spend', gift, '--amount', amount);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, sentence);
  }
  assert.equal(
    (await bestow('card', 'spend', giftId, '--amount', '500')).stdout.replaceAll(/ +/g, ' '),
    `gift ${giftId}\nspent 5.00 USD (500 cents)\nbalance 0.00 USD (0 cents)\n`,
  );
});

const bestow = (...args: string[]) => runBestow(service.target, args);
