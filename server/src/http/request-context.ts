import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyRecord } from '../authentication/authenticate.ts';
import type { Principal } from '../base/principal.ts';
import type { BestowError, ErrorCode } from '../errors.ts';

/** Who may call a route. `key`: any API key; `sandbox`: a sandbox key; `public`: anyone, limited by address. */
export type Access = 'key' | 'sandbox' | 'public';

/** What a route does with a body. `optional` takes a missing body for `{}`; `raw` keeps the text. */
export type BodyUse = 'required' | 'optional' | 'ignored' | 'raw';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    body?: BodyUse;
    /** A health check of the operator: not rate limited, and logged only if it fails. */
    isProbe?: boolean;
    /**
     * The act's own statement checks the key and throws KeyChanged if the key has changed, so a key that was found before is
     * not looked up first. The route must use `withProvenKey`.
     */
    provesKey?: boolean;
    /** Error codes of this operation, besides those of every operation. */
    errors?: readonly ErrorCode[];
  }
  interface FastifyRequest {
    requestId: string;
    /** The route's `config`. */
    routeConfig: FastifyContextConfig;
    /** The route's path, such as `/v1/gifts/:gift_id`; undefined for an unknown path. */
    routePattern: string | undefined;
    /** Counted by `overload.ts`. */
    isUnderWay: boolean;
    /** Set once the key is known. */
    principal: Principal | undefined;
    /** The principal comes from an earlier request, and the key was not checked again yet. */
    isKeyRecalled: boolean;
    /**
     * Runs the act for the caller. Looks up the key and runs the act again if it throws KeyChanged.
     *
     * @param act gets the id of the key that its statement must check; null if the key was looked up
     * @throws BestowError as authentication does, and every error of the act
     */
    withProvenKey<Result>(
      reply: FastifyReply,
      act: (principal: Principal, keyToProve: string | null) => Promise<Result>,
    ): Promise<Result>;
    /** The owner of the key, also of a revoked or suspended one. Set once the key was found. */
    keyOwner: Pick<KeyRecord, 'organization_id' | 'environment' | 'key_id'> | undefined;
    /** The code of the error that was answered, for the log. */
    errorCode: string | undefined;
    /** The error that was answered as an error object. */
    error: BestowError | undefined;
    startedAtMs: number;
  }
}

/** Returns the principal of a request that passed authentication. */
export function principalOf(request: Pick<FastifyRequest, 'principal' | 'isKeyRecalled'>): Principal {
  if (request.principal === undefined || request.isKeyRecalled)
    throw new Error('The route is not behind authentication.');
  return request.principal;
}

export const isHealthCheck = ({ routePattern, routeConfig }: FastifyRequest) =>
  routePattern === '/v1/health' || routeConfig.isProbe === true;
