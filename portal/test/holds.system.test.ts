import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { assertFaultless, type PortalService, startPortal, takePictures } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const orderLink = async (): Promise<{ giftId: string; link: string }> => {
  const { body } = await portal.organization.sandbox.order([linkGift(5000)]);
  return { giftId: body.gifts[0].gift_id, link: body.gifts[0].delivery.link };
};
const statusOf = async (link: string) => (await fetch(portal.service.url + new URL(link).pathname)).status;

test('an admin holds and releases a gift, and replaces its link', async () => {
  const { giftId, link } = await orderLink();
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  const dialog = page.getByRole('dialog');
  await page.goto(portal.at(`/gifts/${giftId}`));
  await page.getByRole('button', { name: 'Put on hold' }).click();
  await assertFaultless(page);
  await dialog.getByRole('button', { name: 'Put on hold' }).click();
  await page.getByRole('button', { name: 'Release gift' }).waitFor();
  assert.match(await (await fetch(portal.service.url + new URL(link).pathname)).text(), /This gift is on hold/);
  await page.getByText('Hidden while the gift is on hold.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Show link' }).count(), 0);
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Release gift' }).click();
  await page.getByRole('button', { name: 'Replace link' }).click();
  await assertFaultless(page);
  await dialog.getByRole('button', { name: 'Replace link' }).click();
  await page.getByText('Link replaced.').waitFor();
  assert.equal(await statusOf(link), 404);
  assert.deepEqual(complaints, []);
});

test('an admin cancels a gift and an order with a reason, which the timeline shows', async () => {
  const directory = process.env['PICTURES'];
  const { organization } = portal;
  const { giftId } = await orderLink();
  const { body: order } = await organization.sandbox.order([linkGift(2000), linkGift(1000)]);
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  const dialog = page.getByRole('dialog');
  await page.goto(portal.at(`/gifts/${giftId}`));
  await page.getByRole('button', { name: 'Cancel gift' }).click();
  await dialog.getByRole('button', { name: 'Keep gift' }).click();
  await page.getByRole('button', { name: 'Cancel gift' }).click();
  await dialog.getByLabel('Reason (optional)').fill('  Ordered twice ');
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/cancel`);
  await dialog.getByRole('button', { name: 'Cancel gift' }).click();
  await page.getByText('$50.00 returned to the balance: Ordered twice').waitFor();
  await page.getByText('This gift was canceled. It can no longer be claimed.').waitFor();
  assert.equal(await page.getByText('Gift link').count(), 0);
  assert.equal((await organization.sandbox.get(`/v1/gifts/${giftId}`)).body.cancellation.reason, 'Ordered twice');

  await page.goto(portal.at(`/orders/${order.order_id}`));
  await page.getByRole('button', { name: 'Cancel unclaimed gifts' }).click();
  await dialog.getByLabel('Reason (optional)').fill('Wrong team');
  await dialog.getByRole('button', { name: 'Cancel unclaimed gifts' }).click();
  await page.getByText('Unclaimed gifts canceled.').waitFor();
  await page.goto(portal.at(`/gifts/${order.gifts[0].gift_id}`));
  await page.getByText('$20.00 returned to the balance: Wrong team').waitFor();

  // Without a reason.
  const { giftId: other } = await orderLink();
  await page.goto(portal.at(`/gifts/${other}`));
  await page.getByRole('button', { name: 'Cancel gift' }).click();
  await dialog.getByRole('button', { name: 'Cancel gift' }).click();
  await page.getByText('$50.00 returned to the balance', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test('an admin holds all unclaimed gifts, and every page says so', async () => {
  const { link } = await orderLink();
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  const dialog = page.getByRole('dialog');
  await page.goto(portal.at('/settings'));
  await page.getByRole('button', { name: 'Hold all unclaimed gifts' }).click();
  await dialog.getByRole('button', { name: 'Hold gifts' }).click();
  await page
    .getByText('All unclaimed gifts are on hold. No one can claim them, and nothing can be ordered. Admins')
    .waitFor();
  assert.match(await (await fetch(portal.service.url + new URL(link).pathname)).text(), /This gift is on hold/);
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Release gifts' }).click();
  await dialog.getByRole('button', { name: 'Release gifts' }).click();
  await page.getByRole('button', { name: 'Hold all unclaimed gifts' }).waitFor();
  assert.deepEqual(complaints, []);
});
