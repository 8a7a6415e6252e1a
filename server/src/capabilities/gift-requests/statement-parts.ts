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

/** What a decided request holds no more. */
export const forgotten = 'gift = null, address = null, claim_id = null';

const mayApprove = (member: string) => `${member}.deactivated_at is null and ${includes(member, 'approve')}`;

/**
 * SQL join: as `rule`, that of the member who asked with the request `r`, else that of the organization, if the amount is
 * above it. Without one, any member who may approve decides alone.
 */
export const withRule = `left join lateral (
     select a.approvals, a.approver_ids from (
       select * from approval_rules a
       where a.organization_id = r.organization_id and a.holder_id in (r.organization_id, r.member_id)
       order by a.holder_id = r.organization_id limit 1
     ) a
     where r.amount_cents > a.above_cents
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

/** SQL: whether a member decides it; what a rule holds back, another person decides than the one who asked. */
export const mayDecide = (memberId: string) =>
  `(exists (select from (${deciders}) d where d.member_id = ${memberId})
     and (rule.approvals is null or r.member_id is distinct from ${memberId}))`;
