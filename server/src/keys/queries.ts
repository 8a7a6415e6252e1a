import type { KeyRecord } from '../authentication/authenticate.ts';
import type { Environment } from '../base/environment.ts';
import { batchedStatement } from '../database/batched-statement.ts';
import { statement } from '../database/statement.ts';

/** Loads everything about a request's key in one round trip. Global by nature: the key determines the organization. */
export const selectKeyByHash = batchedStatement<[hash: Buffer], KeyRecord>({
  name: 'keys.select_by_hash',
  types: ['bytea'],
  text: ([hash]) => `select k.organization_id, o.name as organization_name, k.environment, k.key_id,
     k.revoked_at is not null as revoked, o.suspended_at is not null as suspended,
     s.organization_id is not null as sandbox_exists
   from api_keys k
   join organizations o on o.organization_id = k.organization_id
   left join sandboxes s on s.organization_id = k.organization_id
   where k.hash = ${hash}
   limit 1`,
});

/** Serializes imports of the same key, because no unique constraint spans organizations. */
export const lockHash = statement<[lockClass: number, hashNumber: number]>(
  'keys.lock_hash',
  'select pg_advisory_xact_lock($1, $2)',
);

export const countActiveKeys = statement<[organizationId: string], { count: number }>(
  'keys.count_active',
  'select count(*)::integer as count from api_keys where organization_id = $1 and revoked_at is null',
);

export const countSandboxKeys = statement<[organizationId: string], { count: number }>(
  'keys.count_sandbox',
  `select count(*)::integer as count from api_keys where organization_id = $1 and environment = 'sandbox'`,
);

export const insertKey = statement<
  [
    organizationId: string,
    keyId: string,
    environment: Environment,
    name: string,
    hash: Buffer,
    hint: string,
    createdBy: string,
    createdAt: Date,
  ]
>(
  'keys.insert',
  `insert into api_keys (organization_id, key_id, environment, name, hash, hint, created_by, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export interface KeyRow {
  key_id: string;
  environment: Environment;
  name: string;
  hint: string;
  /** For display; null for keys from before this was recorded. */
  created_by: string | null;
  created_at: Date;
  /** To the minute; null if never used. */
  last_used_at: Date | null;
  /** Null while the key is active. */
  revoked_at: Date | null;
}

const keyColumns = 'key_id, environment, name, hint, created_by, created_at, last_used_at, revoked_at';

export const selectKeys = statement<[organizationId: string], KeyRow>(
  'keys.list',
  `select ${keyColumns} from api_keys where organization_id = $1 order by key_id`,
);

export const selectKey = statement<[organizationId: string, keyId: string], KeyRow>(
  'keys.select',
  `select ${keyColumns} from api_keys where organization_id = $1 and key_id = $2`,
);

/** Global by nature: the operator gives only the key's id. */
export const selectKeyOrganization = statement<[keyId: string], { organization_id: string }>(
  'keys.select_organization',
  'select organization_id from api_keys where key_id = $1',
);

/** Returns no row if the key was already revoked or does not exist. */
export const revokeKey = statement<[organizationId: string, keyId: string, revokedAt: Date], KeyRow>(
  'keys.revoke',
  `update api_keys set revoked_at = $3
   where organization_id = $1 and key_id = $2 and revoked_at is null
   returning ${keyColumns}`,
);

/** Sets when keys were last used. Skips locked rows, because another process most likely records the same minute. */
export const updateLastUsed = statement<[organizationIds: string[], keyIds: string[], usedAt: Date[]]>(
  'keys.update_last_used',
  `with used as (
     select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (organization_id, key_id, used_at)
   ), free as (
     select k.organization_id, k.key_id, u.used_at
     from api_keys k
     join used u on u.organization_id = k.organization_id and u.key_id = k.key_id
     where k.last_used_at is null or k.last_used_at < u.used_at
     for no key update of k skip locked
   )
   update api_keys k set last_used_at = f.used_at
   from free f
   where k.organization_id = f.organization_id and k.key_id = f.key_id`,
);
