import type { Principal } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import type { Access } from '../http/request-context.ts';

/** What the database says of a key; the look-up is the keys' capability's, given to this module by `app.ts`. */
export interface KeyRecord {
  organization_id: string;
  organization_name: string;
  environment: Principal['environment'];
  key_id: string;
  revoked: boolean;
  suspended: boolean;
  sandbox_exists: boolean;
}

export interface KeyRing {
  /** Whether the text can be a key at all, so that a mistyped one costs no look-up. */
  canBeKey(key: string): boolean;
  /** The environment that a key's prefix promises; undefined for legacy keys, which promise none. */
  environmentOfPrefix(key: string): Principal['environment'] | undefined;
  find(key: string): Promise<KeyRecord | undefined>;
  /** What this process found of it the last time, however long ago; it may not hold any more. */
  recall(key: string): KeyRecord | undefined;
}

/** The token of a bearer header, also one that cannot be a key; the scheme's name is matched without regard to case. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([^ ].*)$/i.exec(header)?.[1];
}

type Served = Deps['config']['serveEnvironments'];

/**
 * Whose key this is. Asks the database, so that a revocation holds from the next request on.
 *
 * @param onFound told whose key it is, also where it is then refused
 * @throws BestowError `api_key_missing`, `api_key_invalid`, `api_key_revoked`, `api_key_environment_mismatch`
 */
export async function authenticate(
  keys: KeyRing,
  served: Served,
  header: string | undefined,
  onFound: (record: KeyRecord) => void,
): Promise<KeyRecord> {
  const key = bearerToken(header);
  if (key === undefined) throw new BestowError('api_key_missing');
  const record = keys.canBeKey(key) ? await keys.find(key) : undefined;
  if (record === undefined) throw new BestowError('api_key_invalid');
  onFound(record);
  if (record.revoked) throw new BestowError('api_key_revoked');
  if (isOfOtherEnvironment(keys, served, key, record)) throw new BestowError('api_key_environment_mismatch');
  return record;
}

/**
 * Whose key this was when it was last found, where it could be used then. Only for an act whose own statement looks whether
 * the key still holds (`provesKey`): nothing else may be done on the word of it.
 */
export function recallKey(keys: KeyRing, served: Served, header: string | undefined): KeyRecord | undefined {
  const key = bearerToken(header);
  const record = key === undefined ? undefined : keys.recall(key);
  if (key === undefined || record === undefined) return undefined;
  const { revoked, suspended, environment, sandbox_exists } = record;
  if (revoked || suspended || (environment === 'sandbox' && !sandbox_exists)) return undefined;
  return isOfOtherEnvironment(keys, served, key, record) ? undefined : record;
}

function isOfOtherEnvironment(keys: KeyRing, served: Served, key: string, { environment }: KeyRecord): boolean {
  return (keys.environmentOfPrefix(key) ?? environment) !== environment || !served.includes(environment);
}

/** @throws BestowError `organization_suspended`, `sandbox_missing`, `sandbox_endpoint_only`, in this order */
export function authorize(record: KeyRecord, access: Access): Principal {
  if (record.suspended) throw new BestowError('organization_suspended');
  if (record.environment === 'sandbox' && !record.sandbox_exists) throw new BestowError('sandbox_missing');
  if (access === 'sandbox' && record.environment !== 'sandbox') throw new BestowError('sandbox_endpoint_only');
  return {
    organizationId: record.organization_id,
    organizationName: record.organization_name,
    environment: record.environment,
    keyId: record.key_id,
  };
}
