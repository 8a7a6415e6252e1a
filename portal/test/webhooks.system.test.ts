import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { codeOf } from '../../server/test/harness/portal-client.ts';
import { placeOrders, pushAll } from '../../server/test/harness/webhooks.ts';
import {
  ADMIN,
  assertFaultless,
  expectCode,
  type PortalService,
  startPortal,
  takePictures,
  typeCode,
} from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('an admin adds an endpoint, sees its answers, replaces its secret, removes it', async () => {
  const directory = process.env['PICTURES'];
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/webhooks'));
  await page.getByText('No sandbox endpoints yet').waitFor();
  await page.getByRole('button', { name: 'Add a sandbox endpoint' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a sandbox endpoint' });
  await adding.getByLabel('Address').fill('http://shop.example');
  await adding.getByRole('button', { name: 'Add endpoint' }).click();
  await adding.getByText('The address must begin with https://.').waitFor();
  assert.equal(await adding.getByLabel('Address').getAttribute('aria-invalid'), 'true');
  // Loopback is refused at each connection, so the deliveries fail.
  await adding.getByLabel('Address').fill('https://localhost:8443/in');
  await adding.getByLabel('Note').fill('Web shop');
  await adding.getByText('Events: all').click();
  await adding.getByLabel('order.created').check();
  await assertFaultless(page);
  await adding.getByRole('button', { name: 'Add endpoint' }).click();
  const saving = page.getByRole('dialog', { name: 'Save the secret' });
  const secret = await saving.getByTestId('new-secret').innerText();
  assert.match(secret, /^whsec_/);
  await saving.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByRole('link', { name: /localhost:8443/ }).waitFor();
  assert.ok(!(await page.content()).includes(secret), 'the secret is shown once');

  await placeOrders(portal.organization, 2);
  await pushAll(portal.service);
  await page.reload();
  await page.getByText('Failing').waitFor();
  await assertFaultless(page);
  await page.getByRole('link', { name: /localhost:8443/ }).click();
  await page.getByText('1 attempt').filter({ visible: true }).first().click();
  await page.getByText('The address 127.0.0.1 is not public.').filter({ visible: true }).first().waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/webhook`);
  await page
    .getByRole('button', { name: /^Resend order\.created/ })
    .first()
    .click();
  await page.getByText('It is sent again.').waitFor();

  await page.getByRole('button', { name: 'Resend several' }).click();
  const resending = page.getByRole('dialog', { name: 'Resend several events' });
  await resending.getByLabel('Events').selectOption('All since a time');
  assert.ok(await resending.getByRole('button', { name: 'Resend' }).isDisabled());
  await resending.getByLabel('Since').fill('2026-01-01T00:00');
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/resend`);
  await resending.getByRole('button', { name: 'Resend' }).click();
  await page.getByText('2 events are sent again.').waitFor();

  await page.getByRole('button', { name: 'Replace secret' }).click();
  await page
    .getByRole('dialog', { name: 'Replace the secret?' })
    .getByRole('button', { name: 'Replace secret' })
    .click();
  assert.notEqual(await saving.getByTestId('new-secret').innerText(), secret);
  await saving.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByText('Earlier secrets until').waitFor();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await assertFaultless(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Switched off', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('The endpoint is on. It gets every event since it stopped.').waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove endpoint' }).click();
  await page.getByText('No sandbox endpoints yet').waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('the latest events come by themselves, and a pause holds them back', async () => {
  const directory = process.env['PICTURES'];
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/webhooks'));
  const tail = page.getByRole('log', { name: 'Latest events' });
  const place = async () => (await portal.organization.sandbox.order([linkGift()])).body.gifts[0].gift_id;
  const giftId = await place();
  await portal.organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/open`);
  await tail.getByText('gift.opened', { exact: true }).click();
  await tail.getByText(`"gift_id": "${giftId}"`).waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/events`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await portal.organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/claim`);
  await page.getByText('Paused').waitFor();
  assert.equal(await tail.getByText('gift.claimed', { exact: true }).count(), 0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await tail.getByText('gift.claimed', { exact: true }).waitFor();
  await tail.getByRole('link', { name: 'View gift' }).click();
  await page.waitForURL(`**/gifts/${giftId}`);
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('webhook dialogs of an old session ask to confirm and keep what was typed', async () => {
  await using visit = await portal.visit(null);
  const { page } = visit;
  await page.goto(portal.at('/webhooks'));
  await typeCode(page, portal.service, ADMIN);
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const age = () =>
    portal.service.sql(`update portal.sessions set created_at = created_at - interval '11 minutes'
      where created_at = (select max(created_at) from portal.sessions)`);
  const confirm = async () => {
    await expectCode(portal.service);
    await question.getByRole('button', { name: 'Send code' }).click();
    await question.getByLabel('Code from the email').fill(await codeOf(portal.service, ADMIN));
    await question.getByRole('button', { name: 'Confirm' }).click();
  };
  const saved = page.getByRole('button', { name: 'I’ve saved it' });

  await page.getByRole('button', { name: 'Add a sandbox endpoint' }).click();
  await page.getByLabel('Address').fill('https://shop.example/old');
  await age();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('You signed in more than ten minutes ago.').waitFor();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await confirm();
  await saved.click();

  await page.getByRole('link', { name: /shop\.example\/old/ }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Note').fill('Renamed');
  await age();
  await page.getByRole('button', { name: 'Save' }).click();
  await confirm();
  await page.getByRole('definition').getByText('Renamed').waitFor();

  await age();
  await page.getByRole('button', { name: 'Replace secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace the secret?' });
  await dialog.getByRole('button', { name: 'Replace secret' }).click();
  await confirm();
  await saved.click();
  await page.getByText('Earlier secrets until').waitFor();
});
