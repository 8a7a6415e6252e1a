import { type Static, Type } from 'typebox';
import { openText, refTo, Time } from '../../platform/api/schema.ts';
import { type EventType, eventTypes } from '../../platform/events/event-types.ts';
import { EventData } from '../feed/schema.ts';

// What is pushed: bodies and headers are typed by these schemas, and openapi.json describes them.

export const TEST_TYPE = 'webhook.test';
const types = [...(Object.keys(eventTypes) as EventType[]), TEST_TYPE] as const;

/** A type with null, because openapi-generator knows no `anyOf` in a webhook. */
const sequence = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], format: 'int64', description });

/** One schema for all types: a closed list of schemas could not read a new type. */
export const WebhookEvent = Type.Object(
  {
    type: openText(types, `What happened; \`${TEST_TYPE}\` tries the endpoint and is not in the feed.`),
    timestamp: Type.Unsafe<Date>({ ...Time, description: 'When it happened.' }),
    data: refTo(EventData),
    event_id: Type.String({ description: 'Begins with `evt_`; the same in each push of this event.' }),
    sequence: sequence(`The event’s place in the feed; null for \`${TEST_TYPE}\`.`),
    previous_sequence: sequence('The event pushed to this endpoint before; null for the first one.'),
  },
  { description: 'An event as it is pushed to webhook endpoints.' },
);
export type PushBody = Static<typeof WebhookEvent>;

/** Of Standard Webhooks 1.0. */
export const PushHeaders = Type.Object({
  'webhook-id': Type.String({ description: 'The event’s id; the same in each push of this event.' }),
  'webhook-timestamp': Type.Integer({
    format: 'int64',
    description: 'When it was sent, in seconds since 1970. Refuse a push older than five minutes.',
  }),
  'webhook-signature': Type.String({
    description:
      '`v1,` and the base64 of an HMAC-SHA256 of id, timestamp and body, joined by dots; one for each secret, separated by spaces.',
  }),
});
