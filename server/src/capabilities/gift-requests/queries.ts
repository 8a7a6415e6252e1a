import {
  claimRequests,
  endRequests,
  insertRequests,
  moveRequests,
  reopenRequests,
} from '../../core/approvals/statement-parts.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { factsOfEnded } from '../../platform/events/gift-facts.ts';
import { inBothDirections, type OwnedRange } from '../../platform/paging/read-page.ts';
import type { Occasion } from '../yearly-gifts/schema.ts';
import type { RequestState } from './schema.ts';
import { approvalColumns, isBought, isOfYearlyRule, mayDecide, orderOf, ruleOf, withRule } from './statement-parts.ts';

type Owner = [organizationId: string, environment: Environment];
export type OneRequest = [...Owner, requestId: string];

export interface RequestRow {
  request_id: string;
  state: RequestState | 'approving';
  amount_cents: number;
  /** Null of an order and of a batch. */
  category_id: string | null;
  batch_id: string | null;
  gift: GiftInputBody | OrderInputBody | null;
  /** Of the member who asked; null with the next if an agent did. */
  member_id: string | null;
  member_email: string | null;
  agent_name: string | null;
  decider_email: string | null;
  decided_at: Date | null;
  reason: string | null;
  order_id: string | null;
  created_at: Date;
  approvals_needed: number;
  /** Addresses. */
  approved_by: string[];
  /** Whether the viewer may decide it, as far as rules go. */
  may_decide: boolean;
  /** The rule of yearly gifts that asks. */
  yearly_rule: { name: string; occasion: Occasion } | null;
  /** Why the person is not the one of its yearly rule any more. */
  doubt: 'removed' | 'changed' | 'not_meant' | 'paused' | null;
}

const emailOf = (member: string) =>
  `(select m.email from members m where m.organization_id = $1 and m.member_id = ${member})`;

const columns = `r.request_id, r.state, r.amount_cents, r.category_id, r.gift, r.member_id,
     ${emailOf('r.member_id')} as member_email,
     (select a.name from agent_grants a where a.organization_id = $1 and a.grant_id = r.grant_id) as agent_name,
     ${emailOf('r.decided_by')} as decider_email, r.decided_at, r.reason,
     r.order_id, r.batch_id, r.created_at, ${approvalColumns}, ${mayDecide('$4')} as may_decide,
     case when ${isOfYearlyRule} then (
       select jsonb_build_object('name', y.name, 'occasion', y.occasion)
       from yearly_gifts g join yearly_rules y using (organization_id, environment, rule_id)
       where g.organization_id = $1 and g.environment = r.environment and g.request_id = r.request_id limit 1
     ) end as yearly_rule,
     (select g.reason from yearly_gifts g
      where g.organization_id = $1 and g.environment = r.environment and g.request_id = r.request_id
        and r.state in ('open', 'approving') limit 1) as doubt`;

/** Condition: no approval is under way that may still place the order. `before`: an id of a time. */
const isSettled = (before: string, organization: string) =>
  `(r.state = 'open' or r.state = 'approving' and r.claim_id < ${before} and not ${isBought(organization)})`;

/** Returns no row if the form has made a request, or if too many of the member are open. */
export const insertRequest = statement<
  [
    ...OneRequest,
    formId: string,
    orderKey: string,
    memberId: string,
    amountCents: number,
    categoryId: string | null,
    gift: string | null,
    address: string | null,
    createdAt: Date,
    mostOpen: number,
    batchId: string | null,
    acceptsDuplicates: boolean | null,
  ],
  { request_id: string }
>(
  'gift_requests.insert',
  `${insertRequests({
    columns: 'form_id, member_id, category_id, address, batch_id, accepts_duplicates',
    source: `select $1::uuid, $2::environment, $3::uuid, $5, $7::integer, $9::jsonb, $11::timestamptz, rule.approvals,
       rule.approver_ids, 'open', $4::uuid, $6::uuid, $8, $10, $13::uuid, $14::boolean
     from (select) one left join lateral (${ruleOf('$1', '$6', '$7::integer')}) rule on true
     where (
       select count(*) from gift_requests where organization_id = $1 and environment = $2 and member_id = $6
         and state in ('open', 'approving')
     ) < $12::integer`,
  })}
   on conflict (organization_id, environment, form_id) do nothing
   returning request_id`,
);

export const selectRequestOfForm = statement<[...Owner, formId: string, memberId: string], { request_id: string }>(
  'gift_requests.select_of_form',
  `select request_id from gift_requests
   where organization_id = $1 and environment = $2 and form_id = $3 and member_id = $4`,
);

/** The batch’s request that waits; its lock keeps two from being made. */
export const selectOpenOfBatch = statement<[...Owner, batchId: string], { request_id: string; member_id: string }>(
  'gift_requests.select_open_of_batch',
  `select request_id, member_id from gift_requests
   where organization_id = $1 and environment = $2 and batch_id = $3 and state in ('open', 'approving')`,
);

/** `viewerId`: the member who looks. `seesAll`: also what others asked for. */
export const selectRequest = statement<[...OneRequest, viewerId: string, seesAll: boolean], RequestRow>(
  'gift_requests.select',
  `select ${columns} from gift_requests r ${withRule}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3 and ($5 or r.member_id = $4)`,
);

export const listRequests = inBothDirections('gift_requests.list', (name, order) =>
  statement<[...OwnedRange, limit: number, viewerId: string, state: RequestState | null, seesAll: boolean], RequestRow>(
    name,
    `select ${columns.replaceAll('$4', '$6')} from gift_requests r ${withRule}
     where r.organization_id = $1 and r.environment = $2 and r.request_id > $3 and r.request_id < $4
       and ($8 or r.member_id = $6)
       and ($7::text is null or r.state = $7 or $7 = 'open' and r.state = 'approving')
     order by r.request_id ${order} limit $5`,
  ),
);

export const countOpenRequests = statement<[...Owner, most: number], { count: number }>(
  'gift_requests.count_open',
  `select count(*)::integer as count from (
     select from gift_requests
     where organization_id = $1 and environment = $2 and state in ('open', 'approving') limit $3
   ) as open`,
);

export interface ClaimedRow {
  /** Null of a batch. */
  gift: GiftInputBody | OrderInputBody | null;
  batch_id: string | null;
  /** Of a batch: what the member answered. Null of what was asked for before that was kept. */
  accepts_duplicates: boolean | null;
  amount_cents: number;
  /** Null of an agent's order, with the next. */
  member_id: string | null;
  member_email: string | null;
  /** The idempotency key of its order. */
  order_key: string;
  order_id: string | null;
  /** Hash of the newest token of the grant that asked; null if a member did. */
  token_hash: Buffer | null;
  /** Whether that grant has expired. */
  has_expired: boolean;
}

/**
 * Claims a request for one approval, in a commit before its order. Takes over a claim whose order was placed, or which is too
 * old to place one. The admin who placed the order stays the one who decided.
 */
export const claimRequest = statement<
  [...OneRequest, claimId: string, memberId: string, before: string, now: Date],
  ClaimedRow
>(
  'gift_requests.claim',
  `${claimRequests({
    claimId: `case when r.claim_id is null or not ${isBought('$1')} then $4 else r.claim_id end`,
    decidedBy: `case when r.claim_id is null or not ${isBought('$1')} then $5 else r.decided_by end`,
  })}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3
     and (r.state = 'open' or r.state = 'approving' and (r.claim_id < $6 or ${isBought('$1')}))
   returning r.gift, r.batch_id, r.accepts_duplicates, r.amount_cents, r.member_id, ${emailOf('r.member_id')} as member_email, r.order_key,
     ${orderOf('$1')} as order_id, (
     select k.hash from api_keys k where k.organization_id = $1 and k.first_key_id = r.grant_id and k.grant_id = r.grant_id
     order by k.key_id desc limit 1
   ) as token_hash, exists (
     select from agent_grants a where a.organization_id = $1 and a.grant_id = r.grant_id and a.expires_at <= $7
   ) as has_expired`,
);

/** Opens a request again whose order was refused. */
export const reopenRequest = statement<[...OneRequest, claimId: string]>(
  'gift_requests.reopen',
  `${reopenRequests}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3 and r.state = 'approving'
     and r.claim_id = $4 and not ${isBought('$1')}`,
);

interface EndedRow {
  amount_cents: number;
  /** Of the member who asked, while they are active. */
  requester: string | null;
  agent_name: string | null;
}

const ended = `r.amount_cents, (select m.email from members m where m.organization_id = $1 and m.member_id = r.member_id
     and m.deactivated_at is null) as requester,
     (select a.name from agent_grants a where a.organization_id = $1 and a.grant_id = r.grant_id) as agent_name`;

/** Returns no row if another approval noted the order. `orderId`: null of a batch. */
export const noteOrder = statement<[...OneRequest, orderId: string | null, now: Date], EndedRow>(
  'gift_requests.note_order',
  `${endRequests({ state: "'approved'", at: '$5', orderId: '$4' })}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3 and r.state = 'approving'
   returning ${ended}`,
);

/** Returns no row if it is decided, or if an approval may be under way. */
export const endRequest = statement<
  [
    ...OneRequest,
    state: 'declined' | 'withdrawn',
    decidedBy: string,
    now: Date,
    reason: string | null,
    before: string,
    ownOf: string | null,
  ],
  EndedRow
>(
  'gift_requests.end',
  `${endRequests({ state: '$4', at: '$6', decidedBy: '$5', reason: '$7' })}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3 and ${isSettled('$8', '$1')}
     and ($9::uuid is null or r.member_id = $9)
   returning ${ended}`,
);

/**
 * Withdraws requests; of one whose order was placed, which a crash kept from being noted, notes the order. Returns no row of one
 * that is decided, or that may be under way.
 */
export const withdrawRequests = statement<
  [...Owner, requestIds: readonly string[], memberId: string | null, now: Date, reason: string, before: string],
  {
    request_id: string;
    state: 'approved' | 'withdrawn';
    amount_cents: number;
    /** The address of the member who asked; null if an agent did. */
    requester: string | null;
    organization_name: string;
  }
>(
  'gift_requests.withdraw_all',
  `${endRequests({
    state: `case when ${isBought('$1')} then 'approved' else 'withdrawn' end`,
    at: '$5',
    orderId: orderOf('$1'),
    decidedBy: `case when ${isBought('$1')} then r.decided_by else $4 end`,
    reason: `case when ${isBought('$1')} then null else $6 end`,
  })}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = any ($3::uuid[])
     and (r.state = 'open' or r.state = 'approving' and (r.claim_id < $7 or ${isBought('$1')}))
   returning r.request_id, r.state, r.amount_cents, ${emailOf('r.member_id')} as requester,
     (select name from organizations where organization_id = $1) as organization_name`,
);

/** Returns no row of a request that is decided, or of an order. @param delivery JSON */
export const moveRequest = statement<[...OneRequest, delivery: string, address: string], { request_id: string }>(
  'gift_requests.move',
  `${moveRequests({ delivery: '$4::jsonb', address: '$5' })}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3 and r.state = 'open' and r.gift ? 'delivery'
     and r.address is distinct from $5
   returning r.request_id`,
);

/** Ends what is not decided for long. An order that a crash kept from being noted is noted. */
export const expireRequests = statementOnEachShard<[createdBefore: Date, claimedBefore: string, now: Date]>(
  'gift_requests.expire',
  'old requests of every organization expire',
  `with ended as (
     ${endRequests({
       state: `case when ${isBought('r.organization_id')} then 'approved' else 'expired' end`,
       at: '$3',
       orderId: orderOf('r.organization_id'),
     })}
     where r.state in ('open', 'approving') and r.created_at < $1 and (r.state = 'open' or r.claim_id < $2)
     returning r.organization_id, r.environment, r.request_id, r.grant_id, r.state, r.order_id, r.decided_at
   ), ${appendEvents(factsOfEnded('ended'), ['ended'])}
   select from ended`,
);
