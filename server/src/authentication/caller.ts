import type { Scope } from '../base/principal.ts';
import { BestowError, type ErrorCode } from '../errors.ts';

/** On whose behalf an act runs. */
export interface Caller extends Scope {
  /** SHA-256 of the API key, which the act's statement checks; null if a member, a recipient or a job was admitted before. */
  keyHash: Buffer | null;
  /** The client's address as PostgreSQL reads it, for keys that only some networks may use. */
  address?: string | undefined;
  /** When the request arrived, for keys that expire. */
  atMs?: number;
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
  | 'sandbox_locked'
  | 'admitted';

/** The caller's columns of a statement; each of its rows repeats them. */
export interface CallerRow {
  caller_state: CallerState;
  key_id: string | null;
  organization_name: string;
}

export const callerColumns = 'caller.caller_state, caller.key_id, caller.organization_name';

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
  at: `(${parameter}::jsonb->>'at')::timestamptz`,
});

interface CallerExpression {
  organizationId?: string | undefined;
  environment?: string | undefined;
  key?: KeyExpression | undefined;
  /** More states, as `when … then …`. */
  states?: string;
  /** More columns; the organization is `o`. */
  columns?: string;
}

/**
 * SQL query: the caller's row, or none if the organization does not exist. Everything that the statement writes must depend
 * on `caller_state = 'admitted'`. A key in a foreign network is answered like an unknown key, an expired one like a revoked
 * one.
 */
export const selectCaller = ({
  organizationId = '$1',
  environment = '$2',
  key = presentedKey('$3'),
  states = '',
  columns = '',
}: CallerExpression = {}) =>
  `select k.key_id, o.name as organization_name,${columns}
     case
       when ${key.hash} is not null and k.key_id is null then 'invalid'
       when k.networks is not null and (${key.address} <<= any (k.networks)) is not true then 'invalid'
       when k.revoked_at is not null then 'revoked'
       when k.expires_at <= ${key.at} then 'expired'
       when k.environment <> ${environment} then 'other_environment'
       when k.key_id is not null and o.suspended_at is not null then 'suspended'
       when k.key_id is not null and ${environment} = 'sandbox'
         and not exists (select from sandboxes s where s.organization_id = ${organizationId}) then 'sandbox_missing'
       ${states}
       else 'admitted'
     end as caller_state
   from organizations o
   left join api_keys k on k.organization_id = ${organizationId} and k.hash = ${key.hash}
   where o.organization_id = ${organizationId}
   limit 1`;

/** The first CTE of a statement of `/v1`: `$1` organization, `$2` environment, `$3` the presented key. */
export const caller = (expression?: CallerExpression) => `caller as materialized (${selectCaller(expression)})`;

const codes: Record<Exclude<CallerState, 'admitted'>, ErrorCode> = {
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
  keyHash && JSON.stringify({ hash: keyHash.toString('hex'), address, at: atMs && new Date(atMs) }),
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
 *   `sandbox_missing`, `resource_locked` (a sandbox that is being reset)
 */
export function requireAdmitted<Row extends CallerRow>(caller: Caller, row: Row | undefined): asserts row is Row {
  if (row === undefined) throw new BestowError('api_key_invalid');
  caller.found = row;
  if (row.caller_state !== 'admitted') throw refusalOf(row.caller_state);
}

function refusalOf(state: Exclude<CallerState, 'admitted'>): BestowError {
  const message = messages[state];
  return new BestowError(codes[state], message === undefined ? {} : { message });
}
