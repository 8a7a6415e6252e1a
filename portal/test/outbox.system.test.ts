import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { codeNotice, queue } from '../../server/test/harness/notices.ts';
import { look, type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  await queue(portal.service, portal.organization, codeNotice(portal.service, '482914'), 'ada@example.com');
});
after(() => portal?.close());

test('the outbox shows codes in its list, times in the reader’s zone, and no void below a mail', async () => {
  await using visit = await portal.visit(null, { timezoneId: 'Asia/Tokyo' });
  const { page, complaints } = visit;
  await page.goto(portal.service.service.deps.outboxPath);
  const link = page.getByRole('link', { name: /: 482914$/ });
  const created = page.getByRole('listitem').filter({ has: link }).locator('time');
  const zoned = await page.evaluate(
    `new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Tokyo' })
       .format(new Date(${JSON.stringify(await created.getAttribute('datetime'))}))`,
  );
  assert.equal(await created.innerText(), zoned);
  await page.getByText('Times are in Asia/Tokyo (GMT+9).').waitFor();
  await look(page, 'outbox');
  await link.click();
  await page.frameLocator('iframe').getByText('482914').waitFor();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(`(() => {
      const { clientHeight, contentDocument: { documentElement: root } } = document.querySelector('iframe');
      return clientHeight === root.scrollHeight && clientHeight > 200 && clientHeight < 900;
    })()`);
  }
  await look(page, 'outbox-code');
  assert.deepEqual(complaints, []);
});
