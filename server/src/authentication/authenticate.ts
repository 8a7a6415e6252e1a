import type { Principal } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import type { Access } from '../http/request-context.ts';

/** A key as stored. `app.ts` injects the lookup from `keys/`. */
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
  /** Checks the key's format, so that a mistyped key costs no lookup. */
  canBeKey(key: string): boolean;
  /** Returns the environment named by the key's prefix; undefined for legacy keys. */
  environmentOfPrefix(key: string): Principal['environment'] | undefined;
  find(key: string): Promise<KeyRecord | undefined>;
  /** Returns this process's last lookup of the key, at any age; the key may be revoked since. */
  recall(key: string): KeyRecord | undefined;
}

/** Returns the token of a bearer header; the scheme's name is case-insensitive. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([^ ].*)$/i.exec(header)?.[1];
}

type Served = Deps['config']['serveEnvironments'];

/**
 * Looks up the key in the database, so that a revocation takes effect with the next request.
 *
 * @param onFound called with the key's record, even if the key is then refused
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
 * Returns the key's last lookup, if the key could be used then. Only for routes whose statement checks the key again
 * (`provesKey`).
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
