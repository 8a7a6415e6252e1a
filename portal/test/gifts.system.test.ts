import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { emailGift, gift, linkGift } from '../../server/test/harness/api-client.ts';
import {
  ADMIN,
  assertFaultless,
  assertFaultlessPages,
  exportCsv,
  MEMBER,
  type PortalService,
  startPortal,
} from './harness/portal.ts';

const LONG_NAME = `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(5)} 🎁`;

let portal: PortalService;
/** Ids of sandbox gifts. */
const gifts = { failed: '', neutral: '', link: '', spent: '' };
before(async () => {
  portal = await startPortal();
  const { service, organization } = portal;
  const named = (recipient_name: string, more = {}) => ({ personalization: { recipient_name }, ...more });
  gifts.failed = await order({ ...emailGift('bounced'), ...named(LONG_NAME) });
  gifts.neutral = await order(gift(named('Ada Lovelace', { category: 'books' })));
  gifts.link = await order(linkGift(5000));
  gifts.spent = await order(emailGift('spent'));
  // More than a page of newer gifts.
  for (let n = 0; n < 3; n += 1) {
    await service.clock.jump(60_000);
    await organization.sandbox.order(Array.from({ length: 10 }, (_, m) => emailGift(`delivered+${n}${m}`, 1000)));
  }
});
after(() => portal?.close());

async function order(one: object, environment: 'live' | 'sandbox' = 'sandbox'): Promise<string> {
  const { status, body } = await portal.organization[environment].order([one]);
  assert.equal(status, 201, JSON.stringify(body));
  return body.gifts[0].gift_id;
}

test('gifts are searched, filtered, paged and exported, and the URL keeps it', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints, foreign } = visit;
  const rows = page.getByRole('table', { name: 'Gifts' }).getByRole('row');
  const showsGifts = (count: number) =>
    page.getByText(`Showing ${count} ${count === 1 ? 'gift' : 'gifts'}.`).waitFor({ state: 'attached' });
  await page.goto(portal.at('/gifts'));
  await showsGifts(25);
  await page.getByTestId('total').getByText('34 gifts, $425.00', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Older' }).click();
  await showsGifts(9);
  await page.getByRole('button', { name: 'Newer' }).click();
  await showsGifts(25);

  const search = page.getByRole('searchbox', { name: 'ID, address or name' });
  for (const text of [gifts.neutral, 'someone@exa', 'lovelace']) {
    await search.fill(text);
    await search.press('Enter');
    // A new list resets the field, so wait for it before typing again.
    await page.locator(`a[download][href$="?${new URLSearchParams({ query: text })}"]`).waitFor();
    await showsGifts(1);
    assert.match(
      await rows.nth(1).innerText(),
      /^Ada Lovelace\s+someone@example\.com\s+Sent\s+books\s+Email\s.*\$25\.00$/s,
    );
  }
  await page.reload();
  await showsGifts(1);
  assert.equal(await search.inputValue(), 'lovelace');
  await page.goBack();
  await page.waitForURL(/query=someone/);
  await search.fill('');
  await showsGifts(25);

  await page.getByLabel('Status').selectOption('Failed');
  await showsGifts(1);
  await page.getByLabel('Status').selectOption('Any status');
  await showsGifts(25);
  await page.getByLabel('Method').selectOption('Link');
  await showsGifts(1);
  await rows.getByText('Link gift (no name)').waitFor();
  await page.getByLabel('Category').selectOption('books');
  await page.getByText('No gifts match these filters').waitFor();
  await page.getByLabel('Method').selectOption('Any method');
  await showsGifts(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await showsGifts(25);
  await page.getByLabel('From').fill('2026-11-23');
  await page.getByText('No gifts match these filters').waitFor();
  await page.getByRole('button', { name: 'Show all gifts' }).click();
  await showsGifts(25);
  assert.equal(new URL(page.url()).search, '');
  await page.getByLabel('To', { exact: true }).fill('2026-11-23');
  await page.getByLabel('Status').selectOption('Claimed');
  await showsGifts(1);

  const { name, lines } = await exportCsv(page);
  assert.match(lines[0] ?? '', /^\ufeffGift,Order,/);
  assert.deepEqual([name, lines.length, lines[1]?.split(',')[0]], ['gifts-sandbox.csv', 2, gifts.spent]);
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('an admin simulates each step of a sandbox gift, and the audit log has them', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  const id = await order(gift());
  await page.goto(portal.at('/gifts'));
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: '$25.00 for coffee' }).waitFor();
  assert.ok(page.url().endsWith(id));
  const simulate = page.getByRole('region', { name: 'Simulate' }).or(page.locator('section', { hasText: 'Simulate' }));
  const press = (name: string) => simulate.getByRole('button', { name, exact: true });
  const enabled = async () => {
    const states = [];
    for (const button of await simulate.getByRole('button', { name: /^(?!Open the)/ }).all())
      if (await button.isEnabled()) states.push(await button.innerText());
    return states;
  };
  const titles = () => page.getByRole('list').filter({ hasText: 'Ordered' }).locator('p.font-semibold').allInnerTexts();

  assert.deepEqual(await enabled(), ['Deliver', 'Fail delivery', 'Open', 'Claim']);
  await press('Fail delivery').click();
  await page.getByText('Delivery failed.', { exact: true }).waitFor();
  await page.getByText('Delivery failed. You can send it to another address 5 more times.').waitFor();
  assert.deepEqual(await enabled(), ['Deliver', 'Open', 'Claim']);
  for (const [name, done, left] of [
    ['Deliver', 'Gift delivered.', ['Open', 'Claim']],
    ['Open', 'Gift opened.', ['Claim']],
    ['Claim', 'Gift claimed.', ['Spend']],
    ['Spend', 'Gift spent.', []],
  ] as const) {
    await portal.service.clock.jump(60_000);
    await press(name).click();
    await page.getByText(done, { exact: true }).waitFor();
    assert.deepEqual(await enabled(), left);
  }
  assert.deepEqual(await titles(), [
    'Ordered',
    'Email to someone@example.com',
    'Delivered',
    'Opened',
    'Claimed',
    'Spent $25.00',
  ]);
  await page.getByText('You can send a gift to another address only if its delivery failed.').waitFor();
  const audited = await portal.service.sql<{ outcome: string }>(
    `select details->>'outcome' as outcome from audit_events where target = $1 and actor_name = $2 order by event_id`,
    [id, ADMIN],
  );
  assert.deepEqual(
    audited.map(({ outcome }) => outcome),
    ['failed', 'delivered', 'opened', 'claimed', 'spent'],
  );
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('an admin sends a failed gift to another address and sees both messages', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  const id = await order(emailGift('bounced'));
  await page.goto(portal.at(`/gifts/${id}`));
  await page.getByRole('button', { name: 'Send to another address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to another address' });
  assert.ok(await dialog.getByRole('button', { name: 'Send gift' }).isDisabled());
  await dialog.getByLabel('Email address').fill('ada');
  await dialog.getByRole('button', { name: 'Send gift' }).click();
  await dialog.getByText('Email must be an email address such as name@example.com').waitFor();
  assert.equal(await dialog.getByLabel('Email address').getAttribute('aria-invalid'), 'true');
  await dialog.getByLabel('Method').selectOption('Text message');
  await dialog.getByLabel('Phone number').fill('+1 (202) 555-0143');
  await dialog.getByLabel('Phone number').press('Enter');
  await page.getByText('Gift sent to +12025550143.', { exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Send to another address' }).count(), 0);

  await page.getByRole('heading', { name: 'Message 2' }).waitFor();
  await page.getByText(/^Test Organization sent you a gift\. Open it: http\S+\/g\/…$/).waitFor();
  await page.getByRole('button', { name: 'Show message 1' }).click();
  const heading = page.getByRole('heading', { name: 'Message 1' });
  await heading.waitFor();
  assert.ok(await heading.evaluate((element) => element === element.ownerDocument.activeElement));
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('the email is shown in a frame without scripts and links', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page, complaints, foreign } = visit;
  const id = await order(gift({ personalization: { recipient_name: 'Ada <b>Lovelace' } }), 'live');
  await page.goto(portal.at(`/gifts/${id}`, 'live'));
  const frame = page.frameLocator('iframe[title="Message as HTML"]');
  await frame.getByRole('heading', { name: 'A gift for Ada <b>Lovelace' }).waitFor();
  await frame.getByText('Open your gift').waitFor();
  assert.equal(await frame.getByRole('link').count(), 0);
  const around = page.locator('iframe');
  assert.equal(await around.getAttribute('sandbox'), 'allow-same-origin');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    // Nothing of the mail is outside the frame, and nothing below it is empty.
    await page.waitForFunction(`(() => {
      const { clientHeight, contentDocument } = document.querySelector('iframe');
      return clientHeight === contentDocument.documentElement.scrollHeight && clientHeight > 400;
    })()`);
  }
  await page.getByRole('button', { name: 'Plain text' }).click();
  await page.getByText(/^Dear Ada <b>Lovelace,/).waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('an admin copies the link of a link gift', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at(`/gifts/${gifts.link}`));
  await page.getByRole('button', { name: 'Show link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  const link = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const { delivery } = (await portal.organization.sandbox.get(`/v1/gifts/${gifts.link}`)).body;
  assert.equal(link, delivery.link);
  await page.getByText('You share the link of this gift yourself').waitFor();
});

test('a gift or order that is not found leads to the other mode', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  const { body } = await portal.organization.live.order([gift()]);
  for (const [path, missing, title] of [
    [`/gifts/${body.gifts[0].gift_id}`, 'Gift not found', '$25.00 for coffee'],
    [`/orders/${body.order_id}`, 'Order not found', 'Order of $25.00'],
  ] as const) {
    await page.goto(portal.at(path));
    await page.getByText(missing).waitFor();
    await page.getByRole('link', { name: 'Look in Live mode' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  }
});

test('the gift pages pass axe in every size and theme', async () => {
  const empty = await portal.service.organization();
  await portal.service.sql(`update members set email = 'empty@example.com' where organization_id = $1`, [
    empty.organizationUuid,
  ]);
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await assertFaultlessPages(page, [
    [portal.at('/gifts'), 'delivered+29@sandbox.gift.test'],
    [portal.at('/gifts?query=zebra&status=failed'), 'No gifts match these filters'],
    [portal.at(`/gifts/${gifts.failed}`), 'What the recipient'],
  ]);
  await page.getByRole('button', { name: 'Send to another address' }).click();
  await page.getByRole('dialog').waitFor();
  await assertFaultless(page);
  await using nothing = await portal.visit('empty@example.com');
  await assertFaultlessPages(nothing.page, [[`/portal/${empty.organizationId}/live/gifts`, 'No gifts yet']]);
});
