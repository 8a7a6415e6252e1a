export type { LastResponse } from './attempts.ts';
export type * from './bodies.ts';
export * from './client.ts';
export type { ErrorCode, ErrorType } from './errors.ts';
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BestowError,
  ConnectionError,
  InsufficientBalanceError,
  InvalidRequestError,
  RateLimitError,
  ServiceError,
  StoreError,
  TimeoutError,
} from './errors.ts';
export type * from './event-types.ts';
export type { EventParams, StreamParams } from './events.ts';
export type { ContactParams, EntryParams, GiftParams, List, OrderParams, Page, PageParams } from './list.ts';
export type { Attempt, BestowOptions } from './options.ts';
export type * from './resources.ts';
export type { ActOptions, ActOptions as CreateOrderOptions, ActOptions as GiftActOptions } from './send.ts';
export {
  type Answer,
  type CallOptions,
  type Expand,
  type Expanded,
  type GiftParts,
  VERSION,
  type With,
} from './send.ts';
export type { KeptOrder, Resumed, Store } from './store.ts';
export { verifyConsistency, verifyInclusion } from './verify-proof.ts';
export {
  type Checkpoint,
  LedgerVerificationError,
  openCheckpoint,
  verifyStatement,
} from './verify-statement.ts';
export { signTestWebhook, verifyWebhook, WebhookVerificationError } from './webhooks.ts';
