import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import type { RecordState } from './domain-records.ts';
import type { Sender } from './sender.ts';

export interface SenderDomainRow extends Sender {
  organization_id: string;
  public_key: string;
  /** Empty before the first check. */
  records: RecordState[];
  checked_at: Date | null;
  verified_at: Date | null;
}

const columns =
  'organization_id, local_part, domain, selector, public_key, private_key, records, checked_at, verified_at';

export const selectDomain = statement<[organizationId: string], SenderDomainRow>(
  'sender_domains.select',
  `select ${columns} from sender_domains where organization_id = $1`,
);

/** Returns no row if the organization has a domain. */
export const insertDomain = statement<
  [
    organizationId: string,
    localPart: string,
    domain: string,
    selector: string,
    publicKey: string,
    privateKey: string,
    now: Date,
  ],
  { domain: string }
>(
  'sender_domains.insert',
  `insert into sender_domains (organization_id, local_part, domain, selector, public_key, private_key, records, created_at)
   values ($1, $2, $3, $4, $5, $6, '[]', $7)
   on conflict do nothing returning domain`,
);

/** Records a check. Returns no row if the domain was removed or replaced since it was read. */
export const recordCheck = statement<
  [organizationId: string, selector: string, records: string, now: Date, isVerified: boolean],
  { was_verified: boolean }
>(
  'sender_domains.record_check',
  `with before as (
     select verified_at from sender_domains where organization_id = $1 and selector = $2 for update
   )
   update sender_domains d
   set records = $3::jsonb, checked_at = $4, verified_at = case when $5 then coalesce(d.verified_at, $4) end
   from before where d.organization_id = $1 and d.selector = $2
   returning before.verified_at is not null as was_verified`,
);

export const deleteDomain = statement<[organizationId: string], { domain: string }>(
  'sender_domains.delete',
  'delete from sender_domains where organization_id = $1 returning domain',
);

export const selectDueDomains = statementOnEachShard<[checkedBefore: Date, limit: number], SenderDomainRow>(
  'sender_domains.list_due',
  'the daily check is about every organization',
  `select ${columns} from sender_domains where coalesce(checked_at, created_at) < $1 order by coalesce(checked_at, created_at) limit $2`,
);

/** Returns no row if another organization has the domain. */
export const claimDomain = statement<[domain: string, organizationId: string, now: Date], { domain: string }>(
  'sender_domains.claim',
  `insert into portal.sender_domains as d (domain, organization_id, claimed_at) values ($1, $2, $3)
   on conflict (domain) do update set claimed_at = $3 where d.organization_id = $2
   returning domain`,
);

export const selectClaim = statement<[domain: string], { organization_id: string; claimed_at: Date }>(
  'sender_domains.select_claim',
  'select organization_id, claimed_at from portal.sender_domains where domain = $1',
);

export const releaseDomain = statement<[domain: string, organizationId: string]>(
  'sender_domains.release',
  'delete from portal.sender_domains where domain = $1 and organization_id = $2',
);
