import type { Logger } from 'pino';
import { getPath, itemsOf, parseJson, textAt } from '../../../platform/base/get-path.ts';
import { type DeliveryEvent, eventsFor, type Verdict } from './delivery-event.ts';
import type { Provider } from './provider.ts';
import { snsTopic } from './sns-topic.ts';

const snsTypes = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'];

/**
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html#bounce-types. SES reports a transient bounce when
 * it stops retrying, and also for an out-of-office reply to a delivered message.
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

/** Amazon SES through an SNS topic: both notifications and published events. */
export function ses(topicArn: string, log: Logger): Provider {
  const topic = snsTopic(topicArn);
  return {
    name: 'Amazon SNS',
    setting: 'SES_TOPIC_ARN',
    hasCredentials: (headers) => snsTypes.includes(String(headers['x-amz-sns-message-type'])),
    async read({ body, requestId }) {
      const line = { request_id: requestId, topic: topicArn };
      const message = await topic.verify(parseJson(body));
      if (message === undefined) return undefined;
      if (message.Type === 'Notification') return readEvent(parseJson(message.Message));
      if (message.Type === 'UnsubscribeConfirmation')
        log.warn(line, 'Amazon SNS ended the subscription: no more delivery events for emails will arrive.');
      else if (await topic.confirm(message)) log.info(line, 'Confirmed the subscription of Amazon SNS.');
      return [];
    },
  };
}

function readEvent(event: unknown): DeliveryEvent[] {
  const mail = getPath(event, 'mail');
  const headers = itemsOf(getPath(mail, 'headers'));
  const header = (name: string) =>
    headers.filter((one) => textAt(one, 'name').toLowerCase() === name).map((one) => textAt(one, 'value'));
  // Amazon replaces the Message-ID; these fields keep the original one.
  return eventsFor(verdictOf(event), [
    getPath(mail, 'tags', 'delivery', 0),
    ...header('x-ses-message-tags').map((tags) => /(?:^|,)\s*delivery\s*=\s*(\w+)/.exec(tags)?.[1]),
    ...header('message-id'),
    getPath(mail, 'commonHeaders', 'messageId'),
  ]);
}

function verdictOf(event: unknown): Verdict | undefined {
  // SES retries `DeliveryDelay`; `Send`, `Open`, `Click` and `Subscription` settle nothing.
  switch (getPath(event, 'eventType') ?? getPath(event, 'notificationType')) {
    case 'Delivery':
      return 'delivered';
    case 'Bounce': {
      const [type, subType] = ['bounceType', 'bounceSubType'].map((name) => textAt(event, 'bounce', name));
      return bounces.get(`${type}/${subType}`) ?? bounces.get(`${type}`);
    }
    case 'Complaint':
      // The mailbox provider withdrew a complaint.
      if (getPath(event, 'complaint', 'complaintFeedbackType') === 'not-spam') return undefined;
      return { reason: 'complaint' };
    case 'Reject':
      return { reason: 'content refused' };
    default:
      return undefined;
  }
}
