import type { Caller, KeyCaller } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Scope } from '../../platform/base/principal.ts';

/** A member in the portal. The statement checks again that they may order, and attributes the order to them. */
export interface MemberBuyer extends Caller {
  keyHash: null;
  member: Extract<Actor, { kind: 'member' }>;
  /** UUID of the member who asked for the order; undefined: `member` sends it. Limits are those of the sender. */
  senderId?: string | undefined;
  /** Of the approval: the statement looks for the request that has it. */
  claimId?: string;
  /** UUID of the batch whose order it is; it was approved as a whole if that was necessary. */
  batchId?: string;
}

/** An agent whose order an admin approved. The order is the grant's, and names the admin. */
export interface ApprovedBuyer extends KeyCaller {
  isAgent: true;
  member: MemberBuyer['member'];
  /** Of the approval: the statement looks for the request that has it. */
  claimId: string;
}

/** Who places an order: a program with its API key, or a member, or both. */
export type Buyer = KeyCaller | MemberBuyer | ApprovedBuyer;

export const memberBuyer = (
  { organizationId, environment }: Scope,
  member: MemberBuyer['member'],
  more: Pick<MemberBuyer, 'senderId' | 'claimId' | 'batchId'> = {},
): MemberBuyer => ({ organizationId, environment, keyHash: null, member, ...more });

/** What the statement needs to know of a member, and to write to the audit log. */
export interface PlacedBy {
  member_id: string;
  event_id: string;
  name: string;
  address: string;
  /** `ord_…` */
  target: string;
  /** UUID; absent of an agent's order. */
  sender_id?: string;
  /** Of an order that the member approved. */
  claim_id?: string | undefined;
  batch_id?: string | undefined;
}
