import type { components } from './schema.d.ts';

type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
// Interfaces, because declarations and editors show their names and keep the comments of their fields.
export interface CancelInput extends Schema<'CancelInput'> {}
export interface Balance extends Schema<'BalanceSummary'> {}
export interface BalanceEntry extends Schema<'BalanceEntry'> {}
export interface LedgerCheckpoint extends Schema<'LedgerCheckpoint'> {}
export interface Category extends Schema<'Category'> {}
export interface Gift extends Schema<'Gift'> {}
export interface GiftDelivery extends Schema<'GiftDelivery'> {}
export interface GiftInput extends Schema<'GiftInput'> {}
export type DeliveryInput = Schema<'DeliveryInput'>;
export interface OrderInput extends Schema<'OrderInput'> {}
export interface Order extends Schema<'Order'> {}
export type RedirectInput = Schema<'RedirectInput'>;
export type ScheduleInput = Schema<'ScheduleInput'>;
export interface SandboxResetResult extends Schema<'SandboxResetResult'> {}
export type DeliveryOutcome = Partial<Schema<'DeliveryOutcome'>>;
export interface BestowEvent extends Schema<'Event'> {}
export interface EventPage extends Schema<'EventList'> {}
export interface LedgerProof extends Schema<'LedgerProof'> {}
export interface LedgerStatement extends Schema<'LedgerStatement'> {}
