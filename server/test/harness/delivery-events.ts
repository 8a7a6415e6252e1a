import assert from 'node:assert/strict';
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { decodeId } from '../../src/platform/base/ids.ts';
import { encodeReference } from '../../src/platform/messaging/reference.ts';
import type { AmazonSns } from './amazon-sns.ts';
import { TOPIC_ARN } from './amazon-sns.ts';
import { type Answer, type ApiClient, gift } from './api-client.ts';
import type { TestOrganization, TestService } from './test-service.ts';

const TWILIO_TOKEN = '12345678901234567890123456789012';
const POSTMARK_PASSWORD = 'a pass:word of Postmark’s';
const sendgridKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

/** Settings of a service that accepts webhook events from every provider. */
export const providerSettings = {
  SES_TOPIC_ARN: TOPIC_ARN,
  SENDGRID_WEBHOOK_PUBLIC_KEY: sendgridKeys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  POSTMARK_WEBHOOK_PASSWORD: POSTMARK_PASSWORD,
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: TWILIO_TOKEN,
  TWILIO_FROM: '+12025550199',
};

type Target = Pick<TestService, 'api'>;
type Headers = Record<string, string>;

/** Amazon's call with this body and the headers that SNS sends. */
export const callSes = (service: Target, message: Record<string, unknown> | string, headers: Headers = {}) =>
  service.api().post('/hooks/email/ses', message, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'x-amz-sns-message-type': typeof message === 'string' ? 'Notification' : String(message['Type']),
    ...headers,
  });

/** An SES event in a notification of the topic. */
export const sendSes = (service: Target, sns: AmazonSns, event: unknown) =>
  callSes(service, sns.message('Notification', { Message: JSON.stringify(event) }));

/** A batch signed as SendGrid does: over the timestamp and the body with its line breaks. */
export function sendSendgrid(
  service: Target,
  events: unknown,
  more: { timestamp?: string; key?: KeyObject; headers?: Headers; altered?: string } = {},
): Promise<Answer> {
  const { timestamp = '1795262400', key = sendgridKeys.privateKey } = more;
  const body = typeof events === 'string' ? events : `${JSON.stringify(events).replaceAll('},{', '},\r\n{')}\r\n`;
  return service.api().post('/hooks/email/sendgrid', more.altered ?? body, {
    'Content-Type': 'application/json',
    'X-Twilio-Email-Event-Webhook-Signature': createSign('sha256')
      .update(timestamp + body)
      .sign(key, 'base64'),
    'X-Twilio-Email-Event-Webhook-Timestamp': timestamp,
    ...more.headers,
  });
}

export const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const sendPostmark = (service: Target, event: unknown, authorization = basic('postmark', POSTMARK_PASSWORD)) =>
  service.api().post('/hooks/email/postmark', event, {
    'Content-Type': 'application/json',
    Authorization: authorization,
  });

/** https://www.twilio.com/docs/usage/security#validating-requests */
export function twilioSignature(url: string, fields: Record<string, string>, token = TWILIO_TOKEN): string {
  const names = Object.keys(fields).sort();
  const text = url + names.map((name) => name + fields[name]).join('');
  return createHmac('sha1', token).update(text).digest('base64');
}

export const sendTwilio = (service: TestService, reference: string, fields: Record<string, string>, token?: string) => {
  const path = `/hooks/sms/twilio?delivery=${reference}`;
  return service.api().post(path, new URLSearchParams(fields).toString(), {
    'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
    'X-Twilio-Signature': twilioSignature(service.service.deps.publicUrl() + path, fields, token),
  });
};

/** A gift whose message was sent, and its status. */
export interface SentGift {
  id: string;
  uuid: string;
  /** Its latest message when it was ordered. */
  reference: string;
  client: ApiClient;
}

/**
 * Orders a sandbox gift, whose message no worker touches.
 *
 * @param wanted an email gift by default
 */
export async function sentGift(
  service: TestService,
  organization: TestOrganization,
  wanted: Record<string, unknown> = gift(),
): Promise<SentGift> {
  const [one] = await sentGifts(service, organization, [wanted]);
  return one ?? assert.fail();
}

export async function sentGifts(
  service: TestService,
  organization: TestOrganization,
  wanted: Record<string, unknown>[],
): Promise<SentGift[]> {
  const client = organization.sandbox;
  const { body } = await client.order(wanted);
  const ids: string[] = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
  const gifts: SentGift[] = [];
  for (const id of ids) {
    const uuid = decodeId('gift', id) ?? assert.fail(id);
    gifts.push({ id, uuid, client, reference: await latestReference(service, organization, uuid) });
  }
  return gifts;
}

export async function latestReference(
  service: TestService,
  { organizationUuid }: TestOrganization,
  giftUuid: string,
): Promise<string> {
  const [row] = await service.sql<{ delivery_id: string }>(
    `select delivery_id from gifts where organization_id = $1 and environment = 'sandbox' and gift_id = $2`,
    [organizationUuid, giftUuid],
  );
  const deliveryId = row?.delivery_id ?? assert.fail('The gift is not there.');
  return encodeReference({ organizationId: organizationUuid, environment: 'sandbox', giftId: giftUuid, deliveryId });
}

/** What `/v1` returns, and each message's state and reason, in the order of their creation. */
export async function standing(service: TestService, { id, uuid, client }: SentGift): Promise<string[]> {
  const { body } = await client.get(`/v1/gifts/${id}`);
  const rows = await service.sql<{ shown: string }>(
    `select concat_ws(': ', state, reason) as shown from deliveries where gift_id = $1 order by delivery_id`,
    [uuid],
  );
  return [body.delivery.status, ...rows.map(({ shown }) => shown)];
}

/** Everything in the database about a gift and its messages, to show that nothing changed. */
const everything = (service: TestService, { uuid }: Pick<SentGift, 'uuid'>) =>
  service.sql(
    'select to_jsonb(g) as gift, to_jsonb(d) as delivery from gifts g join deliveries d using (gift_id) where gift_id = $1 order by d.delivery_id',
    [uuid],
  );

/** Checks that an act changes nothing about a gift and its messages. */
export async function assertUnchanged(service: TestService, one: SentGift, act: () => Promise<unknown>): Promise<void> {
  const before = await everything(service, one);
  await act();
  assert.deepEqual(await everything(service, one), before);
}

/** The answer to an accepted call. */
export function assertTaken(answer: Answer): void {
  assert.deepEqual([answer.status, answer.body], [200, '']);
}
