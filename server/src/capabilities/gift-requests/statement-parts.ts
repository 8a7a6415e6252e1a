import { raisesMember } from '../../core/organizations/statement-parts.ts';
import { includes } from '../../platform/authentication/role-sql.ts';

// Parts of statements about requests for gifts, which are decided and erased.

/** The order that an approval placed, also one that a crash kept from being noted. */
export const orderOf = (organization: string): string =>
  `(select o.order_id from orders o where o.organization_id = ${organization} and o.environment = r.environment
       and o.idempotency_key = r.order_key)`;

/** SQL: whether its order was placed or its batch started. */
export const isBought = (organization: string): string =>
  `(${orderOf(organization)} is not null or exists (
       select from batches b where b.organization_id = ${organization} and b.environment = r.environment
         and b.batch_id = r.batch_id and b.state <> 'draft'))`;

/** SQL: whether a rule of yearly gifts asked. Its requests have the rule’s key, and an agent’s have no member. */
export const isOfYearlyRule = `(r.member_id is not null and starts_with(r.order_key, 'rule_'))`;

/** Those who change what yearly rules send would decide what they asked for; and whom the asker just raised, as the asker. */
const mayApprove = (member: string) =>
  `${member}.deactivated_at is null and ${includes(member, 'approve')}
       and (rule.raised is null or lower(${member}.email) <> all (rule.raised))
       and (not ${isOfYearlyRule} or ${includes(member, 'order')} or not ${includes(member, 'settings')})`;

/**
 * SQL query: the rule that holds back an amount, the member’s own or else the organization’s. It has no row if none does.
 */
export const ruleOf = (
  organizationId: string,
  memberId: string,
  amountCents: string,
) => `select a.approvals, a.approver_ids from (
       select * from approval_rules a
       where a.organization_id = ${organizationId} and a.holder_id in (${organizationId}, ${memberId})
       order by a.holder_id = ${organizationId} limit 1
     ) a
     where ${amountCents} > a.above_cents`;

const raises = (event: string) => raisesMember(event, 'r.organization_id', 'r.created_at');

/**
 * SQL: addresses of members whom the person who asked added or raised since the day before, or whom those added or raised. They
 * could be the same person’s second mailbox.
 */
const raisedByAsker = `array(
       select lower(e.details ->> 'email') from audit_events e
       where ${raises('e')} and e.actor_member_id is not null and (e.actor_member_id = r.member_id or exists (
         select from audit_events f where ${raises('f')} and lower(f.details ->> 'email') = lower(e.actor_name)
       ))
     )`;

/**
 * SQL join: as `rule`, who decides the request `r`: as the rule said when it was asked for, and at least as many as the rule
 * of now says. Without one, any member who may approve decides alone.
 */
export const withRule = `left join lateral (
     select greatest(r.rule_approvals, now.approvals) as approvals,
       case when r.rule_approvals is null then now.approver_ids else r.rule_approver_ids end as approver_ids,
       case when coalesce(r.rule_approvals, now.approvals) is not null and r.state in ('open', 'approving')
         then ${raisedByAsker} end as raised
     from (select) one left join lateral (${ruleOf('r.organization_id', 'r.member_id', 'r.amount_cents')}) now on true
   ) rule on true`;

/** SQL query: who decides a request. If too few of those whom its rule names are left, all who may approve. */
export const deciders = `select m.member_id, m.email from members m
     where m.organization_id = r.organization_id and ${mayApprove('m')} and (rule.approvals is null or m.member_id = any (rule.approver_ids)
       or rule.approvals > (
         select count(*) from members n
         where n.organization_id = r.organization_id and n.member_id = any (rule.approver_ids) and ${mayApprove('n')}
       ))`;

/** SQL columns: how many approvals it needs, and the addresses of those who gave one and still may. */
export const approvalColumns = `coalesce(rule.approvals, 1) as approvals_needed, array(
       select d.email from gift_request_approvals p join (${deciders}) d using (member_id)
       where p.organization_id = r.organization_id and p.environment = r.environment and p.request_id = r.request_id
       order by p.approved_at
     ) as approved_by`;

/**
 * SQL: whether a member decides it. Another person decides than the one who asked, unless no rule holds it back and that
 * person may send gifts: asking and deciding never add up to sending.
 */
export const mayDecide = (memberId: string) =>
  `(exists (select from (${deciders}) d where d.member_id = ${memberId})
     and (r.member_id is distinct from ${memberId} or rule.approvals is null and exists (
       select from members a where a.organization_id = r.organization_id and a.member_id = ${memberId} and ${includes('a', 'order')}
     )))`;
