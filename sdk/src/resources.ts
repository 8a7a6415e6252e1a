import type { BestowEvent } from './event-types.ts';
import type { components } from './schema.d.ts';

type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
// Interfaces, because declarations and editors show their names and keep the comments of their fields.
export interface CancelInput extends Schema<'CancelInput'> {}
export interface Balance extends Schema<'BalanceSummary'> {}
export interface BalanceEntry extends Schema<'BalanceEntry'> {}
export interface LedgerCheckpoint extends Schema<'LedgerCheckpoint'> {}
export interface Category extends Schema<'Category'> {}
export interface Contact extends Schema<'Contact'> {}
export interface ContactInput extends Schema<'ContactInput'> {}
export interface DeletedContact extends Schema<'DeletedContact'> {}
/** A gift without the parts that a call has to ask for; `With<Gift, 'history'>` has one. */
export interface Gift extends Omit<Schema<'Gift'>, GiftPart> {}
/** What a gift has only if a call asks for it. */
export type GiftPart = 'order' | 'history' | 'deliveries' | 'card';
export type PartsOfGift = Required<Pick<Schema<'Gift'>, GiftPart>>;
export type PartsOfOrder = Required<Pick<Schema<'Order'>, 'history'>>;
/** With what a call asked for; each part may be absent if it is not known which were. */
export type GiftOrOrder<Body> = Body extends { gifts: unknown } ? Schema<'Order'> : Schema<'Gift'>;
export interface GiftHistory extends Schema<'GiftHistory'> {}
export interface GiftMessage extends Schema<'GiftMessage'> {}
export interface GiftCard extends Schema<'GiftCard'> {}
export interface OrderHistory extends Schema<'OrderHistory'> {}
export interface GiftDelivery extends Schema<'GiftDelivery'> {}
export interface GiftInput extends Schema<'GiftInput'> {}
export type DeliveryInput = Schema<'DeliveryInput'>;
export interface OrderInput extends Schema<'OrderInput'> {}
/** An order without the parts that a call has to ask for; `With<Order, 'history'>` has one, and its gifts. */
export interface Order extends Omit<Schema<'Order'>, 'gifts' | 'history'> {
  /** In submission order: the Nth gift returned is the Nth gift sent. */
  gifts: Gift[];
}
export type RedirectInput = Schema<'RedirectInput'>;
export type ScheduleInput = Schema<'ScheduleInput'>;
export interface SandboxResetResult extends Schema<'SandboxResetResult'> {}
export interface DeliveryOutcome extends Schema<'DeliveryOutcome'> {}
export interface EventPage extends Omit<Schema<'EventList'>, 'data'> {
  data: BestowEvent[];
}
export interface Health extends Schema<'Health'> {}
export interface LedgerProof extends Schema<'LedgerProof'> {}
export interface LedgerStatement extends Schema<'LedgerStatement'> {}
export interface WebhookEndpoint extends Schema<'WebhookEndpoint'> {}
export interface WebhookEndpointInput extends Schema<'WebhookEndpointInput'> {}
export interface WebhookEndpointChange extends Schema<'WebhookEndpointChange'> {}
export interface WebhookEndpointWithSecret extends Schema<'WebhookEndpointWithSecret'> {}
export interface DeletedWebhookEndpoint extends Schema<'DeletedWebhookEndpoint'> {}
export interface WebhookAttempt extends Schema<'WebhookAttempt'> {}
export interface WebhookDelivery extends Schema<'WebhookDelivery'> {}
export interface WebhookRotateInput extends Schema<'WebhookRotateInput'> {}
export interface WebhookEnableInput extends Schema<'WebhookEnableInput'> {}
export interface WebhookResendInput extends Schema<'WebhookResendInput'> {}
export interface WebhookResendResult extends Schema<'WebhookResendResult'> {}
