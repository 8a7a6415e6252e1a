export * from './client.ts';
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BestowError,
  ConnectionError,
  type ErrorCode,
  type ErrorType,
  InsufficientBalanceError,
  InvalidRequestError,
  RateLimitError,
  ServiceError,
  TimeoutError,
} from './errors.ts';
export type { EventParams, StreamParams } from './events.ts';
export type { EntryParams, GiftParams, List, OrderParams, Page, PageParams } from './list.ts';
export type { Attempt, BestowOptions } from './options.ts';
export type * from './resources.ts';
export { type Answer, type CallOptions, type LastResponse, VERSION } from './send.ts';
export { verifyConsistency, verifyInclusion } from './verify-proof.ts';
export {
  type Checkpoint,
  LedgerVerificationError,
  openCheckpoint,
  verifyStatement,
} from './verify-statement.ts';
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.ts';
