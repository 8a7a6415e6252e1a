import type { Caller, KeyCaller } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Scope } from '../../platform/base/principal.ts';

/** An admin in the portal. The statement checks again that they are one, and attributes the order to them. */
export interface MemberBuyer extends Caller {
  keyHash: null;
  member: Extract<Actor, { kind: 'member' }>;
}

/** An agent whose order an admin approved. The order is the grant's, and names the admin. */
export interface ApprovedBuyer extends KeyCaller {
  isAgent: true;
  member: MemberBuyer['member'];
  /** Of the approval: the statement looks for the request that has it. */
  claimId: string;
}

/** Who places an order: a program with its API key, or an admin, or both. */
export type Buyer = KeyCaller | MemberBuyer | ApprovedBuyer;

export const memberBuyer = ({ organizationId, environment }: Scope, member: MemberBuyer['member']): MemberBuyer => ({
  organizationId,
  environment,
  keyHash: null,
  member,
});

/** What the statement needs to know of a member, and to write to the audit log. */
export interface PlacedBy {
  member_id: string;
  event_id: string;
  name: string;
  address: string;
  /** `ord_…` */
  target: string;
  /** Of an agent's order that the member approved. */
  claim_id?: string;
}
