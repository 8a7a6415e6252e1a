import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getHeapSnapshot } from 'node:v8';
import { Client } from 'pg';
import { linkGift } from '../../harness/api-client.ts';
import { dumpDatabase } from '../../harness/canaries.ts';
import { chooseStripe, stripeForm } from '../../harness/choose-stripe.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { LOG_DIRECTORY_VARIABLE } from '../../harness/test-log.ts';
import { startTestService } from '../../harness/test-service.ts';
import { cardNumberOf } from '../stripe/resources/issuing-cards.ts';
import { startStripe } from '../stripe/server.ts';

// No number of a card that Stripe issues reaches the service. The fake computes a number only when it is asked for.

const service = openForFile(() => startTestService());
const stripe = openForFile(() => startStripe({ now: () => service.clock.now() }));
after(() => stripe.close());

/** Text of the process's memory. */
async function readMemory(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of getHeapSnapshot()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('latin1');
}

test('database, logs and memory hold no card number after cards were shown and used', async () => {
  const organization = await service.organization();
  await chooseStripe(service, organization, stripe);
  stripe.webhooks.isAutomatic = true;
  const { body } = await organization.live.order([linkGift(), linkGift()]);
  for (const { delivery } of body.gifts) {
    const press = (act: string, fields: Record<string, string>, cookie = '') =>
      fetch(`${service.url}/g/${delivery.link.slice(-76)}/${act}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams(fields),
      });
    const claimed = await press('claim', stripeForm);
    const cookie = claimed.headers.getSetCookie().join('; ');
    assert.match(await (await press('reveal', {}, cookie)).text(), /id="issuer-card"/);
    assert.equal((await press('card-key', { nonce: 'ephkn_1' }, cookie)).status, 200);
  }
  const cards = stripe.account.all('issuing.card');
  const { authorization } = await stripe.network.authorize(cards[0], 1_000);
  stripe.network.capture(authorization, 1_000);
  await service.clock.advance(2_000);

  const memory = await readMemory();
  const client = new Client(service.target);
  await client.connect();
  const database = [...(await dumpDatabase(client)).values()].join('\n');
  await client.end();
  const logs = globSync(join(process.env[LOG_DIRECTORY_VARIABLE] ?? 'none', '*.log')).map((file) =>
    readFileSync(file, 'utf8'),
  );
  for (const text of [memory, database]) assert.ok(text.includes(cards[0].id), 'the search finds what is there');
  for (const number of cards.map(cardNumberOf))
    for (const text of [memory, database, ...logs]) assert.equal(text.includes(number), false);
  assert.equal(
    stripe.requests.some(({ url, text }) =>
      /number|cvc/.test(decodeURIComponent(url + text).replaceAll('phone_number', '')),
    ),
    false,
  );
});
