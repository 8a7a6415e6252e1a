import { type Static, Type } from 'typebox';
import { openText, refTo, Time } from '../../platform/api/schema.ts';
import { type EventType, eventTypes } from '../../platform/events/event-types.ts';

export const EventData = Type.Unsafe<{ order_id?: string; gift_id?: string; [name: string]: unknown }>({
  $id: 'EventData',
  type: 'object',
  description: 'The ids of what the event is about, and the part that changed, as the resource shows it.',
  properties: {
    order_id: { type: 'string', description: 'The order. Also of events about its gifts.' },
    gift_id: { type: 'string', description: 'The gift.' },
  },
  additionalProperties: true,
});

const resource = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description: 'The order or gift of the event as it is now; null for other events. Only with `expand=resource`.',
  additionalProperties: true,
});

const Event = Type.Object(
  {
    event_id: Type.String({ description: 'Begins with `evt_`.', examples: ['evt_01k0fxw4mzejhtt6k1sqh3p5cg'] }),
    type: openText(Object.keys(eventTypes) as EventType[], 'What happened.'),
    created_at: Time,
    sequence: Type.Integer({
      format: 'int64',
      minimum: 1,
      description: 'The event’s place among all events of the environment: without holes, in the order of commits.',
    }),
    data: refTo(EventData),
    resource: Type.Optional(resource),
  },
  { $id: 'Event', description: 'Something that happened.' },
);
export type EventBody = Static<typeof Event>;

const sequence = (description: string) => Type.Integer({ format: 'int64', description });

export const EventList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(refTo(Event), { description: 'In the order of their sequences.' }),
    has_more: Type.Boolean({ description: 'Whether events follow at once; otherwise this is the end for now.' }),
    next_after: sequence(
      'The next request’s `after`: the sequence up to which this page has read, also past events of other types.',
    ),
    first_sequence: sequence('The first sequence that is still held.'),
  },
  { $id: 'EventList', description: 'A page of events.' },
);

export const EventQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Events after this sequence. Without it the page begins with the first event that is still held.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'How many a page has, 1 to 1000; with `expand` 1 to 100.',
    }),
  ),
  types: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+\\.[a-z_]+(,[a-z_]+\\.[a-z_]+)*$',
      description: 'Only these types, separated by commas.',
      examples: ['gift.opened,gift.claimed'],
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'If no event is there, wait so many seconds for one.',
    }),
  ),
  expand: Type.Optional(
    Type.String({
      pattern: '^resource(,[a-z]+)*$',
      description:
        'Adds the order or gift of each event as it is now; after a comma, with parts that `GET /v1/gifts` can add, such as `resource,history`.',
      examples: ['resource'],
    }),
  ),
});
