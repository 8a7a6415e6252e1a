import type { OperationName, Outcome, RecordedCall } from '../record/recorder.ts';

/** A successful call. */
export type OkCall = RecordedCall & { outcome: Extract<Outcome, { kind: 'ok' }> };

export const isOk = (call: RecordedCall): call is OkCall => call.outcome.kind === 'ok';

export const isOf = (call: RecordedCall, ...operations: OperationName[]) => operations.includes(call.operation);

export interface AnsweredGift {
  gift_id: string;
  amount: number;
  category: string;
  delivery: {
    method: 'email' | 'phone' | 'link';
    status: 'sent' | 'failed' | 'opened' | 'claimed';
    email?: string;
    phone?: string;
    link?: string;
  };
  personalization: { sender_name: string; recipient_name?: string };
}

export interface AnsweredOrder {
  order_id: string;
  status: 'processing' | 'processed';
  gifts: AnsweredGift[];
}

/** Resets that succeeded or may have. */
export const resetsOf = (calls: readonly RecordedCall[]) =>
  calls.filter((call) => isOf(call, 'reset') && call.outcome.kind !== 'failed');

export const ownerOf = ({ organizationId, environment }: Pick<RecordedCall, 'organizationId' | 'environment'>) =>
  `${organizationId} ${environment}`;

/** The latest moment at which a call can have taken effect. */
export const lastMomentMs = ({ outcome, endedAtMs }: RecordedCall) =>
  outcome.kind === 'unknown' ? endedAtMs + UNKNOWN_LASTS_MS : endedAtMs;

const UNKNOWN_LASTS_MS = 30_000;

/** Whether a reset of the same sandbox may have deleted what this call made. */
export const mayBeDeleted = (call: RecordedCall, resets: readonly RecordedCall[]) =>
  resets.some((reset) => ownerOf(reset) === ownerOf(call) && lastMomentMs(reset) >= call.startedAtMs);

/** Lists the orders that answers acknowledged. */
export function acknowledgedOrders(calls: readonly RecordedCall[]): { call: OkCall; order: AnsweredOrder }[] {
  return calls.flatMap((call) =>
    isOk(call) && isOf(call, 'placeOrder', 'replay') ? [{ call, order: call.outcome.answer as AnsweredOrder }] : [],
  );
}

/** Lists the gifts of an answer. */
export function answeredGifts(call: OkCall): AnsweredGift[] {
  const answer = call.outcome.answer;
  if (isOf(call, 'placeOrder', 'replay', 'retrieveOrder')) return (answer as AnsweredOrder).gifts;
  if (isOf(call, 'retrieveGift', 'redirect', 'deliver', 'open', 'claim', 'spend')) return [answer as AnsweredGift];
  if (isOf(call, 'listOrders')) return (answer as { data: AnsweredOrder[] }).data.flatMap(({ gifts }) => gifts);
  return isOf(call, 'listGifts') ? (answer as { data: AnsweredGift[] }).data : [];
}
