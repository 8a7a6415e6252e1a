/** What `openapi.json` does not say and the Python client needs. */
import type { Words } from './client-model.ts';

/** Types whose name is not that of the schema. */
export const NAMES: Readonly<Record<string, string>> = { BalanceSummary: 'Balance' };

/** Operations whose method does more than to send, or has another form. */
export const METHODS_BY_HAND: readonly string[] = [
  'getHealth',
  'getOpenapi',
  'createOrder',
  'deleteContact',
  'retrieveLedgerProof',
  'resendWebhookDeliveries',
  'listEvents',
];

/** Schemas that have no type, or one that is written by hand. */
export const TYPES_BY_HAND: readonly string[] = [
  'ApiError',
  'ErrorResponse',
  'Event',
  'EventData',
  'EventList',
  'OpenapiDocument',
  'WebhookResendInput',
];

/** Arguments that are sent also if they are not given. */
export const DEFAULTS: Readonly<Record<string, string>> = { 'DeliveryOutcome.outcome': 'delivered' };

/** Parameters whose type does not follow from the schema. */
export const PARAMETER_TYPES: Readonly<Record<string, string>> = {
  expand: 'Sequence[GiftPart]',
  'listEvents.expand': 'str | Sequence[Literal["resource"] | GiftPart]',
  'listEvents.types': 'Sequence[str]',
};

/** Members that are a day, which the document tells by a pattern. */
export const DAYS: readonly string[] = ['ContactInput.birthday', 'ContactInput.work_anniversary'];

/** What parameters mean whose type is another one than in the document. */
export const PARAMETER_NOTES: Readonly<Record<string, string>> = {
  expand: 'What each gift has more than usual.',
  'listEvents.expand':
    '`resource`: each event has its order or gift as it is now; `["resource", "history"]`: with parts of its gifts.',
  'listEvents.types': 'Only these types.',
};

/** What the document says in words of HTTP, JSON and TypeScript. */
export const WORDS: Words = [
  [/’/g, "'"],
  [/`?\b[nN]ull\b`?/g, 'None'],
  [/, also without a body/g, ''],
  [/`expand=(\w+)`/g, '`expand=["$1"]`'],
  [/`verifyStatement` of the SDK/g, '`verify_statement`'],
  [/`GET \/v1\/categories`/g, '`categories.list`'],
  [/How many to return, 1 to 100\./g, 'How many a page has, 1 to 100. An iteration reads all pages.'],
];

/** What members are that the document does not describe. */
export const NOTES: Readonly<Record<string, string>> = {
  'Gift.order': 'Only with `expand=["order"]`, as the next three with their names.',
  'Order.history': 'Only with `expand=["history"]`.',
};
