import { BestowError, type ErrorCode } from '../base/errors.ts';
import type { Scope } from '../base/principal.ts';
import { type GrantRefusal, grantRefusals, isEnded, lacking } from './grant-rules.ts';
import type { Need, Permission } from './permissions.ts';

/** On whose behalf an act runs. */
export interface Caller extends Scope {
  /** SHA-256 of the API key, which the act's statement checks; null if a member, a recipient or a job was admitted before. */
  keyHash: Buffer | null;
  /** The client's address as PostgreSQL reads it, for keys that only some networks may use. */
  address?: string | undefined;
  /** When the request arrived, for keys that expire. */
  atMs?: number;
  /** Whether the key is the token of an agent's grant. */
  isAgent?: boolean;
  /** What the first statement found; undefined before it, and if there is no such key. */
  found?: CallerRow;
}

/** A caller with an API key. */
export type KeyCaller = Caller & { keyHash: Buffer };

/** The state of a caller, in the order in which the contract reports it (docs/decisions.md#order-of-checks). */
type CallerState =
  | 'invalid'
  | 'revoked'
  | 'expired'
  | 'other_environment'
  | 'suspended'
  | 'sandbox_missing'
  | GrantRefusal
  | 'sandbox_locked'
  | 'admitted';

/** The caller's columns of a statement; each of its rows repeats them. */
export interface CallerRow {
  caller_state: CallerState;
  key_id: string | null;
  organization_name: string;
  /** The permissions of an agent's grant; null for an API key. */
  permissions: Permission[] | null;
  /** False of an agent that sees and changes only what it ordered. */
  reaches_all: boolean;
}

export const callerColumns =
  'caller.caller_state, caller.key_id, caller.organization_name, caller.permissions, caller.reaches_all';

/** SQL expressions of what a request presents. */
interface KeyExpression {
  hash: string;
  address: string;
  at: string;
}

/** What `parametersOf` made, by the SQL expression of its parameter. */
export const presentedKey = (parameter = ''): KeyExpression => ({
  hash: `decode(${parameter}::jsonb->>'hash', 'hex')`,
  address: `(${parameter}::jsonb->>'address')::inet`,
  at: `to_timestamp((${parameter}::jsonb->>'at')::double precision / 1000)`,
});

interface CallerExpression {
  organizationId?: string | undefined;
  environment?: string | undefined;
  key?: KeyExpression | undefined;
  /** What the grant of an agent must have. Without it, the statement refuses every agent. */
  needs?: Need | undefined;
  /** More states, as `when … then …`. */
  states?: string;
  /** More columns; the organization is `o`, the grant `a`. */
  columns?: string;
}

/**
 * SQL query: the caller's row, or none if the organization does not exist. Everything that the statement writes must depend
 * on `caller_state = 'admitted'`, and what it shows or changes of gifts and orders on `isInReach`. A key in a foreign
 * network is answered like an unknown key, an expired one like a revoked one.
 */
export const selectCaller = ({
  organizationId = '$1',
  environment = '$2',
  key = presentedKey('$3'),
  needs,
  states = '',
  columns = '',
}: CallerExpression = {}) =>
  `select k.key_id, o.name as organization_name, a.permissions, coalesce(a.reaches_all, true) as reaches_all,
     case when not a.reaches_all then a.grant_id end as own_grant_id,${columns}
     case
       when ${key.hash} is not null and k.key_id is null then 'invalid'
       when k.networks is not null and (${key.address} <<= any (k.networks)) is not true then 'invalid'
       when k.revoked_at is not null or ${isEnded(organizationId)} then 'revoked'
       when least(k.expires_at, a.expires_at) <= ${key.at} then 'expired'
       when k.environment <> ${environment} then 'other_environment'
       when k.key_id is not null and o.suspended_at is not null then 'suspended'
       when k.key_id is not null and ${environment} = 'sandbox'
         and not exists (select from sandboxes s where s.organization_id = ${organizationId}) then 'sandbox_missing'
       ${lacking(needs)}
       ${states}
       else 'admitted'
     end as caller_state
   from organizations o
   left join api_keys k on k.organization_id = ${organizationId} and k.hash = ${key.hash}
   left join agent_grants a on a.organization_id = ${organizationId} and a.grant_id = k.grant_id
   where o.organization_id = ${organizationId}
   limit 1`;

/**
 * SQL condition on an organization `o` and its key `k`: the key admits its caller. The same states as of `selectCaller` in one
 * condition, which tells no reason and refuses every agent.
 */
export const isAdmitted = ({
  organizationId,
  environment,
  key,
}: {
  organizationId: string;
  environment: string;
  key: KeyExpression;
}) =>
  `k.grant_id is null and k.revoked_at is null and k.environment = ${environment} and o.suspended_at is null
        and (k.expires_at is null or k.expires_at > ${key.at})
        and (k.networks is null or ${key.address} <<= any (k.networks))
        and (${environment} = 'live' or exists (select from sandboxes s where s.organization_id = ${organizationId}))`;

/** The first CTE of a statement of `/v1`: `$1` organization, `$2` environment, `$3` the presented key. */
export const caller = (expression?: CallerExpression) => `caller as materialized (${selectCaller(expression)})`;

const codes: Record<Exclude<CallerState, 'admitted' | GrantRefusal>, ErrorCode> = {
  invalid: 'api_key_invalid',
  revoked: 'api_key_revoked',
  expired: 'api_key_revoked',
  other_environment: 'api_key_environment_mismatch',
  suspended: 'organization_suspended',
  sandbox_missing: 'sandbox_missing',
  sandbox_locked: 'resource_locked',
};

const messages: Partial<Record<CallerState, string>> = {
  expired: 'This API key has expired. Use another key of the organization.',
  sandbox_locked: 'The sandbox is being reset. Retry the same request shortly.',
};

/** The first parameters of a statement that begins with `caller`. */
export type CallerParameters = [organizationId: string, environment: Scope['environment'], key: string | null];

export const parametersOf = ({ organizationId, environment, keyHash, address, atMs }: Caller): CallerParameters => [
  organizationId,
  environment,
  keyHash && JSON.stringify({ hash: keyHash.toString('hex'), address, at: atMs }),
];

/** Returns the caller of a route that needs a key. The act's statement must check the key. */
export function callerOf({ caller }: { caller: KeyCaller | undefined }): KeyCaller {
  if (caller === undefined) throw new Error('The route needs no key.');
  return caller;
}

/** Whether the statement found a key that opens its environment. */
export const hasKey = (caller: Caller): caller is Caller & { found: CallerRow & { key_id: string } } =>
  caller.found?.key_id != null &&
  !['invalid', 'revoked', 'expired', 'other_environment'].includes(caller.found.caller_state);

/** Whether the caller sees links and whole addresses: all but an agent whose grant does not say so. */
export const seesLinks = ({ isAgent, found }: Partial<Pick<Caller, 'isAgent' | 'found'>>): boolean =>
  isAgent !== true || (found !== undefined && has(found, 'links'));

/** Whether the caller that a statement admitted has what another statement needs. */
export const has = ({ permissions, reaches_all }: CallerRow, needs: Need): boolean =>
  needs === 'read' || permissions === null || (needs === 'all' ? reaches_all : permissions.includes(needs));

/** Makes a caller of a scope that another check has admitted, such as the portal's sign-in or a redemption link. */
export const admitted = ({ organizationId, environment }: Scope): Caller => ({
  organizationId,
  environment,
  keyHash: null,
});

/**
 * Notes what the statement found and turns its state into the contract's error.
 *
 * @throws BestowError `api_key_invalid`, `api_key_revoked`, `api_key_environment_mismatch`, `organization_suspended`,
 *   `sandbox_missing`, `not_granted` (an agent's grant), `resource_locked` (a sandbox that is being reset)
 */
export function requireAdmitted<Row extends CallerRow>(caller: Caller, row: Row | undefined): asserts row is Row {
  if (row === undefined) throw new BestowError('api_key_invalid');
  caller.found = row;
  if (row.caller_state !== 'admitted') throw refusalOf(row.caller_state);
}

const isAboutGrant = (state: CallerState): state is GrantRefusal => Object.hasOwn(grantRefusals, state);

function refusalOf(state: Exclude<CallerState, 'admitted'>): BestowError {
  if (isAboutGrant(state)) return new BestowError('not_granted', { message: grantRefusals[state] });
  const message = messages[state];
  return new BestowError(codes[state], message === undefined ? {} : { message });
}
