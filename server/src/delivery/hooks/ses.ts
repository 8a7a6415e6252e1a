import type { Logger } from 'pino';
import { itemsOf, lookInto, parseJson } from './look-into.ts';
import { type News, newsOf, type Verdict } from './news.ts';
import type { Provider } from './provider.ts';
import { snsTopic } from './sns-topic.ts';

const snsTypes = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'];

/**
 * Types and sub-types of https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html#bounce-types. SES tells of
 * a transient bounce once it has stopped trying. It does so too when a message that arrived is answered by an
 * out-of-office note, which it takes for a general one.
 */
const bounces = new Map<string, Verdict>([
  ['Permanent', { reason: 'hard bounce' }],
  ['Permanent/Suppressed', { reason: 'blocked' }],
  ['Permanent/OnAccountSuppressionList', { reason: 'blocked' }],
  ['Permanent/UnsubscribedRecipient', { reason: 'opted out' }],
  ['Transient', { reason: 'unreachable', unlessDelivered: true }],
  ['Transient/MailboxFull', { reason: 'mailbox full' }],
  ['Transient/MessageTooLarge', { reason: 'message too large' }],
  ['Transient/ContentRejected', { reason: 'content refused' }],
  ['Transient/AttachmentRejected', { reason: 'content refused' }],
  ['Transient/CustomTimeoutExceeded', { reason: 'unreachable' }],
  ['Undetermined', { reason: 'bounced', unlessDelivered: true }],
]);

/** Amazon SES by way of an SNS topic: notifications and published events, which differ in little. */
export function ses(topicArn: string, log: Logger): Provider {
  const topic = snsTopic(topicArn);
  return {
    name: 'Amazon SNS',
    setting: 'SES_TOPIC_ARN',
    canBeProven: (headers) => snsTypes.includes(String(headers['x-amz-sns-message-type'])),
    async read({ body, requestId }) {
      const line = { request_id: requestId, topic: topicArn };
      const message = await topic.verify(parseJson(body));
      if (message === undefined) return undefined;
      if (message.Type === 'Notification') return readEvent(parseJson(message.Message));
      if (message.Type === 'UnsubscribeConfirmation')
        log.warn(line, 'The subscription of Amazon SNS was ended: no more news of emails will come.');
      else if (await topic.confirm(message)) log.info(line, 'Confirmed the subscription of Amazon SNS.');
      return [];
    },
  };
}

function readEvent(event: unknown): News[] {
  const mail = lookInto(event, 'mail');
  const headers = itemsOf(lookInto(mail, 'headers'));
  const header = (name: string) =>
    headers
      .filter((one) => String(lookInto(one, 'name')).toLowerCase() === name)
      .map((one) => String(lookInto(one, 'value')));
  // Amazon replaces the Message-ID; here is the one that the message had before.
  return newsOf(verdictOf(event), [
    lookInto(mail, 'tags', 'delivery', 0),
    ...header('x-ses-message-tags').map((tags) => /(?:^|,)\s*delivery\s*=\s*(\w+)/.exec(tags)?.[1]),
    ...header('message-id'),
    lookInto(mail, 'commonHeaders', 'messageId'),
  ]);
}

function verdictOf(event: unknown): Verdict | undefined {
  // `DeliveryDelay` is tried again; `Send`, `Open`, `Click` and `Subscription` settle nothing.
  switch (lookInto(event, 'eventType') ?? lookInto(event, 'notificationType')) {
    case 'Delivery':
      return 'delivered';
    case 'Bounce': {
      const type = lookInto(event, 'bounce', 'bounceType');
      return bounces.get(`${type}/${lookInto(event, 'bounce', 'bounceSubType')}`) ?? bounces.get(`${type}`);
    }
    case 'Complaint':
      // A mailbox provider takes a complaint back.
      if (lookInto(event, 'complaint', 'complaintFeedbackType') === 'not-spam') return undefined;
      return { reason: 'complaint' };
    case 'Reject':
      return { reason: 'content refused' };
    default:
      return undefined;
  }
}
