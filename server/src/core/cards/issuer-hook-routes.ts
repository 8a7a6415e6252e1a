import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { storable } from '../../platform/base/storable.ts';
import { addressBucket, RateLimiter } from '../../platform/rate-limits/rate-limit.ts';
import type { Deps } from '../deps.ts';
import type { RemoteIssuer } from '../issuer/port.ts';
import type { FactSource } from './apply-facts.ts';
import { decide } from './decide.ts';
import * as queries from './issuer-event-queries.ts';

/** Forged calls per address, below the limit of all public routes: each costs a signature. */
const REFUSALS = { perSecond: 20, burst: 200 };

type HookRequest = FastifyRequest<{ Params: { organization: string; issuer: string } }>;

/**
 * Where providers of cards call: `events` keeps the event and answers at once, and a job records its facts; `authorizations`
 * answers a purchase.
 */
export function issuerHookRoutes(app: FastifyInstance, deps: Deps): void {
  const refusals = new RateLimiter('refusals', REFUSALS, deps.clock);
  const config = { access: 'public', body: 'raw' } as const;
  const onRequest = async ({ ip }: FastifyRequest) => {
    const { isAllowed, retryAfterSeconds } = refusals.look(addressBucket(ip));
    if (!isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds });
  };

  app.post(
    '/hooks/issuers/:organization/:issuer/events',
    { config, onRequest },
    async (request: HookRequest, reply) => {
      const { issuer, source } = await issuerOf(deps, request);
      const call = callOf(request);
      const eventId = await issuer.verify(call);
      if (eventId === undefined) {
        refusals.take(addressBucket(request.ip));
        throw new BestowError('api_key_invalid', { message: 'This call could not be verified as the issuer’s.' });
      }
      await queries.insertIssuerEvent(deps.database.pool, [
        source.organizationId,
        source.issuerId,
        eventId,
        storable(call.body),
        new Date(deps.clock.now()),
        deps.tracer?.current(),
      ]);
      return reply.send();
    },
  );

  app.post(
    '/hooks/issuers/:organization/:issuer/authorizations',
    { config, onRequest },
    async (request: HookRequest, reply) => {
      const { issuer, source } = await issuerOf(deps, request);
      if (issuer.decide === undefined) throw new BestowError('resource_missing');
      const answer = await issuer.decide(callOf(request), (authorization) => decide(deps, source, authorization));
      const isForged = answer.status === 401 || answer.status === 400;
      if (isForged) refusals.take(addressBucket(request.ip));
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    },
  );
}

const callOf = ({ headers, body }: HookRequest) => ({ headers, body: typeof body === 'string' ? body : '' });

/** @throws BestowError `resource_missing` */
async function issuerOf(deps: Deps, request: HookRequest): Promise<{ issuer: RemoteIssuer; source: FactSource }> {
  const organizationId = decodeId('org', request.params.organization);
  const issuerId = decodeId('iss', request.params.issuer);
  if (organizationId === undefined || issuerId === undefined) throw new BestowError('resource_missing');
  const [chosen] = await queries.selectIssuer(deps.database.read, [organizationId, issuerId]);
  if (chosen === undefined) throw new BestowError('resource_missing');
  const issuer = await deps.issuers.open(organizationId, chosen);
  if (issuer.isLocal) throw new BestowError('resource_missing');
  return { issuer, source: { organizationId, issuerId } };
}
