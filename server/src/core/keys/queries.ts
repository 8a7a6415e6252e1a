import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOfNone, statementOnEachShard } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { EventType } from '../../platform/events/event-types.ts';
import { expireKeys, insertKeys } from './statement-parts.ts';

const keyColumns = `key_id, environment, name, hint, created_by, created_at, last_used_at, revoked_at, expires_at,
  networks::text[] as networks`;

/** Not the token of an agent's grant. */
const isKey = 'grant_id is null';

/** Returns no row if any organization has the key; waits for a transaction that is inserting it. */
export const insertEarlierKey = statementOfNone<
  [hash: Buffer, organizationId: string, environment: Environment],
  { inserted: true }
>(
  'keys.insert_earlier',
  `insert into earlier_keys (hash, organization_id, environment) values ($1, $2, $3)
   on conflict (hash) do nothing
   returning true as inserted`,
);

export const countActiveKeys = statement<[organizationId: string, now: Date], { count: number }>(
  'keys.count_active',
  `select count(*)::integer as count from api_keys
   where organization_id = $1 and ${isKey} and revoked_at is null and (expires_at > $2) is not false`,
);

export const countSandboxKeys = statement<[organizationId: string], { count: number; has_sandbox: boolean }>(
  'keys.count_sandbox',
  `select count(*)::integer as count, exists (select from sandboxes where organization_id = $1) as has_sandbox
   from api_keys where organization_id = $1 and ${isKey} and environment = 'sandbox'`,
);

/** @param shownId expression */
const appendKeyEvent = (type: EventType, shownId: string, at: string) =>
  appendEvents(`select k.organization_id, k.environment, '${type}' as type, null::uuid as order_id, null::uuid as gift_id,
       jsonb_build_object('key_id', ${shownId}) as data, ${at} as created_at, 0 as position
     from key k`);

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
    expiresAt: Date | null,
    networks: string[] | null,
    firstKeyId: string | null,
    shownId: string,
  ],
  KeyRow
>(
  'keys.insert',
  `with key as (
     ${insertKeys(
       'expires_at, networks, first_key_id',
       `values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
       (select array_agg(network(n::inet)::cidr order by n) from unnest($10::text[]) n), $11)`,
     )}
     returning *
   ), ${appendKeyEvent('key.created', '$12::text', 'k.created_at')}
   select ${keyColumns} from key where organization_id = $1`,
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
  /** Null unless the key was revoked. */
  revoked_at: Date | null;
  /** From then on the key is refused; null if it does not expire. */
  expires_at: Date | null;
  /** The only networks that may use the key, such as `192.0.2.0/24`; null: all. */
  networks: string[] | null;
}

export const selectKeys = statement<[organizationId: string], KeyRow>(
  'keys.list',
  `select ${keyColumns} from api_keys where organization_id = $1 and ${isKey} order by key_id`,
);

export const selectKey = statement<[organizationId: string, keyId: string], KeyRow>(
  'keys.select',
  `select ${keyColumns} from api_keys where organization_id = $1 and key_id = $2 and ${isKey}`,
);

export const selectKeyOrganization = statementOnEachShard<[keyId: string], { organization_id: string }>(
  'keys.select_organization',
  'the operator gives only the key’s id',
  `select organization_id from api_keys where key_id = $1 and ${isKey}`,
);

/** Returns no row if the key was already revoked or does not exist. */
export const revokeKey = statement<[organizationId: string, keyId: string, revokedAt: Date, shownId: string], KeyRow>(
  'keys.revoke',
  `with key as (
     update api_keys set revoked_at = $3
     where organization_id = $1 and key_id = $2 and ${isKey} and revoked_at is null
     returning *
   ), ${appendKeyEvent('key.revoked', '$4::text', 'k.revoked_at')}
   select ${keyColumns} from key where organization_id = $1`,
);

/** Returns the active key, locked until the transaction ends, with the first of those that it replaced. */
export const lockActiveKey = statement<
  [organizationId: string, keyId: string, now: Date],
  KeyRow & { first_key_id: string }
>(
  'keys.lock_active',
  `select ${keyColumns}, coalesce(first_key_id, key_id) as first_key_id from api_keys
   where organization_id = $1 and key_id = $2 and ${isKey} and revoked_at is null and (expires_at > $3) is not false
   for no key update`,
);

/** Lets the key expire at this time, or earlier if it did before. */
export const expireKey = statement<[organizationId: string, keyId: string, expiresAt: Date], { expires_at: Date }>(
  'keys.expire',
  `${expireKeys('$3', 'k.organization_id = $1 and k.key_id = $2')}
   returning expires_at`,
);

/** Sets when keys were last used. Skips locked rows, because another process most likely records the same minute. */
export const updateLastUsed = statementOnEachShard<[organizationIds: string[], keyIds: string[], usedAt: Date[]]>(
  'keys.update_last_used',
  'keys of many organizations are used within seconds; each shard finds its own',
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
