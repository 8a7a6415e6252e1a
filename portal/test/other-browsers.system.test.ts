import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { By } from 'selenium-webdriver';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { codeOf } from '../../server/test/harness/portal-client.ts';
import { until } from '../../server/test/harness/server-process.ts';
import { startTestService, type TestOrganization, type TestService } from '../../server/test/harness/test-service.ts';
import { startLine } from './harness/line.ts';
import { type OtherBrowser, type OtherVisit, openOther, otherBrowsers } from './harness/other-browsers.ts';
import { ADMIN, expectCode } from './harness/portal.ts';

/** What no one may lose, in Firefox and in WebKit, the engine of Safari; the other tests of pages are in Chromium. */

let line: Awaited<ReturnType<typeof startLine>>;
let service: TestService;
let organization: TestOrganization;
before(async () => {
  line = await startLine();
  service = await startTestService({ PUBLIC_URL: line.url, RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
  line.leadTo(service.url);
  organization = await service.organization();
  await organization.addMembers();
});
after(async () => {
  await service?.close();
  await line?.close();
});

const at = (page: string, environment = 'sandbox') =>
  `${line.url}/portal/${organization.organizationId}/${environment}${page}`;

const amounts = async () =>
  (await service.sql<{ amount_cents: number }>('select amount_cents from orders order by order_id')).map(
    ({ amount_cents }) => amount_cents,
  );

async function signedIn(browser: OtherBrowser, profile?: string): Promise<OtherVisit> {
  const visit = await openOther(browser, profile);
  await visit.open(at('/gifts'));
  await expectCode(service);
  await visit.fill('Email address', ADMIN);
  await visit.press('Send code');
  await visit.fill('Code', await codeOf(service, ADMIN));
  await visit.see('Times are in UTC.');
  return visit;
}

async function write(visit: OtherVisit, address: string, amount: string): Promise<void> {
  await visit.open(at('/gifts/send'));
  await visit.fill('Email address', address);
  await visit.fill('Amount (USD)', amount);
  await visit.choose('Category', 'coffee');
}

/** Clicks at the place of an element, even if another one lies above it. */
const pointAt = async ({ driver }: OtherVisit, element: By) =>
  driver
    .actions()
    .move({ origin: await driver.findElement(element) })
    .click()
    .perform();

for (const browser of otherBrowsers) {
  test(`${browser}: a gift that is written survives reload, menu, “back” and a lost answer, and is bought once`, async () => {
    const visit = await signedIn(browser);
    const before = await amounts();
    await write(visit, 'ada@example.com', '13.00');
    await visit.driver.navigate().refresh();
    assert.equal(await visit.valueOf('Email address'), 'ada@example.com');
    await visit.follow('Orders');
    await visit.see('Times are in UTC.');
    await visit.driver.navigate().back();
    await visit.press('Review gift');
    await visit.see('Balance after');
    await visit.driver.navigate().back();
    assert.equal(await visit.valueOf('Amount (USD)'), '13.00');
    await visit.driver.navigate().forward();
    await visit.see('Balance after');
    line.loseAnswers();
    await visit.press('Send gift');
    await visit.see('No answer arrived');
    line.restore();
    await visit.driver.navigate().refresh();
    await visit.see('No answer arrived');
    await visit.press('Send again');
    await visit.see('Test gift created');
    assert.deepEqual(await amounts(), [...before, 1_300]);
  });

  test(`${browser}: a gift that is sent without a connection is never bought later by itself`, async () => {
    const visit = await signedIn(browser);
    const before = await amounts();
    await write(visit, 'ada@example.com', '11.00');
    await visit.press('Review gift');
    await visit.see('Balance after');
    line.cut();
    await visit.press('Send gift');
    await visit.see('No answer arrived');
    line.restore();
    await visit.follow('Members');
    await visit.see(ADMIN);
    assert.deepEqual(await amounts(), before);
    await visit.driver.navigate().back();
    await visit.press('Send again');
    await visit.see('Test gift created');
    assert.deepEqual(await amounts(), [...before, 1_100]);
  });

  test(`${browser}: a gift of each of two tabs is bought once, after a session that ended`, async () => {
    const visit = await signedIn(browser);
    const before = await amounts();
    await write(visit, 'one@example.com', '14.00');
    const first = await visit.driver.getWindowHandle();
    await visit.driver.switchTo().newWindow('tab');
    await write(visit, 'two@example.com', '15.00');
    await service.sql('delete from portal.sessions');
    await visit.press('Review gift');
    await visit.see('Sign in to continue');
    await expectCode(service);
    await visit.press('Send code');
    await visit.fill('Code from the email', await codeOf(service, ADMIN));
    await visit.press('Sign in');
    await visit.press('Send gift');
    await visit.see('Test gift created');
    await visit.driver.switchTo().window(first);
    assert.equal(await visit.valueOf('Email address'), 'one@example.com');
    await visit.press('Review gift');
    await visit.press('Send gift');
    await visit.see('Test gift created');
    assert.deepEqual(await amounts(), [...before, 1_500, 1_400]);
  });

  test(`${browser}: rows with their corrections survive a reload and are sent once, and a brand survives “back”`, async () => {
    const visit = await signedIn(browser);
    await visit.open(at('/brand'));
    await visit.fill('Sender’s name', 'Gifts of Acme');
    await visit.open(at('/gifts/send-many'));
    await visit.fill(
      'Or paste rows',
      `email,amount,category\nthree@${browser}.example,10,coffee\nfour@${browser}.example,2,coffee`,
    );
    await visit.press('Use pasted rows');
    await visit.press('Check rows');
    await visit.fill('Line 3: Amount', '11');
    await visit.driver.navigate().refresh();
    assert.equal(await visit.valueOf('Line 3: Amount'), '11');
    await visit.press('Check corrections');
    await visit.press('Send 2 gifts');
    await visit.see('Progress');
    await visit.open(at('/brand'));
    assert.equal(await visit.valueOf('Sender’s name'), 'Gifts of Acme');
    const sent = `select amount_cents::integer from batches where state <> 'draft' order by batch_id`;
    assert.deepEqual((await service.sql<{ amount_cents: number }>(sent)).at(-1), { amount_cents: 2_100 });
  });

  test(`${browser}: a live gift that buys nothing is sent only after a tick`, async () => {
    const visit = await signedIn(browser);
    await visit.open(at('/gifts/send', 'live'));
    await visit.fill('Email address', 'ada@example.com');
    await visit.choose('Category', 'coffee');
    await visit.see('The cards of live gifts of coffee buy nothing.');
    await visit.press('Review gift');
    await visit.tick('I know that they buy nothing');
    await visit.press('Send gift');
    await visit.see('The gift is on its way');
  });

  test(`${browser}: each row of a list opens its own page, and covers nothing else`, async () => {
    const visit = await signedIn(browser);
    const [first, second] = [
      await organization.sandbox.order([linkGift()]),
      await organization.sandbox.order([linkGift()]),
    ];
    await visit.open(at('/orders'));
    for (const { body } of [first, second]) {
      const cell = By.xpath(`//tr[.//a[contains(@href, '${body.order_id}')]]/td[last()]`);
      await until(async () => (await visit.driver.findElements(cell)).length > 0, 'the list has the order');
      await pointAt(visit, cell);
      await visit.see('Order of');
      assert.ok((await visit.driver.getCurrentUrl()).endsWith(body.order_id));
      await visit.driver.navigate().back();
    }
    await visit.see('Times are in UTC.');
    await pointAt(visit, By.css('h1'));
    assert.ok((await visit.driver.getCurrentUrl()).endsWith('/orders'));
  });

  test(`${browser}: another browser shows the card of a link gift after a code to its holder`, async () => {
    const { body } = await organization.sandbox.order([linkGift()]);
    const link = line.url + new URL(body.gifts[0].delivery.link).pathname;
    const holder = await openOther(browser);
    await holder.open(link);
    await holder.press('Unwrap');
    await holder.press('Claim');
    await holder.see('Without an email address or a PIN');
    await holder.fill('Your email address', 'ada@example.com');
    await holder.press('Claim');
    await holder.press('Show number');
    await holder.see('9999 99');
    await holder.end();
    const other = await openOther(browser === 'firefox' ? 'webkit' : 'firefox');
    await other.open(link);
    await other.press('Show number');
    await other.press('Send a code');
    await other.fill('Code', '000000');
    await other.press('Open your gift');
    await other.see('9999 99');
  });
}

test('firefox: a gift that is written survives a browser that was killed', async (t) => {
  const profile = await mkdtemp(join(tmpdir(), 'bestow-test-firefox-'));
  t.after(() => rm(profile, { recursive: true, force: true }));
  const killed = await signedIn('firefox', profile);
  await write(killed, 'killed@example.com', '17.00');
  const saved = join(profile, 'sessionstore-backups', 'recovery.jsonlz4');
  await until(
    async () => (await readFile(saved, 'latin1').catch(() => '')).includes('killed@'),
    'Firefox saves the tab',
  );
  process.kill((await killed.driver.getCapabilities()).get('moz:processID'), 'SIGKILL');
  await killed.end();
  const visit = await openOther('firefox', profile);
  const { driver } = visit;
  await until(async () => {
    for (const handle of await driver.getAllWindowHandles()) {
      await driver.switchTo().window(handle);
      if ((await driver.getCurrentUrl()).includes('/gifts/send')) return true;
    }
    return false;
  }, 'the tab is open again');
  assert.equal(await visit.valueOf('Email address'), 'killed@example.com');
});
