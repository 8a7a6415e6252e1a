/** What `openapi.json` does not say and the Python client needs. */

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

/** What members are that the document does not describe. */
export const NOTES: Readonly<Record<string, string>> = {
  'Gift.order': 'Only with `expand=["order"]`, as the next three with their names.',
  'Order.history': 'Only with `expand=["history"]`.',
};
