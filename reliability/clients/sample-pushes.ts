import { createSender } from '../../server/src/capabilities/webhooks/send-push.ts';
import { systemClock } from '../../server/src/platform/base/clock.ts';
import { createSecret } from '../../server/src/platform/base/webhook-signature.ts';
import { startWebhookReceiver } from '../../server/test/harness/webhook-receiver.ts';

/** A push as it arrived, and a secret to verify it with. */
export interface SamplePush {
  secret: string;
  headers: Record<string, string>;
  body: string;
  isGenuine: boolean;
}

const SENT = JSON.stringify({ type: 'gift.claimed', data: { note: 'für Ada 🎁' } });

/** Sends a push that is signed with two secrets; returns it with each of them, and forged. */
export async function samplePushes(): Promise<SamplePush[]> {
  const receiver = await startWebhookReceiver();
  const sender = createSender({ clock: systemClock }, { allowedNetworks: ['127.0.0.0/8'] });
  const [newest, earlier, foreign] = [createSecret(), createSecret(), createSecret()];
  try {
    await sender.send({ url: receiver.url, id: 'evt_1', body: SENT, secrets: [newest, earlier] });
    const [received] = receiver.received;
    if (received === undefined) throw new Error('The push did not arrive.');
    const { text: body, headers } = received;
    const late = String(received.timestamp + 1);
    return [
      { secret: newest, headers, body, isGenuine: true },
      { secret: earlier, headers, body, isGenuine: true },
      { secret: foreign, headers, body, isGenuine: false },
      { secret: newest, headers, body: body.replace('Ada', 'Eve'), isGenuine: false },
      { secret: newest, headers: { ...headers, 'webhook-id': 'evt_2' }, body, isGenuine: false },
      { secret: newest, headers: { ...headers, 'webhook-timestamp': late }, body, isGenuine: false },
    ];
  } finally {
    sender.close();
    await receiver.close();
  }
}
