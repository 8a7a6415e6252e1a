import { dateOf } from 'bestow-readers/time.ts';
import { type Static, Type } from 'typebox';
import { Name, nullable, openText, refTo, Time } from '../../platform/api/schema.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { type EventType, eventTypes } from '../../platform/events/event-types.ts';
import type { DeliveryRow } from './delivery-queries.ts';
import type { EndpointRow } from './queries.ts';
import { MAX_OVERLAP_HOURS } from './rotate-secret.ts';
import type { Answer } from './send-push.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** webhook endpoint */
    wh: true;
  }
}

const types = Object.keys(eventTypes) as EventType[];
// Not an enum: generators of Java write code that does not compile for a list of enums.
const EventTypeName = Type.String({
  pattern: `^(${types.join('|').replaceAll('.', '\\.')})$`,
  'x-extensible-enum': types,
});
const EventTypes = Type.Array(EventTypeName, {
  minItems: 1,
  maxItems: types.length,
  uniqueItems: true,
  description: 'The types of events to push; null: all, also those that may come.',
  'x-rule': 'must be null or a list of known event types, each once',
});
const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: '^https?://[^\\s]+$',
  description: 'An `https` address with a public host.',
  examples: ['https://shop.example/bestow'],
  'x-rule': 'must be an https:// address',
});
const description = nullable(
  Type.Unsafe<string>({ ...Name, 'x-portable-pattern': '^[^\\r\\n]+$', description: 'Your own note.' }),
);
const ordered = Type.Boolean({
  description: 'Push one event after another, and none past one that was not accepted.',
});

const fields = {
  url: Type.Optional(url),
  description: Type.Optional(description),
  types: Type.Optional(nullable(EventTypes)),
  ordered: Type.Optional(ordered),
};

export const WebhookEndpointInput = Type.Object(
  { ...fields, url },
  { $id: 'WebhookEndpointInput', additionalProperties: false },
);
const status = Type.Unsafe<'enabled' | 'disabled'>({
  type: 'string',
  enum: ['enabled', 'disabled'],
  description:
    'Disabled: nothing is pushed. Enabled again, the endpoint continues after its last event, as long as the feed keeps the events since.',
});
export const WebhookEndpointChange = Type.Object(
  { ...fields, status: Type.Optional(status) },
  {
    $id: 'WebhookEndpointChange',
    description: 'Only the given fields change.',
    additionalProperties: false,
  },
);

export const endpointFields = {
  endpoint_id: Type.String(),
  url: Type.String(),
  description: nullable(Type.String()),
  types: nullable(Type.Array(Type.String())),
  ordered: Type.Boolean(),
  status: openText(['enabled', 'failing', 'disabled'], 'Failing: the last push was not accepted.'),
  disabled_reason: nullable(
    openText(
      ['failing', 'gone', 'requested'],
      'Why it was switched off: five days of failure, the answer 410, or a request of yours.',
    ),
  ),
  disabled_at: nullable(Time),
  failing_since: nullable(Time),
  paused_until: nullable(
    Type.Unsafe<Date>({
      ...Time,
      description: 'Nothing is pushed until then, because the endpoint asked for it with `Retry-After`.',
    }),
  ),
  sequence: Type.Integer({
    format: 'int64',
    description: 'Every event up to this sequence was pushed, or is a delivery that waits.',
  }),
  previous_secret_until: nullable(
    Type.Unsafe<Date>({ ...Time, description: 'Until when pushes are signed with earlier secrets too.' }),
  ),
  created_at: Time,
};

export const WebhookEndpoint = Type.Object(endpointFields, {
  $id: 'WebhookEndpoint',
  description: 'An address that events are pushed to.',
});
export const WebhookEndpointList = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(refTo(WebhookEndpoint)), has_more: Type.Boolean() },
  { $id: 'WebhookEndpointList', description: 'All endpoints of the environment.' },
);
export const WebhookEndpointWithSecret = Type.Object(
  {
    ...endpointFields,
    secret: Type.String({ description: 'The secret that signs each push. It is not shown again.' }),
  },
  { $id: 'WebhookEndpointWithSecret', description: 'An endpoint and its new secret.' },
);
export const DeletedWebhookEndpoint = Type.Object(
  { endpoint_id: Type.String(), deleted: Type.Literal(true) },
  { $id: 'DeletedWebhookEndpoint', description: 'What was removed.' },
);

const attemptFields = {
  status: nullable(Type.Integer({ format: 'int64', description: 'Null: no answer.' })),
  failure_reason: nullable(Type.String({ description: 'Why the event was not accepted.' })),
  body: nullable(Type.String({ description: 'The first kilobyte of the answer.' })),
  duration_ms: Type.Integer({ format: 'int64' }),
};
export const WebhookAttempt = Type.Object(
  { ...attemptFields, accepted: Type.Boolean() },
  { $id: 'WebhookAttempt', description: 'What the endpoint answered.' },
);
export const deliveryFields = {
  event_id: Type.String(),
  type: Type.String(),
  sequence: Type.Integer({ format: 'int64' }),
  previous_sequence: nullable(
    Type.Integer({ format: 'int64', description: 'The event pushed to this endpoint before.' }),
  ),
  status: openText(['pending', 'delivered', 'failed'], 'Failed: ten tries were not accepted.'),
  next_attempt_at: nullable(Time),
  created_at: Time,
  attempts: Type.Array(Type.Object({ attempted_at: Time, ...attemptFields }), {
    description: 'The latest first, at most 30.',
  }),
};
const WebhookPastAttempt = Type.Object(
  { attempted_at: Time, ...attemptFields },
  { $id: 'WebhookPastAttempt', description: 'An attempt to push an event.' },
);
const pastAttempts = Type.Array(refTo(WebhookPastAttempt), { description: 'The latest first, at most 30.' });
const WebhookDelivery = Type.Object(
  { ...deliveryFields, attempts: pastAttempts },
  {
    $id: 'WebhookDelivery',
    description: 'An event and the attempts to push it to an endpoint.',
  },
);
export const WebhookDeliveryList = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(refTo(WebhookDelivery)), has_more: Type.Boolean() },
  { $id: 'WebhookDeliveryList', description: 'A page of deliveries, the newest event first.' },
);

export const RotateInput = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        format: 'int64',
        minimum: 0,
        maximum: MAX_OVERLAP_HOURS,
        default: 24,
        description: 'How long pushes are signed with the earlier secret too. 0 ends all earlier secrets at once.',
        'x-rule': `must be a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}`,
      }),
    ),
  },
  { $id: 'WebhookRotateInput', additionalProperties: false },
);
export const EnableInput = Type.Object(
  {
    from_sequence: Type.Optional(
      Type.Integer({
        format: 'int64',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Push every event from this one on, also those that were delivered; without it, continue.',
        'x-rule': 'must be a sequence of an event, from 1 on',
      }),
    ),
  },
  { $id: 'WebhookEnableInput', additionalProperties: false },
);
export const ResendInput = Type.Object(
  {
    failed: Type.Optional(Type.Literal(true, { description: 'All deliveries that failed.' })),
    from: Type.Optional(
      Type.String({
        maxLength: 40,
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+\\-]\\d{2}:\\d{2})$',
        description: 'All deliveries that began at this time or later.',
        examples: ['2026-11-21T12:00:00Z'],
        'x-rule': 'must be a time such as 2026-11-21T12:00:00Z',
      }),
    ),
  },
  { $id: 'WebhookResendInput', description: 'Either `failed` or `from`.', additionalProperties: false },
);
export const ResendResult = Type.Object(
  {
    resent: Type.Integer({
      format: 'int64',
      description: 'How many deliveries are sent again; 0 if a retry of this request did.',
    }),
  },
  { $id: 'WebhookResendResult', description: 'What is sent again.' },
);

const lastOf = (times: readonly (Date | null)[]) =>
  times.reduce((last, time) => (last === null || (time !== null && time > last) ? time : last), null);

type EndpointBody = Static<typeof WebhookEndpoint>;

export const presentEndpoint = (row: EndpointRow): EndpointBody => ({
  endpoint_id: encodeId('wh', row.endpoint_id),
  url: row.url,
  description: row.description,
  types: row.types,
  ordered: row.is_ordered,
  status: row.disabled_at !== null ? 'disabled' : row.failing_since !== null ? 'failing' : 'enabled',
  disabled_reason: row.disabled_reason,
  disabled_at: row.disabled_at,
  failing_since: row.failing_since,
  paused_until: row.paused_until,
  sequence: row.cursor_sequence,
  previous_secret_until: lastOf([row.previous_secret_until, ...row.earlier_secrets_until]),
  created_at: row.created_at,
});

export const presentDelivery = (row: DeliveryRow): Static<typeof WebhookDelivery> => ({
  event_id: encodeId('evt', row.event_id),
  type: row.type,
  sequence: row.sequence,
  previous_sequence: row.previous_sequence,
  status: row.state,
  next_attempt_at: row.next_attempt_at,
  created_at: row.created_at,
  attempts: row.attempts.map(({ attempted_at, error, ...attempt }) => ({
    ...attempt,
    attempted_at: dateOf(attempted_at),
    failure_reason: error,
  })),
});

export const presentAttempt = ({
  status,
  error,
  body,
  durationMs,
  isAccepted,
}: Answer): Static<typeof WebhookAttempt> => ({
  status,
  failure_reason: error,
  body,
  duration_ms: durationMs,
  accepted: isAccepted,
});
