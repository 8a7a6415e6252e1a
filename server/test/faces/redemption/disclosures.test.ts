import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setProgram } from '../../../src/core/organizations/set-program.ts';
import { gift } from '../../harness/api-client.ts';
import { countPending } from '../../harness/deliveries.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient } from '../../harness/recipient.ts';

const { mail, service, organization } = openMailService();

test('mail and page disclose the program, the last day and that there are no fees', async () => {
  for (const [program, days, origin, end] of [
    ['award', null, 'as an award, for loyalty or as a promotion.', 'There is no last day to claim it.'],
    ['sold', 1_826, 'This gift was bought for you.', 'It expires if it is not claimed by '],
  ] as const) {
    await setProgram(service.service.deps, {
      organizationId: organization.organizationId,
      program,
      unclaimedAfterDays: days,
      reminderDays: [],
      actor: OPERATOR,
    });
    const email = `${program}@example.com`;
    await organization.live.order([gift({ delivery: { method: 'email', email } })]);
    await workUntil(service, async () => (await countPending(service)) === 0, 'sent');
    const { html, text = '' } = mail.received.find(({ to }) => to[0] === email)?.email ?? {};
    const link = /\S+\/g\/[\w-]+/.exec(text)?.[0] ?? assert.fail(text);
    const recipient = createRecipient(service);
    await recipient.press(link, 'open');
    const opened = (await recipient.view(link)).text;
    for (const shown of [html ?? '', text, opened])
      for (const words of [origin, end, 'No fees are taken from its value.']) assert.ok(shown.includes(words), words);
    await recipient.press(link, 'claim');
    const claimed = (await recipient.view(link)).text;
    assert.ok(claimed.includes(`${origin} No fees`), claimed);
  }
});
