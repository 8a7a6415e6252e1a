// Generated from openapi.json by `npm run generate`.
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
/** How each operation is sent. `mark` tells its answer from a gateway's: a member, or the word in `object`. `isSentOnce`: without an answer it is not repeated. */
export const OPERATIONS = {
  getHealth: { method: 'GET', path: '/v1/health', mark: 'status' },
  getOpenapi: { method: 'GET', path: '/v1/openapi.json' },
  listCategories: { method: 'GET', path: '/v1/categories', mark: 'list' },
  createOrder: { method: 'POST', path: '/v1/orders', mark: 'order_id', query: 'expand', takesKey: true },
  listOrders: {
    method: 'GET',
    path: '/v1/orders',
    mark: 'list',
    query:
      'limit starting_after ending_before created_after created_before ordered_after ordered_before delivered_after delivered_before opened_after opened_before claimed_after claimed_before state delivery_method recipient category external_id metadata status expand',
  },
  cancelOrder: {
    method: 'POST',
    path: '/v1/orders/{order_id}/cancel',
    mark: 'order_id',
    query: 'expand',
    takesKey: true,
  },
  retrieveOrder: { method: 'GET', path: '/v1/orders/{order_id}', mark: 'order_id', query: 'expand' },
  listGifts: {
    method: 'GET',
    path: '/v1/gifts',
    mark: 'list',
    query:
      'limit starting_after ending_before created_after created_before ordered_after ordered_before delivered_after delivered_before opened_after opened_before claimed_after claimed_before state delivery_method recipient category external_id metadata status order_id expand',
  },
  retrieveGift: { method: 'GET', path: '/v1/gifts/{gift_id}', mark: 'gift_id', query: 'expand' },
  redirectGift: {
    method: 'PUT',
    path: '/v1/gifts/{gift_id}/delivery',
    mark: 'gift_id',
    query: 'expand',
    takesKey: true,
  },
  replaceGiftLink: {
    method: 'POST',
    path: '/v1/gifts/{gift_id}/link',
    mark: 'gift_id',
    query: 'expand',
    takesKey: true,
  },
  resendGift: { method: 'POST', path: '/v1/gifts/{gift_id}/resend', mark: 'gift_id', query: 'expand', takesKey: true },
  cancelGift: { method: 'POST', path: '/v1/gifts/{gift_id}/cancel', mark: 'gift_id', query: 'expand', takesKey: true },
  scheduleGift: {
    method: 'POST',
    path: '/v1/gifts/{gift_id}/schedule',
    mark: 'gift_id',
    query: 'expand',
    takesKey: true,
  },
  listContacts: {
    method: 'GET',
    path: '/v1/contacts',
    mark: 'list',
    query: 'limit starting_after ending_before tag external_id recipient',
  },
  saveContact: { method: 'PUT', path: '/v1/contacts', mark: 'contact_id' },
  retrieveContact: { method: 'GET', path: '/v1/contacts/{contact_id}', mark: 'contact_id' },
  deleteContact: {
    method: 'DELETE',
    path: '/v1/contacts/{contact_id}',
    mark: 'contact_id',
    query: 'unsent_gifts',
    isSentOnce: true,
  },
  retrieveBalance: { method: 'GET', path: '/v1/balance', mark: 'balance' },
  listBalanceEntries: {
    method: 'GET',
    path: '/v1/balance/entries',
    mark: 'list',
    query: 'limit starting_after ending_before created_after created_before kind',
  },
  retrieveLedgerStatement: { method: 'GET', path: '/v1/balance/statements/{month}', mark: 'ledger_statement' },
  retrieveLedgerCheckpoint: { method: 'GET', path: '/v1/ledger/checkpoint', mark: 'ledger_checkpoint' },
  retrieveLedgerProof: {
    method: 'GET',
    path: '/v1/ledger/proof',
    mark: 'ledger_proof',
    query: 'entry_id from_size size',
  },
  simulateDelivery: {
    method: 'POST',
    path: '/v1/sandbox/gifts/{gift_id}/deliver',
    mark: 'gift_id',
    query: 'expand',
    isSentOnce: true,
  },
  simulateOpen: { method: 'POST', path: '/v1/sandbox/gifts/{gift_id}/open', mark: 'gift_id', query: 'expand' },
  simulateClaim: {
    method: 'POST',
    path: '/v1/sandbox/gifts/{gift_id}/claim',
    mark: 'gift_id',
    query: 'expand',
    isSentOnce: true,
  },
  simulateSpend: { method: 'POST', path: '/v1/sandbox/gifts/{gift_id}/spend', mark: 'gift_id', query: 'expand' },
  resetSandbox: { method: 'POST', path: '/v1/sandbox/reset', mark: 'sandbox_reset', isSentOnce: true },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhook_endpoints', mark: 'endpoint_id', takesKey: true },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhook_endpoints', mark: 'list' },
  retrieveWebhookEndpoint: { method: 'GET', path: '/v1/webhook_endpoints/{endpoint_id}', mark: 'endpoint_id' },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v1/webhook_endpoints/{endpoint_id}', mark: 'endpoint_id' },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/v1/webhook_endpoints/{endpoint_id}',
    mark: 'endpoint_id',
    isSentOnce: true,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhook_endpoints/{endpoint_id}/rotate_secret',
    mark: 'endpoint_id',
    takesKey: true,
  },
  enableWebhookEndpoint: {
    method: 'POST',
    path: '/v1/webhook_endpoints/{endpoint_id}/enable',
    mark: 'endpoint_id',
    takesKey: true,
  },
  testWebhookEndpoint: {
    method: 'POST',
    path: '/v1/webhook_endpoints/{endpoint_id}/test',
    mark: 'duration_ms',
    isSentOnce: true,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v1/webhook_endpoints/{endpoint_id}/deliveries',
    mark: 'list',
    query: 'limit starting_after ending_before',
  },
  resendWebhookDelivery: {
    method: 'POST',
    path: '/v1/webhook_endpoints/{endpoint_id}/deliveries/{event_id}/resend',
    mark: 'resent',
    takesKey: true,
  },
  resendWebhookDeliveries: {
    method: 'POST',
    path: '/v1/webhook_endpoints/{endpoint_id}/resend',
    mark: 'resent',
    takesKey: true,
  },
  listEvents: { method: 'GET', path: '/v1/events', mark: 'list', query: 'after limit types wait expand' },
} as const;
/** The body and answer of each operation. */
export interface Operations {
  getHealth: { body: undefined; answer: Schemas['Health'] };
  getOpenapi: { body: undefined; answer: Schemas['OpenapiDocument'] };
  listCategories: { body: undefined; answer: Schemas['CategoryList'] };
  createOrder: { body: Schemas['OrderInput']; answer: Schemas['Order'] };
  listOrders: { body: undefined; answer: Schemas['OrderList'] };
  cancelOrder: { body: Schemas['CancelInput']; answer: Schemas['Order'] };
  retrieveOrder: { body: undefined; answer: Schemas['Order'] };
  listGifts: { body: undefined; answer: Schemas['GiftList'] };
  retrieveGift: { body: undefined; answer: Schemas['Gift'] };
  redirectGift: { body: Schemas['RedirectInput']; answer: Schemas['Gift'] };
  replaceGiftLink: { body: undefined; answer: Schemas['Gift'] };
  resendGift: { body: undefined; answer: Schemas['Gift'] };
  cancelGift: { body: Schemas['CancelInput']; answer: Schemas['Gift'] };
  scheduleGift: { body: Schemas['ScheduleInput']; answer: Schemas['Gift'] };
  listContacts: { body: undefined; answer: Schemas['ContactList'] };
  saveContact: { body: Schemas['ContactInput']; answer: Schemas['Contact'] };
  retrieveContact: { body: undefined; answer: Schemas['Contact'] };
  deleteContact: { body: undefined; answer: Schemas['DeletedContact'] };
  retrieveBalance: { body: undefined; answer: Schemas['BalanceSummary'] };
  listBalanceEntries: { body: undefined; answer: Schemas['BalanceEntryList'] };
  retrieveLedgerStatement: { body: undefined; answer: Schemas['LedgerStatement'] };
  retrieveLedgerCheckpoint: { body: undefined; answer: Schemas['LedgerCheckpoint'] };
  retrieveLedgerProof: { body: undefined; answer: Schemas['LedgerProof'] };
  simulateDelivery: { body: Schemas['DeliveryOutcome']; answer: Schemas['Gift'] };
  simulateOpen: { body: undefined; answer: Schemas['Gift'] };
  simulateClaim: { body: undefined; answer: Schemas['Gift'] };
  simulateSpend: { body: undefined; answer: Schemas['Gift'] };
  resetSandbox: { body: undefined; answer: Schemas['SandboxResetResult'] };
  createWebhookEndpoint: { body: Schemas['WebhookEndpointInput']; answer: Schemas['WebhookEndpointWithSecret'] };
  listWebhookEndpoints: { body: undefined; answer: Schemas['WebhookEndpointList'] };
  retrieveWebhookEndpoint: { body: undefined; answer: Schemas['WebhookEndpoint'] };
  updateWebhookEndpoint: { body: Schemas['WebhookEndpointChange']; answer: Schemas['WebhookEndpoint'] };
  deleteWebhookEndpoint: { body: undefined; answer: Schemas['DeletedWebhookEndpoint'] };
  rotateWebhookSecret: { body: Schemas['WebhookRotateInput']; answer: Schemas['WebhookEndpointWithSecret'] };
  enableWebhookEndpoint: { body: Schemas['WebhookEnableInput']; answer: Schemas['WebhookEndpoint'] };
  testWebhookEndpoint: { body: undefined; answer: Schemas['WebhookAttempt'] };
  listWebhookDeliveries: { body: undefined; answer: Schemas['WebhookDeliveryList'] };
  resendWebhookDelivery: { body: undefined; answer: Schemas['WebhookResendResult'] };
  resendWebhookDeliveries: { body: Schemas['WebhookResendInput']; answer: Schemas['WebhookResendResult'] };
  listEvents: { body: undefined; answer: Schemas['EventList'] };
}
