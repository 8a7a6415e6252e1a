import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { codeOf } from '../../server/test/harness/portal-client.ts';
import { DESKTOP, PHONE, PLAIN_NAME } from './harness/browser.ts';
import { ADMIN, assertFaultless, expectCode, type PortalService, startPortal, typeCode } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('an admin creates a key, sees it once, copies it, uses it and revokes it', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/keys'));
  await page.getByText('2 of 10 active keys in use').waitFor();
  await page.getByRole('button', { name: 'Create a sandbox key' }).click();
  await page.getByLabel('Name').fill('Web shop');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save your key' });
  await dialog.getByRole('button', { name: 'Copy key' }).click();
  const key = (await page.evaluate('navigator.clipboard.readText()')) as string;
  assert.match(key, /^bestow-sandbox-[0-9A-Za-z]{50}$/);
  assert.equal(await dialog.getByTestId('new-key').innerText(), key);
  assert.equal((await portal.service.api(key).get('/v1/orders')).status, 200);
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByText('3 of 10 active keys in use').waitFor();
  assert.ok(!(await page.content()).includes(key), 'the key is shown once');

  const row = page.getByRole('row', { name: /Web shop/ });
  await row.getByText(ADMIN).waitFor();
  await row.getByRole('button', { name: 'Revoke Web shop' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Revoke “Web shop”?' });
  await confirmation.getByText('Programs that use this key will get the error api_key_revoked').waitFor();
  await confirmation.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Revoked “Web shop”.', { exact: true }).waitFor();
  const refused = await portal.service.api(key).get('/v1/orders');
  assert.equal(refused.body.error.code, 'api_key_revoked');
  await row.getByText('Revoked').waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('an admin limits a key and replaces it, and both work during the overlap', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/keys'));
  await page.getByRole('button', { name: 'Create a sandbox key' }).click();
  const creation = page.getByRole('dialog', { name: 'Create a sandbox key' });
  await creation.getByLabel('Name').fill('Limited shop');
  await creation.getByText('Limits (optional)').click();
  await creation.getByLabel('Last day').fill('2027-01-31');
  await creation.getByLabel('Networks').fill('127.0.0.1, here');
  await creation.getByRole('button', { name: 'Create key' }).click();
  await creation.getByText('networks[1] must be an address or a range such as 192.0.2.0/24.').waitFor();
  await creation.getByLabel('Networks').fill('127.0.0.1, 2001:db8:1234:5678:9abc:def0:1234:5678');
  await creation.getByRole('button', { name: 'Create key' }).click();
  const saving = page.getByRole('dialog', { name: 'Save your key' });
  const first = await saving.getByTestId('new-key').innerText();
  await saving.getByRole('button', { name: 'I’ve saved it' }).click();
  const row = page.getByRole('row', { name: /Limited shop/ });
  await row.getByText(/^Until Feb 1, 2027/).waitFor();
  const networks = row.getByText('From 127.0.0.1/32, 2001:db8:1234:5678:9abc:def0:1234:5678/128');
  await page.setViewportSize(PHONE);
  const box = await networks.boundingBox();
  assert.ok(box !== null && box.height <= 80, `${box?.height} pixels high on a phone`);
  const scrolls =
    'document.querySelector("table").parentElement.scrollWidth > document.querySelector("table").parentElement.clientWidth';
  assert.equal(await page.evaluate(scrolls), false, 'the table fits a phone');
  await page.setViewportSize(DESKTOP);

  await row.getByRole('button', { name: 'Replace Limited shop' }).click();
  const question = page.getByRole('dialog', { name: 'Replace “Limited shop”?' });
  await question.getByLabel('The old key stops working').selectOption('After 7 days');
  await question.getByRole('button', { name: 'Replace key' }).click();
  const second = await saving.getByTestId('new-key').innerText();
  await saving.getByRole('button', { name: 'I’ve saved it' }).click();
  assert.notEqual(first, second);
  for (const key of [first, second]) assert.equal((await portal.service.api(key).get('/v1/orders')).status, 200);
  await row.nth(1).waitFor();
  await row.getByText(/^Until Nov 28, 2026/).waitFor();
  await assertFaultless(page);
  assert.deepEqual(complaints, []);
});

test('no double click, Escape or way back closes a new key before it was seen', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at(''));
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('button', { name: 'Create a sandbox key' }).click();
  await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
  await page.getByLabel('Name').fill('Made once');
  const create = page.getByRole('button', { name: 'Create key' });
  const box = await create.boundingBox();
  assert.ok(box);
  // The page itself clicks 300 ms after the key appears, because this process may be delayed.
  const pressAgain = () =>
    page.evaluate(`new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('[data-testid=new-key]') === null) return;
        observer.disconnect();
        setTimeout(() => {
          document.elementFromPoint(${box.x + box.width / 2}, ${box.y + box.height / 2}).click();
          resolve();
        }, 300);
      }).observe(document, { subtree: true, childList: true });
    })`);
  const pressBeside = () => page.mouse.click(20, 450);
  const goBack = async () => {
    await page.goBack();
    await page.waitForURL('**/keys');
  };
  const { sql } = portal.service;
  await sql('begin');
  await sql('lock table api_keys in exclusive mode');
  await create.click();
  await page.locator('[aria-busy]').waitFor();
  await page.keyboard.press('Escape');
  await pressBeside();
  await goBack();
  const pressedAgain = pressAgain();
  await sql('commit');
  const key = page.getByTestId('new-key');
  await key.waitFor();
  await pressedAgain;
  await pressBeside();
  await page.keyboard.press('Escape');
  await goBack();
  const leave = page.evaluate('setTimeout(() => location.reload())');
  const [question] = await Promise.all([page.waitForEvent('dialog'), leave]);
  assert.equal(question.type(), 'beforeunload');
  await question.dismiss();
  const dialog = page.getByRole('dialog', { name: 'Save your key' });
  assert.equal(await dialog.getByRole('button', { name: 'Close' }).count(), 0);
  assert.equal((await portal.service.api(await key.innerText()).get('/v1/orders')).status, 200);
  assert.deepEqual(await sql(`select count(*)::int from api_keys where name = 'Made once'`), [{ count: 1 }]);
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('the page keeps working and reports errors if chunks or the server are missing', async () => {
  await portal.organization.newKey('sandbox');
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  await page.goto(portal.at('/keys'));
  await page.getByRole('button', { name: 'Revoke test' }).first().click();
  // As after a release, when the old files are gone.
  await page.route('**/portal/assets/*', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Revoked “test”.', { exact: true }).waitFor();
  await page.getByRole('button', { name: /account and organizations/ }).click();
  await page.getByText('The menu could not be loaded. Check your connection, then reload the page.').waitFor();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.unroute('**/portal/assets/*');
  await page.reload();
  await page.getByRole('button', { name: /account and organizations/ }).click();
  const signOut = page.getByRole('menuitem', { name: 'Sign out' });
  await signOut.waitFor();
  await context.setOffline(true);
  await signOut.click();
  await page.getByText('Could not reach the server. Check your connection and try again.').waitFor();
});

test('a key can be copied over plain HTTP, and a failed copy is reported', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, context } = visit;
  const url = portal.service.url.replace('127.0.0.1', PLAIN_NAME);
  await context.addCookies((await context.cookies()).map((cookie) => ({ ...cookie, domain: PLAIN_NAME })));
  await page.goto(url + portal.at('/keys'));
  assert.equal(await page.evaluate('navigator.clipboard'), undefined);
  const openDialog = () => page.getByRole('button', { name: 'Create a sandbox key' }).click();
  await openDialog();
  await page.getByLabel('Name').fill('Copied');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save your key' });
  // “Copied” is shown for two seconds.
  await Promise.all([
    dialog.getByRole('button', { name: 'Copied' }).waitFor(),
    dialog.getByRole('button', { name: 'Copy key' }).click(),
  ]);
  const key = await dialog.getByTestId('new-key').innerText();
  await page.evaluate('document.execCommand = () => false');
  await dialog.getByRole('button', { name: 'Copy key' }).click();
  await page.getByText('Could not copy. Select the text and copy it yourself.').waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Copy key');
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await openDialog();
  await page.getByLabel('Name').focus();
  await page.keyboard.press('Control+V');
  assert.equal(await page.getByLabel('Name').inputValue(), key);
});

const ageLatestSession = () =>
  portal.service.sql(`update portal.sessions set created_at = created_at - interval '11 minutes'
    where created_at = (select max(created_at) from portal.sessions)`);

test('a person with an old sign-in confirms by code and the key is created as named', async () => {
  await using visit = await portal.visit(null);
  const { page } = visit;
  await page.goto(portal.at('/keys'));
  await typeCode(page, portal.service, ADMIN);
  await page.getByRole('button', { name: 'Create a sandbox key' }).click();
  await page.getByLabel('Name').fill('Confirmed');
  await ageLatestSession();
  await page.getByRole('button', { name: 'Create key' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.waitFor();
  await assertFaultless(page);
  await page.setViewportSize(DESKTOP);
  await question.getByRole('button', { name: 'Cancel' }).click();
  const form = page.getByRole('dialog', { name: 'Create a sandbox key' });
  await form.getByText('You signed in more than ten minutes ago.').waitFor();
  assert.equal(await form.getByLabel('Name').inputValue(), 'Confirmed');

  await form.getByRole('button', { name: 'Create key' }).click();
  await expectCode(portal.service);
  await question.getByRole('button', { name: 'Send code' }).click();
  await question.getByLabel('Code from the email').fill(await codeOf(portal.service, ADMIN));
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('dialog', { name: 'Save your key' }).getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByRole('row', { name: /Confirmed/ }).waitFor();
});

test('an export with addresses asks to confirm first and then downloads', async () => {
  await using visit = await portal.visit(null);
  const { page } = visit;
  await page.goto(portal.at('/gifts'));
  await typeCode(page, portal.service, ADMIN);
  await page.getByRole('link', { name: 'Export CSV' }).waitFor();
  await ageLatestSession();
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expectCode(portal.service);
  await question.getByRole('button', { name: 'Send code' }).click();
  await question.getByLabel('Code from the email').fill(await codeOf(portal.service, ADMIN));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    question.getByRole('button', { name: 'Confirm' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^gifts-sandbox/);
});

test('the keys page passes axe in every size and theme', async () => {
  await using visit = await portal.visit(ADMIN);
  await visit.page.goto(portal.at('/keys'));
  await visit.page.getByRole('table').waitFor();
  await assertFaultless(visit.page);
});
