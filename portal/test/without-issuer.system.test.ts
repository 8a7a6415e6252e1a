import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addIssuer } from '../../server/src/capabilities/issuers/add-issuer.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { ADMIN, look, type PortalService, startPortal } from './harness/portal.ts';

/** Live gifts that buy nothing are announced where they are sold. Both organizations have an issuer for books alone. */

let allowing: PortalService;
let refusing: PortalService;
before(async () => {
  allowing = await startPortal();
  refusing = await startPortal({ NODE_ENV: 'production' });
  await refusing.service.addCategory('any');
  for (const { organization, service } of [allowing, refusing])
    await addIssuer(service.service.deps, {
      organizationId: organization.organizationUuid,
      categoryId: 'books',
      kind: 'codes',
      settings: {},
      actor: OPERATOR,
    });
});
after(async () => {
  await allowing?.close();
  await refusing?.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page) => page.getByLabel('I know that they buy nothing');
const boughtIn = async ({ service }: PortalService) =>
  (await service.sql(`select from orders where environment = 'live'`)).length;

async function write(page: Page, portal: PortalService, category: string): Promise<void> {
  await page.goto(portal.at('/gifts/send', 'live'));
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Category').selectOption(category);
}

async function checkFile(page: Page, portal: PortalService, categories: readonly string[]): Promise<void> {
  await page.goto(portal.at('/gifts/send-many', 'live'));
  const lines = categories.map((category, n) => `person${n}@example.com,10,${category}`);
  await page.getByLabel('Or paste rows').fill(['email,amount,category', ...lines].join('\n'));
  await button(page, 'Use pasted rows').click();
  await button(page, 'Check rows').waitFor();
}

test('where simulated cards are allowed, a live gift is sent only after a tick that it buys nothing', async () => {
  await using visit = await allowing.visit(ADMIN);
  const { page } = visit;
  await write(page, allowing, 'coffee');
  await page.getByText('The cards of live gifts of Coffee buy nothing.').waitFor();
  await look(page, 'issuer-form');
  await button(page, 'Review gift').click();
  await page.getByText('Balance after').waitFor();
  assert.ok(await button(page, 'Send gift').isDisabled());
  await look(page, 'issuer-review');
  await box(page).check();
  await button(page, 'Send gift').click();
  await page.getByText('The gift is on its way').waitFor();
  await write(page, allowing, 'books');
  await button(page, 'Review gift').click();
  await page.getByText('Balance after').waitFor();
  await button(page, 'Send gift').click();
  await page.getByText('The gift is on its way').waitFor();
  assert.equal(await boughtIn(allowing), 2);
});

test('where simulated cards are allowed, a live file is sent only after a tick that its gifts buy nothing', async () => {
  await using visit = await allowing.visit(ADMIN);
  const { page } = visit;
  await checkFile(page, allowing, ['books', 'Coffee', 'coffee']);
  await page.getByText('The cards of live gifts of Coffee buy nothing.').waitFor();
  await button(page, 'Check rows').click();
  await page.getByText('Balance after').waitFor();
  await look(page, 'issuer-many-review');
  assert.ok(await button(page, 'Send 3 gifts').isDisabled());
  await box(page).check();
  await button(page, 'Send 3 gifts').click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
});

test('where they are refused, neither form sends such a gift, and both say who has to do what', async () => {
  await using visit = await refusing.visit(ADMIN);
  const { page } = visit;
  const refused = page.getByText('This organization cannot send live gifts of Coffee yet.');
  await write(page, refusing, 'coffee');
  await refused.waitFor();
  await page.getByText('Ask the operator of this service to add one.').waitFor();
  await look(page, 'issuer-refused');
  assert.ok(await button(page, 'Review gift').isDisabled());
  await page.getByLabel('Category').selectOption('books');
  await button(page, 'Review gift').click();
  await page.getByText('Balance after').waitFor();
  await page.waitForFunction(
    `[...document.querySelectorAll('button')].some((one) => one.innerText === 'Send gift' && !one.disabled)`,
  );
  // A choice of the recipient may become any category.
  await write(page, refusing, 'any');
  await page.getByText('This organization cannot send live gifts of').waitFor();

  await checkFile(page, refusing, ['books', 'coffee']);
  await refused.waitFor();
  await button(page, 'Check rows').click();
  await refused.waitFor();
  await page.getByText('Balance after').waitFor();
  assert.ok(await button(page, 'Send 2 gifts').isDisabled());
  assert.equal(await box(page).count(), 0);
  assert.equal(await boughtIn(refusing), 0);
});
