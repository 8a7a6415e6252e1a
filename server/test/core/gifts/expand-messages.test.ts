import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { type ApiClient, emailGift, gift } from '../../harness/api-client.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';

// Why a message of a gift failed, or was not sent.

const { mail, service, send } = openMailService();

const now = () => new Date(service.clock.now()).toISOString();

async function ordered(api: ApiClient, one: object = gift()): Promise<string> {
  const { body } = await api.order([one]);
  return body.gifts[0].gift_id;
}

const read = async (api: ApiClient, giftId: string) => {
  const { body } = await api.get(`/v1/gifts/${giftId}?expand=deliveries,history`);
  return { history: body.history, message: body.deliveries[0] };
};

test('a failed message says why, whether to try again, and the words of the server', async () => {
  const { live } = await service.organization();
  const cases: [text: string, reason: string, retryable: boolean][] = [
    ['5.1.1 No such user here', 'bad_address', false],
    ['5.2.2 Mailbox full', 'mailbox_full', true],
    ['5.1.10 The recipient address has a null MX', 'bad_address', false],
  ];
  for (const [text, reason, retryable] of cases) {
    mail.answer(() => ({ code: 550, text }));
    const giftId = await ordered(live);
    await send();
    const { body } = await live.get(`/v1/gifts/${giftId}?expand=deliveries,history`);
    assert.deepEqual([body.history.state, body.history.failed_at], ['failed', now()], JSON.stringify(body));
    assert.deepEqual(body.history.failure, { reason, retryable, provider_message: `550 ${text}` });
    assert.deepEqual(body.deliveries[0].failure, body.history.failure);
    assert.equal(body.deliveries[0].address, 'someone@example.com');
  }
});

test('a message that is tried again says what the server said', async () => {
  const { live } = await service.organization();
  mail.answer(() => ({ code: 451, text: 'Later' }));
  const giftId = await ordered(live);
  await send();
  const { history, message } = await read(live, giftId);
  assert.deepEqual([history.state, history.failure, message.state], ['sending', null, 'sending']);
  assert.equal(message.failure.provider_message, '451 Later');
});

test('a message that was withdrawn was not sent, and no provider said a word', async () => {
  const { live } = await service.organization();
  const giftId = await ordered(live);
  await live.post(`/v1/gifts/${giftId}/cancel`);
  const { history, message } = await read(live, giftId);
  assert.deepEqual([history.state, history.failed_at, history.failure], ['canceled', null, null]);
  assert.deepEqual([message.state, message.sent_at], ['failed', null]);
  assert.deepEqual(message.failure, { reason: 'not_sent', retryable: false, provider_message: null });
});

test('the message of a sandbox gift stays sent when the gift is canceled, also in the portal', async () => {
  const { sandbox, organizationId } = await service.organization();
  const giftId = await ordered(sandbox, emailGift('someone'));
  await sandbox.post(`/v1/gifts/${giftId}/cancel`);
  const { history, message } = await read(sandbox, giftId);
  assert.deepEqual([history.state, history.failed_at], ['canceled', null]);
  assert.deepEqual([message.state, message.sent_at, message.failure], ['sent', history.ordered_at, null]);
  const admin = await createPortalClient(service, 'admin@example.com');
  const { body } = await admin.call('GET', `/organizations/${organizationId}/sandbox/gifts/${giftId}`);
  const { kind, at, number, ...shown } = body.timeline[1];
  assert.deepEqual([kind, at, number, shown], ['delivery', history.ordered_at, 1, message]);
});

test('an unclaimed gift of an erased recipient failed then, and its messages say what became of them', async () => {
  const { live, sandbox, organizationId } = await service.organization();
  const recipient = { method: 'email', email: 'erased@example.com' } as const;
  const erase = () => eraseRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  const one = gift({ delivery: recipient });
  const sent = await ordered(live, one);
  await send();
  mail.answer(() => ({ code: 550, text: '5.1.1 No such user' }));
  const refused = await ordered(live, one);
  await send();
  const pending = await ordered(live, one);
  const later = await ordered(live, { ...one, send_at: new Date(service.clock.now() + 86_400_000).toISOString() });
  const delivered = await ordered(sandbox, one);
  await sandbox.post(`/v1/sandbox/gifts/${delivered}/deliver`);
  await service.clock.jump(60_000);
  const at = now();
  const failedAt = (await read(live, refused)).history.failed_at;
  await erase();
  await service.clock.jump(60_000);
  await erase();
  const failure = { reason: 'erased', retryable: false, provider_message: null };
  for (const [api, giftId, failed_at, message] of [
    [live, sent, at, ['sent', null, null]],
    [live, refused, failedAt, ['failed', failedAt, failure]],
    [live, pending, at, ['failed', at, failure]],
    [live, later, at, undefined],
    [sandbox, delivered, at, ['delivered', null, null]],
  ] as const) {
    const shown = await read(api, giftId);
    const { state, erased_at } = shown.history;
    assert.deepEqual(
      [state, erased_at, shown.history.failed_at, shown.history.failure],
      ['failed', at, failed_at, failure],
    );
    if (message === undefined) assert.equal(shown.message, undefined);
    else {
      assert.equal(shown.message.address, null);
      assert.deepEqual([shown.message.state, shown.message.failed_at, shown.message.failure], message);
    }
  }
  const admin = await createPortalClient(service, 'admin@example.com');
  const { body } = await admin.call('GET', `/organizations/${organizationId}/live/gifts/${sent}`);
  assert.deepEqual([body.timeline.at(-1), body.resend_refusal], [{ kind: 'erased', at }, 'erased']);
});
