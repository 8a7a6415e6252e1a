import type { Permission } from '../../platform/authentication/permissions.ts';
import { includes } from '../../platform/authentication/role-sql.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import type { Period } from '../caps/queries.ts';
import { expireKeys, insertKeys, renewKeys } from '../keys/statement-parts.ts';

export interface GrantRow {
  grant_id: string;
  environment: Environment;
  name: string;
  /** For display. */
  created_by: string;
  created_at: Date;
  permissions: Permission[];
  reaches_all: boolean;
  recipient_domains: string[] | null;
  members_only: boolean;
  categories: string[] | null;
  ask_above: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** False once the member who made it is no longer active, or has a role that does not include changing agents. */
  has_member: boolean;
  /** What an assistant calls itself that a member signed in; null of an agent whose token was copied. */
  client_name: string | null;
  /** Of the newest token; null before the first. */
  hint: string | null;
  /** Of the tokens, newest first; the log of requests and orders name them. */
  key_ids: string[];
  /** To the minute; null if no token was ever used. */
  last_used_at: Date | null;
  /** In the order of periods. */
  limits: { period: Period; cap_cents: number; spent_cents: number }[];
}

/** Whether the member who made it is active, and their role includes changing agents. */
const isOfItsMember = `exists (
       select from members m where m.organization_id = $1 and m.member_id = a.member_id and m.deactivated_at is null
         and ${includes('m', 'integrate')}
     )`;

/** @param windows the start of the hour and of the day */
export const selectGrants = statement<[organizationId: string, hourStartedAt: Date, dayStartedAt: Date], GrantRow>(
  'agent_grants.list',
  `select a.grant_id, a.environment, a.name, a.created_by, a.created_at, a.permissions, a.reaches_all,
     a.recipient_domains, a.members_only, a.categories, a.ask_above_cents as ask_above, a.expires_at, a.revoked_at,
     a.client_name,
     a.member_id is null or ${isOfItsMember} as has_member, t.hint, coalesce(t.key_ids, '{}') as key_ids, t.last_used_at, (
       select coalesce(json_agg(json_build_object('period', c.period, 'cap_cents', c.cap_cents,
         'spent_cents', coalesce(s.spent_cents, 0)) order by c.period), '[]')
       from spending_caps c
       left join spending s on s.organization_id = $1 and s.environment = c.environment and s.holder = c.holder_id::text
         and s.period = c.period
         and s.window_started_at >= case c.period when 'hour' then $2::timestamptz when 'day' then $3 else 'infinity' end
       where c.organization_id = $1 and c.environment = a.environment and c.holder_id = a.grant_id
     ) as limits
   from agent_grants a
   cross join lateral (
     select (array_agg(k.hint order by k.key_id desc))[1] as hint, array_agg(k.key_id order by k.key_id desc) as key_ids,
       max(k.last_used_at) as last_used_at
     from api_keys k where k.organization_id = $1 and k.first_key_id = a.grant_id and k.grant_id = a.grant_id
   ) t
   where a.organization_id = $1
   order by a.grant_id desc`,
);

export const countActiveGrants = statement<[organizationId: string, now: Date], { count: number }>(
  'agent_grants.count_active',
  `select count(*)::integer as count from agent_grants a
   where organization_id = $1 and revoked_at is null and (expires_at > $2) is not false
     and (member_id is null or ${isOfItsMember})`,
);

export const insertGrant = statement<
  [
    organizationId: string,
    grantId: string,
    environment: Environment,
    name: string,
    memberId: string | null,
    createdBy: string,
    createdAt: Date,
    permissions: readonly Permission[],
    reachesAll: boolean,
    recipientDomains: readonly string[] | null,
    membersOnly: boolean,
    categories: readonly string[] | null,
    expiresAt: Date | null,
    clientId: string | null,
    clientName: string | null,
    askAboveCents: number | null,
  ]
>(
  'agent_grants.insert',
  `insert into agent_grants (organization_id, grant_id, environment, name, member_id, created_by, created_at, permissions,
     reaches_all, recipient_domains, members_only, categories, expires_at, client_id, client_name,
     ask_above_cents)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);

/** The tokens of the grant `$2`. */
const ofGrant = 'k.organization_id = $1 and k.first_key_id = $2 and k.grant_id = $2';

/** Inserts a token. Its caps are those of the grant, as a key's are those of the first key that it replaced. */
export const insertToken = statement<
  [
    organizationId: string,
    keyId: string,
    grantId: string,
    hash: Buffer,
    hint: string,
    createdBy: string,
    now: Date,
    expiresAt: Date | null,
  ]
>(
  'agent_grants.insert_token',
  insertKeys(
    'first_key_id, grant_id, expires_at',
    `select $1, $2, environment, name, $4, $5, $6, $7, grant_id, grant_id, $8::timestamptz
   from agent_grants where organization_id = $1 and grant_id = $3`,
  ),
);

/** Lets the earlier tokens expire at this time, or earlier if they did before. */
export const expireTokens = statement<[organizationId: string, grantId: string, expiresAt: Date]>(
  'agent_grants.expire_tokens',
  expireKeys('$3', ofGrant),
);

type LockedGrant = Pick<GrantRow, 'grant_id' | 'environment' | 'name' | 'client_name' | 'ask_above'>;

/** Returns an active grant, locked until the transaction ends. */
export const lockActiveGrant = statement<[organizationId: string, grantId: string, now: Date], LockedGrant>(
  'agent_grants.lock_active',
  `select grant_id, environment, name, client_name, ask_above_cents as ask_above from agent_grants
   where organization_id = $1 and grant_id = $2 and revoked_at is null and (expires_at > $3) is not false
   for no key update`,
);

export const setAskAbove = statement<[organizationId: string, grantId: string, askAboveCents: number | null]>(
  'agent_grants.set_ask_above',
  'update agent_grants set ask_above_cents = $3 where organization_id = $1 and grant_id = $2',
);

/** Returns no row if the grant was already revoked or does not exist. */
export const revokeGrant = statement<
  [organizationId: string, grantId: string, revokedAt: Date],
  Omit<LockedGrant, 'ask_above'>
>(
  'agent_grants.revoke',
  `update agent_grants set revoked_at = $3 where organization_id = $1 and grant_id = $2 and revoked_at is null
   returning grant_id, environment, name, client_name`,
);

/** Replaces the token of an assistant, which has one at a time. Returns no row if it has none yet. */
export const renewToken = statement<
  [organizationId: string, grantId: string, hash: Buffer, hint: string, expiresAt: Date],
  { key_id: string }
>(
  'agent_grants.renew_token',
  `${renewKeys({ hash: '$3', hint: '$4', expiresAt: '$5' }, ofGrant)}
   returning key_id`,
);

/** Ends a token of an assistant before its time. */
export const endToken = statement<[organizationId: string, hash: Buffer, clientId: string, now: Date]>(
  'agent_grants.end_token',
  expireKeys(
    '$4',
    `k.organization_id = $1 and k.hash = $2 and k.grant_id in (
     select a.grant_id from agent_grants a where a.organization_id = $1 and a.client_id = $3
   )`,
  ),
);

/** Returns the grant of an assistant while it is active. */
export const selectActiveConnection = statement<
  [organizationId: string, grantId: string, now: Date],
  { environment: Environment; permissions: Permission[]; created_by: string }
>(
  'agent_grants.select_connection',
  `select a.environment, a.permissions, a.created_by from agent_grants a
   where a.organization_id = $1 and a.grant_id = $2 and a.client_id is not null and a.revoked_at is null
     and (a.expires_at > $3) is not false and (a.member_id is null or ${isOfItsMember})`,
);

export const selectGrantOrganization = statementOnEachShard<[grantId: string], { organization_id: string }>(
  'agent_grants.select_organization',
  'the operator gives only the grant’s id',
  'select organization_id from agent_grants where grant_id = $1',
);
