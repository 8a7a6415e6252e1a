import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyChanged } from '../base/key-changed.ts';
import type { Principal } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { addressBucket, type Limiter, type RateLimitState } from '../rate-limits/rate-limit.ts';
import { authenticate, authorize, type KeyRecord, type KeyRing, recallKey } from './authenticate.ts';

/** What the HTTP server does for the identification. */
interface Transport {
  hasBody(request: IncomingMessage): boolean;
  /** Answers before the body has arrived. */
  breakOff(request: IncomingMessage, refusal: BestowError): void;
  /** Takes from the bucket, shows in the reply how it stands, and throws where it is empty. */
  takeFrom(limiter: Limiter, bucket: string, reply: FastifyReply): void | Promise<void>;
  showLimit(reply: FastifyReply, state: RateLimitState): void;
}

type IdentifyDeps = Pick<Deps, 'config' | 'keyUse' | 'rateLimits'>;

/** A body that comes with its headers, or right behind them, is read first. Longer than two packets are apart. */
const BODY_SOON_MS = 20;
/** Each turn more needs another change of the key at just the wrong moment. */
const MAX_TURNS = 5;

/** Who asks. It sets the request's principal, or throws. */
export function createIdentification(
  deps: IdentifyDeps,
  keys: KeyRing,
  { takeFrom, showLimit, hasBody, breakOff }: Transport,
) {
  const { config, keyUse } = deps;
  const { perKey, perAddress } = deps.rateLimits;
  // A refusal stays one for as long as its request, whoever else looks: the address pays for it once.
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
        // Ours, and not the key's: what was recalled may still be answered, with its own limit shown.
        lookUps.delete(request);
        if (!request.isKeyRecalled) showLimit(reply, perAddress.look(address));
      }
      throw error;
    }
  }

  function lookUpOnce(request: FastifyRequest, reply: FastifyReply): Promise<KeyRecord> {
    const underWay = lookUps.get(request) ?? lookUp(request, reply);
    lookUps.set(request, underWay);
    return underWay;
  }

  function accept(request: FastifyRequest, record: KeyRecord): Principal {
    keyUse.record(record.organization_id, record.key_id);
    const principal = authorize(record, request.routeConfig.access ?? 'public');
    request.principal = principal;
    request.isKeyRecalled = false;
    return principal;
  }

  /** Where the key was recalled, and may not hold. The request is paid for already. */
  const lookUpKey = async (request: FastifyRequest, reply: FastifyReply): Promise<Principal> =>
    accept(request, await lookUpOnce(request, reply));

  function recall(request: FastifyRequest): KeyRecord | undefined {
    if (request.routeConfig.provesKey !== true) return undefined;
    const record = recallKey(keys, config.serveEnvironments, request.headers.authorization);
    request.isKeyRecalled = record !== undefined;
    request.keyOwner = record;
    return record;
  }

  return {
    /** Before anything else is looked at: by the key, which then pays for the request. */
    async identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const recalled = recall(request);
      // Until what came with the headers is parsed, so that its body is there.
      if (recalled !== undefined && hasBody(request.raw)) await new Promise(setImmediate);
      const record = recalled ?? (await lookUp(request, reply));
      const taken = takeFrom(perKey, record.key_id, reply);
      if (taken !== undefined) await taken;
      if (recalled === undefined) accept(request, record);
      else request.principal = authorize(recalled, request.routeConfig.access ?? 'public');
    },

    lookUpKey,

    /** Tells a recalled key that does not hold so before its body has arrived, unless that arrives at once. */
    watchBody(request: FastifyRequest, reply: FastifyReply): void {
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
      // A body that arrived while the process was held up is read first.
      setTimeout(setImmediate, BODY_SOON_MS, look).unref();
    },

    async withProvenKey<Result>(
      request: FastifyRequest,
      reply: FastifyReply,
      act: (principal: Principal, keyToProve: string | null) => Promise<Result>,
    ): Promise<Result> {
      for (let turn = 1; ; turn += 1)
        try {
          const principal = request.principal ?? (await lookUpKey(request, reply));
          const result = await act(principal, request.isKeyRecalled ? principal.keyId : null);
          if (request.isKeyRecalled) keyUse.record(principal.organizationId, principal.keyId);
          request.isKeyRecalled = false;
          return result;
        } catch (error) {
          if (!(error instanceof KeyChanged) || turn === MAX_TURNS) throw error;
          await lookUpKey(request, reply);
        }
    },
  };
}
