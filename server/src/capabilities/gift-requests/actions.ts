import { because } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of requests for gifts. */
interface RequestActions {
  'gift_request.created': { amount_cents: number };
  'gift_request.approved_first': EndedRequest;
  'gift_request.approved': EndedRequest;
  'gift_request.declined': EndedRequest & { reason: string | null };
  'gift_request.withdrawn': { amount_cents: number; reason?: string };
  /** The address is masked. */
  'gift_request.moved': { method: 'email' | 'phone'; address: string };
}

/** A request that was decided. */
interface EndedRequest {
  amount_cents: number;
  /** The name of the grant that asked; absent if a member did. */
  agent?: string;
}

const requestText = ({ amount_cents, agent }: EndedRequest, money: (cents: number) => string): string =>
  agent === undefined
    ? `a request for a gift of ${money(amount_cents)}`
    : `the order of the agent “${agent}” of ${money(amount_cents)}`;

export const requestSentences: Sentences<RequestActions> = {
  'gift_request.created': ({ amount_cents }, money) => `Asked for a gift of ${money(amount_cents)}`,
  'gift_request.approved_first': (details, money) =>
    `Approved ${requestText(details, money)}, which waits for another approval`,
  'gift_request.approved': (details, money) => `Approved ${requestText(details, money)}`,
  'gift_request.declined': ({ reason, ...details }, money) =>
    `Declined ${requestText(details, money)}${because(reason)}`,
  'gift_request.withdrawn': ({ amount_cents, reason }, money) =>
    `Withdrew a request for a gift of ${money(amount_cents)}${because(reason ?? null)}`,
  'gift_request.moved': ({ address }) => `Changed the address of a request for a gift to ${address}`,
};

/** Those with a reason that a person wrote. */
export const requestWithReason: readonly (keyof RequestActions)[] = ['gift_request.declined'];

export const recordEvent: RecordEvent<RequestActions> = recordAction;
