import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giftLimits, openSmtpChannel } from '../../../src/platform/messaging/smtp-channel.ts';
import { startMailServer } from '../../harness/mail-server.ts';

const MESSAGE = {
  reference: `${'0'.repeat(32)}s${'0'.repeat(64)}`,
  to: 'ada@example.com',
  fromName: 'Acme',
  senderName: 'Acme',
  subject: 'A gift for you',
  html: undefined,
  text: 'Open it: https://gifts.example.com/g/secret',
};

test('a mail leaves this machine in plain text only if the address says so', async (t) => {
  // Speaks no TLS.
  const mail = await startMailServer();
  t.after(() => mail.close());
  const port = new URL(mail.url).port;
  // The same server, by an address that is not known to be this machine's.
  const elsewhere = `smtp://[::ffff:127.0.0.1]:${port}`;
  for (const [url, isSent] of [
    [elsewhere, false],
    [`smtp://user:password@[::ffff:127.0.0.1]:${port}`, false],
    [`${elsewhere}?requireTLS=true`, false],
    [`${elsewhere}?requireTLS=false`, true],
    [mail.url, true],
  ] as const) {
    const before = mail.received.length;
    const channel = openSmtpChannel({ url, from: 'gifts@example.com' }, giftLimits);
    const outcome = await channel.send(MESSAGE).then(
      (result) => result.outcome,
      () => 'failed',
    );
    await channel.close();
    assert.deepEqual([url, outcome === 'accepted', mail.received.length - before], [url, isSent, isSent ? 1 : 0]);
  }
});
