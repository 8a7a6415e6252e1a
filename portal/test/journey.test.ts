import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { ADMIN, findFaults, type PortalService, startPortal, typeCode } from './harness/portal.ts';

// The one journey of `npm test` in a real browser; `npm run test:system` has every page.

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('an admin signs in and creates a key, and a gift ordered with it is claimed', async () => {
  await using visit = await portal.visit(null);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/keys'));
  await typeCode(page, portal.service, ADMIN);

  await page.getByRole('button', { name: 'Create a sandbox key' }).click();
  await page.getByLabel('Name').fill('Web shop');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByTestId('new-key').innerText();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  assert.deepEqual(await findFaults(page), []);

  const { status, body } = await portal.service.api(key).order([linkGift()]);
  assert.equal(status, 201, JSON.stringify(body));
  const [{ gift_id, delivery }] = body.gifts;
  await page.goto(portal.at('/orders'));
  await page.getByText(body.order_id).first().waitFor();

  await page.goto(new URL(delivery.link).pathname);
  await page.getByRole('button', { name: 'Unwrap' }).click();
  await page.getByLabel('Or a PIN, six digits').fill('271828');
  await page.getByRole('button', { name: 'Claim' }).click();
  await page.getByRole('button', { name: 'Show number' }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  const { body: gift } = await portal.service.api(key).get(`/v1/gifts/${gift_id}`);
  assert.equal(gift.delivery.status, 'claimed');
  assert.deepEqual([complaints, foreign], [[], []]);
});
