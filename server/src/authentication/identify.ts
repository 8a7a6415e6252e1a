import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyChanged } from '../base/key-changed.ts';
import type { Principal } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { addressBucket, type Limiter, type RateLimitState } from '../rate-limits/rate-limit.ts';
import { authenticate, authorize, type KeyRecord, type KeyRing, recallKey } from './authenticate.ts';

interface Transport {
  hasBody(request: IncomingMessage): boolean;
  breakOff(request: IncomingMessage, refusal: BestowError): void;
  /** Takes one request from the bucket, sets the reply's limit headers, and throws if the bucket is empty. */
  takeFrom(limiter: Limiter, bucket: string, reply: FastifyReply): Promise<void> | undefined;
  showLimit(reply: FastifyReply, state: RateLimitState): void;
}

type IdentifyDeps = Pick<Deps, 'config' | 'keyUse' | 'rateLimits'>;

/** How long to wait for a body before checking a recalled key; longer than two packets are apart. */
const BODY_SOON_MS = 20;
/** Another attempt is needed only if the key changes between two statements. */
const MAX_ATTEMPTS = 5;

/** Identifies the caller by its key: sets the request's principal, or throws. */
export function createIdentification(deps: IdentifyDeps, keys: KeyRing, transport: Transport) {
  const { config, keyUse, rateLimits } = deps;
  const { takeFrom, hasBody, breakOff } = transport;
  const { lookUp, lookUpOnce } = createLookUp(deps, keys, transport);

  function accept(request: FastifyRequest, record: KeyRecord): Principal {
    keyUse.record(record.organization_id, record.key_id);
    const principal = authorize(record, request.routeConfig.access ?? 'public');
    request.principal = principal;
    request.isKeyRecalled = false;
    return principal;
  }

  function recall(request: FastifyRequest): KeyRecord | undefined {
    if (request.routeConfig.provesKey !== true) return undefined;
    const record = recallKey(keys, config.serveEnvironments, request.headers.authorization);
    request.isKeyRecalled = record !== undefined;
    request.keyOwner = record;
    return record;
  }

  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const recalled = recall(request);
    // Wait one tick, so that a body that came with the headers is parsed.
    if (recalled !== undefined && hasBody(request.raw)) await new Promise(setImmediate);
    const record = recalled ?? (await lookUp(request, reply));
    const taken = takeFrom(rateLimits.perKey, record.key_id, reply);
    if (taken !== undefined) await taken;
    if (recalled === undefined) accept(request, record);
    else request.principal = authorize(recalled, request.routeConfig.access ?? 'public');
  }

  /** Looks up a recalled key that may be invalid; the request was already counted. */
  const lookUpKey = async (request: FastifyRequest, reply: FastifyReply): Promise<Principal> =>
    accept(request, await lookUpOnce(request, reply));

  return {
    identify,
    lookUpKey,
    watchBody: createBodyWatch(lookUpKey, breakOff),
    withProvenKey: createKeyProof(keyUse, lookUpKey),
  };
}

type LookUpKey = (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>;

function createLookUp({ config, rateLimits }: IdentifyDeps, keys: KeyRing, { takeFrom, showLimit }: Transport) {
  const { perAddress } = rateLimits;
  // One lookup per request, so that the address is charged once for a refusal.
  const lookUps = new WeakMap<FastifyRequest, Promise<KeyRecord>>();

  async function lookUp(request: FastifyRequest, reply: FastifyReply): Promise<KeyRecord> {
    try {
      const record = await authenticate(keys, config.serveEnvironments, request.headers.authorization, (found) => {
        request.keyOwner = found;
      });
      lookUps.delete(request);
      return record;
    } catch (error) {
      const address = addressBucket(request.ip);
      if (error instanceof BestowError) {
        request.principal = undefined;
        await takeFrom(perAddress, address, reply);
      } else {
        // Our fault, not the key's: a recalled key may still be answered, with its own limit headers.
        lookUps.delete(request);
        if (!request.isKeyRecalled) showLimit(reply, perAddress.look(address));
      }
      throw error;
    }
  }

  function lookUpOnce(request: FastifyRequest, reply: FastifyReply): Promise<KeyRecord> {
    const running = lookUps.get(request) ?? lookUp(request, reply);
    lookUps.set(request, running);
    return running;
  }

  return { lookUp, lookUpOnce };
}

/** Refuses an invalid recalled key before a slow body has arrived. */
function createBodyWatch(lookUpKey: LookUpKey, breakOff: Transport['breakOff']) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const isDue = () => request.isKeyRecalled && !request.raw.complete && !reply.sent;
    if (!isDue()) return;
    const look = async () => {
      if (!isDue()) return;
      const refusal = await lookUpKey(request, reply).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal instanceof BestowError && isDue()) breakOff(request.raw, refusal);
    };
    // If the process was busy, read a body that has arrived by now first.
    setTimeout(setImmediate, BODY_SOON_MS, look).unref();
  };
}

/** Runs the act, whose statement checks a recalled key; looks the key up and retries if the key has changed. */
function createKeyProof(keyUse: IdentifyDeps['keyUse'], lookUpKey: LookUpKey) {
  return async <Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    act: (principal: Principal, keyToProve: string | null) => Promise<Result>,
  ): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1)
      try {
        const principal = request.principal ?? (await lookUpKey(request, reply));
        const result = await act(principal, request.isKeyRecalled ? principal.keyId : null);
        if (request.isKeyRecalled) keyUse.record(principal.organizationId, principal.keyId);
        request.isKeyRecalled = false;
        return result;
      } catch (error) {
        if (!(error instanceof KeyChanged) || attempt === MAX_ATTEMPTS) throw error;
        await lookUpKey(request, reply);
      }
  };
}

export type Identification = ReturnType<typeof createIdentification>;
