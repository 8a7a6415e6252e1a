// Generated from openapi.json by `npm run generate`.
import type { components } from './schema.d.ts';

type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
// Interfaces, because declarations and editors show their names and keep the comments of their fields.
export interface Health extends Schema<'Health'> {}
export interface Category extends Schema<'Category'> {}
export type DeliveryInput = Schema<'DeliveryInput'>;
export interface GiftInput extends Schema<'GiftInput'> {}
export interface OrderInput extends Schema<'OrderInput'> {}
export interface GiftDelivery extends Schema<'GiftDelivery'> {}
export interface GiftHistory extends Schema<'GiftHistory'> {}
export interface GiftMessage extends Schema<'GiftMessage'> {}
export interface GiftCard extends Schema<'GiftCard'> {}
export interface OrderHistory extends Schema<'OrderHistory'> {}
export interface CancelInput extends Schema<'CancelInput'> {}
export type RedirectInput = Schema<'RedirectInput'>;
export interface ScheduleInput extends Schema<'ScheduleInput'> {}
export interface Contact extends Schema<'Contact'> {}
export interface ContactInput extends Schema<'ContactInput'> {}
export interface DeletedContact extends Schema<'DeletedContact'> {}
export interface BalanceEntry extends Schema<'BalanceEntry'> {}
export interface Balance extends Schema<'BalanceSummary'> {}
export interface LedgerStatement extends Schema<'LedgerStatement'> {}
export interface LedgerCheckpoint extends Schema<'LedgerCheckpoint'> {}
export interface LedgerProof extends Schema<'LedgerProof'> {}
export interface DeliveryOutcome extends Schema<'DeliveryOutcome'> {}
export interface SandboxResetResult extends Schema<'SandboxResetResult'> {}
export interface WebhookEndpointInput extends Schema<'WebhookEndpointInput'> {}
export interface WebhookEndpointWithSecret extends Schema<'WebhookEndpointWithSecret'> {}
export interface WebhookEndpoint extends Schema<'WebhookEndpoint'> {}
export interface WebhookEndpointChange extends Schema<'WebhookEndpointChange'> {}
export interface DeletedWebhookEndpoint extends Schema<'DeletedWebhookEndpoint'> {}
export interface WebhookRotateInput extends Schema<'WebhookRotateInput'> {}
export interface WebhookEnableInput extends Schema<'WebhookEnableInput'> {}
export interface WebhookAttempt extends Schema<'WebhookAttempt'> {}
export interface WebhookDelivery extends Schema<'WebhookDelivery'> {}
export interface WebhookResendResult extends Schema<'WebhookResendResult'> {}
export interface WebhookResendInput extends Schema<'WebhookResendInput'> {}
