/** What `openapi.json` does not say and the Go client needs. */
import type { Words } from './client-model.ts';

/** Structs whose name is not that of the schema. Schemas with one struct share it; the first one describes it. */
export const NAMES: Readonly<Record<string, string>> = {
  BalanceSummary: 'Balance',
  SandboxResetResult: 'ResetResult',
  PersonalizationInput: 'Personalization',
  GiftPersonalization: 'Personalization',
  RedirectInput: 'DeliveryInput',
  ContactDeliveryInput: 'DeliveryInput',
  WebhookPastAttempt: 'WebhookAttempt',
  SealedEntry: 'LedgerEntry',
  ScheduleInput: 'scheduleInput',
  DeliveryOutcome: 'deliveryOutcome',
  WebhookRotateInput: 'rotateInput',
  WebhookEnableInput: 'enableInput',
};

/** Operations whose method does more than to send, or has another form. */
export const METHODS_BY_HAND: readonly string[] = [
  'getHealth',
  'getOpenapi',
  'createOrder',
  'deleteContact',
  'retrieveLedgerStatement',
  'retrieveLedgerProof',
  'deleteWebhookEndpoint',
  'resendWebhookDelivery',
  'resendWebhookDeliveries',
  'listEvents',
];

/** Schemas that have no struct, or one with methods. */
export const STRUCTS_BY_HAND: readonly string[] = [
  'ApiError',
  'DeletedWebhookEndpoint',
  'EmailDelivery',
  'ErrorResponse',
  'Event',
  'EventData',
  'EventList',
  'GiftPersonalization',
  'Health',
  'LedgerStatement',
  'LinkDelivery',
  'OpenapiDocument',
  'PhoneDelivery',
  'SealedEntry',
  'WebhookPastAttempt',
  'WebhookResendInput',
  'WebhookResendResult',
];

/** Structs that have the members of a further schema, too. */
export const JOINED: Readonly<Record<string, string>> = { WebhookAttempt: 'WebhookPastAttempt' };

/** Members whose known values have constants, and how those begin. */
export const CONSTANTS: Readonly<Record<string, string>> = {
  'BalanceEntry.kind': 'Entry',
  'GiftDelivery.method': 'Method',
  'GiftDelivery.status': 'Gift',
  'GiftHistory.state': 'State',
  'Order.status': 'Order',
  'WebhookEndpoint.status': 'Endpoint',
};

/** Members whose type does not follow from the schema. */
export const TYPES: Readonly<Record<string, string>> = {
  'Gift.personalization': 'Personalization',
  'WebhookAttempt.status': 'int',
  'WebhookRotateInput.overlap_hours': '*int',
};

/** Parameters that came after the first release: a program may write a struct without names, so fields keep their order. */
export const LATER_FIELDS = /^(ordered|delivered|opened|claimed)_|^state$/;

/** What the document says in words of HTTP and JSON. */
export const WORDS: Words = [
  [/`?\bnull\b`? removes it/g, 'a pointer to an empty text removes it'],
  [/A field that is left out stays/g, 'A field that is nil or empty stays'],
  [/, also without a body/g, ', also for an empty outcome'],
  [/`?\bending_before\b`?/g, 'EndingBefore'],
  [/Only with `?expand=\w+`?/g, 'Nil unless [WithExpand] asks for it'],
  [/`GET \/v1\/categories`/g, '[CategoryService]'],
];

/** What methods do that the document does not say. */
export const METHOD_NOTES: Readonly<Record<string, string>> = {
  enableWebhookEndpoint: 'A fromSequence of 0 continues.',
};

/** What resources are for. */
export const RESOURCES: Readonly<Record<string, string>> = {
  balance: 'reads what the organization can spend',
  categories: 'reads the catalog',
  contacts: 'keeps the people to whom the organization sends gifts',
  gifts: 'reads and changes gifts',
  ledger: 'returns proofs that no entry of the ledger was changed or removed. They are verified without the service',
  orders: 'places and reads orders',
  sandbox: 'simulates recipients. A live key gets the code sandbox_endpoint_only',
  webhookEndpoints: 'manages the addresses that events are pushed to',
};

/** Comments that say more than the document, or say it in words of Go. */
export const NOTES: Readonly<Record<string, string>> = {
  DeliveryInput: 'says how a gift reaches its recipient; see [ByEmail], [ByPhone] and [ByLink].',
  GiftCancellation: 'says that the gift is void, and what returned to the balance.',
  PersonalizationInput: 'holds the names and the message that the recipient sees.',
  WebhookAttempt: 'is an attempt to push an event.',
  WebhookEndpoint: 'is an address that events are pushed to. A time that is not set is zero.',
  WebhookEndpointInput: 'is an endpoint to add.',
  WebhookEndpointChange: 'changes an endpoint.',
  ContactInput: 'is a contact to add or change.',
  'ContactInput.delivery': 'Made by [ByEmail] or [ByPhone].',
  'ContactInput.tags': 'All tags of the contact, at most 20. Nil leaves them, and an empty slice removes them.',
  'Gift.order':
    'Order, History, Deliveries and Card are nil unless [WithExpand] asks for them. Card is nil, too, until the gift is claimed.',
  'Gift.scheduled_for': 'When the gift is or was sent; nil if at once.',
  'Gift.cancellation': 'Nil unless the gift is void.',
  'GiftInput.delivery': 'Made by [ByEmail], [ByPhone] or [ByLink].',
  'GiftInput.send_at': 'When the gift is sent, at most 366 days ahead; nil sends it at once. A link gift has none.',
  'BalanceSummary.last_entry': 'Nil before the first one.',
  'Order.history': 'Nil unless [WithExpand] asks for it.',
  'WebhookAttempt.attempted_at': 'Zero in the answer to Test.',
  'WebhookAttempt.accepted': 'Set in the answer to Test.',
  'WebhookEndpoint.types': 'Nil for all.',
  'WebhookEndpointChange.types': 'Nil leaves them; an empty slice selects all, also those that may come.',
  'WebhookEndpointInput.types': 'The types of events to push; nil for all, also those that may come.',
  'WebhookEndpointWithSecret.secret': 'Signs each push; see [VerifyWebhook]. It is not shown again.',
  'query.limit': 'How many a page has, 1 to 100; the service’s default is 10, that of an iteration 100.',
};
