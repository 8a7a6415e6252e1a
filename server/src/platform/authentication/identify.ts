import type { FastifyReply, FastifyRequest } from 'fastify';
import { BestowError } from '../base/errors.ts';
import type { PlatformDeps } from '../deps.ts';
import { addressBucket, type RateLimiter } from '../rate-limits/rate-limit.ts';
import { isAgentCall } from './agent-call.ts';
import type { KeyCaller } from './caller.ts';
import { findEarlierKey } from './find-earlier-key.ts';
import { parseKey } from './key-format.ts';
import { requireKey } from './require-key.ts';

/** A larger body, or one of unknown length, is read only after the key was looked up. */
const MAX_BODY_BYTES = 16_384;

const NOT_A_KEY = 'This is the token of an agent, which is valid at /mcp only. Send an API key.';

/** Both throw if the bucket is empty; `takeFrom` takes one request and sets the reply's limit headers. */
interface Limits {
  takeFrom(limiter: RateLimiter, bucket: string, reply: FastifyReply): void;
  requireLeft(limiter: RateLimiter, bucket: string, reply: FastifyReply): void;
}

type IdentifyDeps = Pick<PlatformDeps, 'clock' | 'config' | 'database' | 'rateLimits'>;

/** Finds out whose key a request carries. The act's statement checks the key, so most requests need no look-up here. */
export function createIdentification(deps: IdentifyDeps, { takeFrom, requireLeft }: Limits) {
  const { perKey, perWaitingKey, perAddress } = deps.rateLimits;
  const limiterOf = (request: FastifyRequest) => (waits(request) ? perWaitingKey : perKey);

  /** Counts the request. Looks the key up if the request is refused, or if its body may be large. */
  function admit(request: FastifyRequest, reply: FastifyReply, caller: KeyCaller): Promise<void> | undefined {
    caller.address = request.ip;
    caller.atMs = deps.clock.now();
    request.caller = caller;
    takeFrom(limiterOf(request), bucketOf(caller), reply);
    if (!deps.config.serveEnvironments.includes(caller.environment)) return refuseEnvironment(caller);
    const lookUp = () => requireKey(deps, caller);
    if (request.routeConfig.access === 'sandbox' && caller.environment !== 'sandbox')
      return lookUp().then(() => Promise.reject(new BestowError('sandbox_endpoint_only')));
    return mayBeLarge(request) ? lookUp() : undefined;
  }

  /** The wrong environment comes after other errors about the key, and before the state of the organization. */
  async function refuseEnvironment(caller: KeyCaller): Promise<never> {
    await requireKey(deps, caller).catch((error: unknown) => {
      if (isAboutKey(error)) throw error;
    });
    throw new BestowError('api_key_environment_mismatch');
  }

  return {
    /**
     * Sets the request's caller and counts the request. Returns a promise if it must ask the database.
     *
     * @throws BestowError `api_key_missing`, `api_key_invalid`, `rate_limit_exceeded`; all refusals if the key is looked up
     */
    identify(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
      const token = bearerToken(request.headers.authorization);
      if (token === undefined) throw new BestowError('api_key_missing');
      const key = parseKey(token);
      if (key === undefined) throw new BestowError('api_key_invalid');
      const { hash: keyHash, organizationId, environment, isAgent } = key;
      if (isAgent && request.routeConfig.access !== 'agent' && !isAgentCall())
        throw new BestowError('api_key_invalid', { message: NOT_A_KEY });
      // Keys without a bucket may be guesses, which must neither load the database nor find a short imported key.
      if (!limiterOf(request).has(bucketOf({ keyHash }))) requireLeft(perAddress, addressBucket(request.ip), reply);
      if (organizationId !== undefined && environment !== undefined)
        return admit(request, reply, { organizationId, environment, keyHash, isAgent });
      // A key of an earlier form does not name its organization.
      return findEarlierKey(deps.database.shared, keyHash).then((scope) => {
        if (scope === undefined) throw new BestowError('api_key_invalid');
        return admit(request, reply, { ...scope, environment: environment ?? scope.environment, keyHash, isAgent });
      });
    },

    /** Returns the error that the caller learns first: one about the key comes before others, and counts for the address. */
    async firstError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
      const { caller } = request;
      let first = error;
      if (caller !== undefined && caller.found === undefined && !isBeforeKeyState(error))
        await requireKey(deps, caller).catch((refusal: unknown) => {
          first = refusal;
        });
      if (!isAboutKey(first) || (request.routeConfig.access ?? 'public') === 'public') return first;
      if (caller !== undefined) limiterOf(request).forget(bucketOf(caller));
      try {
        takeFrom(perAddress, addressBucket(request.ip), reply);
        return first;
      } catch (limit) {
        return limit;
      }
    },
  };
}

export type Identification = ReturnType<typeof createIdentification>;

const bucketOf = ({ keyHash }: Pick<KeyCaller, 'keyHash'>) => keyHash.toString('base64');

/** With `wait=0` a request does not wait. */
const waits = ({ routeConfig, query }: FastifyRequest) =>
  routeConfig.waits === true && ![undefined, '0'].includes((query as { wait?: string }).wait);

const isAboutKey = (error: unknown) =>
  error instanceof BestowError && error.type === 'authentication_error' && error.status === 401;

const isBeforeKeyState = (error: unknown) =>
  isAboutKey(error) || (error instanceof BestowError && error.code === 'rate_limit_exceeded');

/** Returns the token of a bearer header; the scheme's name is case-insensitive. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([^ ].*)$/i.exec(header)?.[1];
}

const mayBeLarge = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
