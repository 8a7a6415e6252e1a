import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createRecipient, numberOn } from '../../harness/recipient.ts';
import { startTestService } from '../../harness/test-service.ts';

// What a stranger with the link of a claimed gift can do against its PIN.

const service = openForFile(() => startTestService());
const MINUTE_MS = 60_000;

async function opened() {
  const organization = await service.organization();
  const link: string = (await organization.live.order([linkGift()])).body.gifts[0].delivery.link;
  const [claimer, other] = [createRecipient(service), createRecipient(service)];
  await claimer.press(link, 'open');
  return { link, claimer, other };
}

async function claimed() {
  const one = await opened();
  assert.equal((await one.claimer.press(one.link, 'claim', { digits: '483926' })).status, 303);
  return one;
}

test('twenty wrong PINs end it for others, and the browser that has the card sets another', async () => {
  const { link, claimer, other } = await claimed();
  for (let time = 0; time < 20; time += 1) {
    if (time % 5 === 0) await service.clock.jump(61 * MINUTE_MS);
    assert.equal((await other.press(link, 'prove', { digits: '194736' })).status, 422);
  }
  await service.clock.jump(61 * MINUTE_MS);
  const { status, text } = await other.press(link, 'prove', { digits: '483926' });
  assert.equal(status, 422);
  assert.match(text, /Too many wrong PINs were entered, so the PIN no longer works\./);
  assert.match(text, /ask .*Test Organization.* to let another browser open this gift/);
  assert.doesNotMatch(text, /name="digits"/);

  assert.ok(numberOn(await claimer.press(link, 'reveal')));
  assert.match((await claimer.view(link)).text, /Too many wrong PINs were entered, so your PIN no longer works\. Set/);
  assert.equal((await claimer.press(link, 'pin', { digits: '592038' })).status, 303);
  assert.ok(numberOn(await other.press(link, 'prove', { digits: '592038' })));
});

test('right PINs are no wrong ones, however often they move the card', async () => {
  const { link, claimer, other } = await claimed();
  for (let time = 0; time < 12; time += 1)
    for (const browser of [other, claimer])
      assert.ok(numberOn(await browser.press(link, 'prove', { digits: '483926' })));
});

test('a PIN that is guessed first is refused, at the claim and later', async () => {
  const { link, claimer: browser } = await opened();
  const [year = '', month = '', day = ''] = new Date(service.clock.now()).toISOString().slice(2, 10).split('-');
  const runs = ['111111', '123456', '987654', '567890', '109876', '012345'];
  const repeated = ['121212', '123123', '112233', '111222', '123321', '147258'];
  const dates = [day + month + year, month + day + year, year + month + day, `20${year}${month}`];
  for (const digits of [...runs, ...repeated, ...dates]) {
    const refused = await browser.press(link, 'claim', { digits });
    assert.deepEqual([digits, refused.status], [digits, 422]);
    assert.match(refused.text, /This PIN is easy to guess\./);
  }
  await browser.press(link, 'claim', { digits: '483926' });
  assert.equal((await browser.press(link, 'pin', { digits: '121212' })).status, 422);
});
