import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyWebhook } from '../../../../sdk/src/index.ts';
import { emailGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { bestow, until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';
import { startWebhookReceiver } from '../../harness/webhook-receiver.ts';

const service = openForFile(() => startTestService());

test('bestow listen shows its secret, posts events that verify with it, and ends at Ctrl-C', async () => {
  const hook = await startWebhookReceiver();
  const { sandbox, keys } = await service.organization();
  const { body: order } = await sandbox.order([emailGift('claimed')]);
  const options = ['--url', service.url, '--types', 'order.created,gift.claimed', '--after', '0'];
  const listening = bestow(['listen', '--forward-to', `${hook.url}/in`, ...options], { BESTOW_KEY: keys.sandbox });
  await until(() => listening.stdout().includes('gift.claimed'), 'both events are posted');
  const [secret = ''] = /whsec_\S+/.exec(listening.stdout()) ?? [];
  const events = hook.received.map(({ text, headers }) => verifyWebhook(text, headers, secret));
  assert.deepEqual(
    (await Promise.all(events)).map(({ type, data }) => [type, data['order_id']]),
    [
      ['order.created', order.order_id],
      ['gift.claimed', order.order_id],
    ],
  );
  listening.signal('SIGINT');
  const { code, stdout, stderr } = await listening.ended;
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^order\.created evt_\w{26} 204$/m);
  assert.ok(!stdout.includes(keys.sandbox));
});
