import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainAddress } from '../base/plain-address.ts';
import { RecentMap } from '../base/recent-map.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { addressBucket, type RateLimiter } from '../rate-limits/rate-limit.ts';
import type { Caller, KeyCaller } from './caller.ts';
import { findEarlierKey } from './find-earlier-key.ts';
import { parseKey } from './key-format.ts';
import { requireKey } from './require-key.ts';

/** A larger body, or one of unknown length, is read only after the key was looked up. */
const MAX_BODY_BYTES = 16_384;

/** About 1 MB. The most recently used stay. */
const MAX_KNOWN_KEYS = 10_000;

/** Both throw if the bucket is empty; `takeFrom` takes one request and sets the reply's limit headers. */
interface Limits {
  takeFrom(limiter: RateLimiter, bucket: string, reply: FastifyReply): void;
  requireLeft(limiter: RateLimiter, bucket: string, reply: FastifyReply): void;
}

type IdentifyDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'rateLimits'>;

/** Finds out whose key a request carries. The act's statement checks the key, so most requests need no look-up here. */
export class Identification {
  readonly #deps: IdentifyDeps;
  readonly #limits: Limits;
  /** Keys that a statement found here before. They are still checked; only guesses are not among them. */
  readonly #known = new RecentMap<string, boolean>(MAX_KNOWN_KEYS);

  constructor(deps: IdentifyDeps, limits: Limits) {
    this.#deps = deps;
    this.#limits = limits;
  }

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
    const { hash: keyHash, organizationId, environment } = key;
    this.#refuseGuess(request, reply, keyHash);
    if (organizationId === undefined || environment === undefined)
      return this.#identifyEarlier(request, reply, keyHash, environment);
    return this.#count(request, reply, { organizationId, environment, keyHash });
  }

  /**
   * Refuses an unknown key before it is looked up if its address has used up its failed attempts, so that guesses neither
   * load the database nor find a short imported key.
   */
  #refuseGuess(request: FastifyRequest, reply: FastifyReply, keyHash: Buffer): void {
    if (!this.#known.get(keyHash.toString('base64')))
      this.#limits.requireLeft(this.#deps.rateLimits.perAddress, addressBucket(request.ip), reply);
  }

  /** Notes whether the statement admitted the request's key. */
  remember({ keyHash }: Caller, isAdmitted: boolean): void {
    if (keyHash !== null) this.#known.set(keyHash.toString('base64'), isAdmitted);
  }

  /** A key of an earlier form does not name its organization. */
  async #identifyEarlier(
    request: FastifyRequest,
    reply: FastifyReply,
    keyHash: Buffer,
    prefix: Caller['environment'] | undefined,
  ): Promise<void> {
    const scope = await findEarlierKey(this.#deps.database.shared, keyHash);
    if (scope === undefined) throw new BestowError('api_key_invalid');
    await this.#count(request, reply, { ...scope, environment: prefix ?? scope.environment, keyHash });
  }

  #count(request: FastifyRequest, reply: FastifyReply, caller: KeyCaller): Promise<void> | undefined {
    caller.address = plainAddress(request.ip);
    caller.atMs = this.#deps.clock.now();
    request.caller = caller;
    this.#limits.takeFrom(this.#deps.rateLimits.perKey, caller.keyHash.toString('base64'), reply);
    const mustLookUp = !this.#isServed(caller) || isOutsideSandbox(request, caller) || mayBeLarge(request);
    return mustLookUp ? this.#refuseEarly(request, caller) : undefined;
  }

  #isServed({ environment }: Caller): boolean {
    return this.#deps.config.serveEnvironments.includes(environment);
  }

  async #refuseEarly(request: FastifyRequest, caller: Caller): Promise<void> {
    await requireKey(this.#deps, caller).catch((error: unknown) => {
      // The wrong environment comes before the state of the organization.
      if (this.#isServed(caller) || isAboutKey(error)) throw error;
    });
    if (!this.#isServed(caller)) throw new BestowError('api_key_environment_mismatch');
    if (isOutsideSandbox(request, caller)) throw new BestowError('sandbox_endpoint_only');
  }

  /** Returns the error that the caller learns first: one about the key comes before others, and counts for the address. */
  async firstError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { caller } = request;
    let first = error;
    if (caller !== undefined && caller.found === undefined && !isBeforeKeyState(error))
      await requireKey(this.#deps, caller).catch((refusal: unknown) => {
        first = refusal;
      });
    if (!isAboutKey(first) || (request.routeConfig.access ?? 'public') === 'public') return first;
    if (caller !== undefined) this.remember(caller, false);
    try {
      this.#limits.takeFrom(this.#deps.rateLimits.perAddress, addressBucket(request.ip), reply);
      return first;
    } catch (limit) {
      return limit;
    }
  }
}

const isOutsideSandbox = ({ routeConfig }: FastifyRequest, { environment }: Caller) =>
  routeConfig.access === 'sandbox' && environment !== 'sandbox';

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
