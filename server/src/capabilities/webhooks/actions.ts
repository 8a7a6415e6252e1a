import { plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences, type TakenAction } from '../../platform/audit/record-event.ts';

/** What is recorded of webhook endpoints. */
interface WebhookActions {
  /** The addresses are without their queries. */
  'webhook.added': { url: string };
  'webhook.changed': { url: string };
  'webhook.removed': { url: string };
  'webhook.secret_rotated': { url: string; overlap_hours: number };
  'webhook.disabled': { url: string };
  'webhook.enabled': { url: string; from_sequence: number | null };
}

export const webhookSentences: Sentences<WebhookActions> = {
  'webhook.added': ({ url }) => `Added the webhook endpoint ${url}`,
  'webhook.changed': ({ url }) => `Changed the webhook endpoint ${url}`,
  'webhook.removed': ({ url }) => `Removed the webhook endpoint ${url}`,
  'webhook.secret_rotated': ({ url, overlap_hours }) =>
    `Replaced the secret of the webhook endpoint ${url} with an overlap of ${plural(overlap_hours, 'hour')}`,
  'webhook.disabled': ({ url }) => `Switched off the webhook endpoint ${url}`,
  'webhook.enabled': ({ url, from_sequence }) =>
    `Switched on the webhook endpoint ${url}${from_sequence === null ? '' : ` from event ${from_sequence} on`}`,
};

export const recordEvent: RecordEvent<WebhookActions> = recordAction;

export type TakenWebhookAction = TakenAction<WebhookActions>;
