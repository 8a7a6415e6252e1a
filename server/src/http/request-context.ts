import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyRecord } from '../authentication/authenticate.ts';
import type { Principal } from '../base/principal.ts';
import type { BestowError, ErrorCode } from '../errors.ts';

/**
 * Who may call a route. `key`: any valid API key; `sandbox`: a sandbox key; `public`: anyone, limited by address.
 */
export type Access = 'key' | 'sandbox' | 'public';

/** What a route does with a body: parse it, parse it where there is one, read and ignore it, or take it as the text it is. */
export type BodyUse = 'required' | 'optional' | 'ignored' | 'raw';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    body?: BodyUse;
    /** Asked all the time by whoever runs the process: never limited, and in the log only where it fails. */
    isProbe?: boolean;
    /**
     * Its act's own statement looks whether the key still holds, and throws KeyChanged where it does not: a key that was
     * found before is not looked up first. Only `withProvenKey` tells such a route who asks.
     */
    provesKey?: boolean;
    /** Codes of the catalogue that are this operation's own, beside those that every operation may answer. */
    errors?: readonly ErrorCode[];
  }
  interface FastifyRequest {
    requestId: string;
    /** What the route says of itself. */
    routeConfig: FastifyContextConfig;
    /** The route's path, such as `/v1/gifts/:gift_id`; undefined where there is none. */
    routePattern: string | undefined;
    /** Counted among those at work. */
    isUnderWay: boolean;
    /** Set once the key is known. */
    principal: Principal | undefined;
    /** The principal is what was once found of the key, and nobody has looked yet whether it still holds. */
    isKeyRecalled: boolean;
    /**
     * Does the act for whoever asks, looking the key up and doing it again where it throws KeyChanged.
     *
     * @param act told which key its statement must prove; null where it was looked up
     * @throws BestowError as authentication does, and whatever the act throws
     */
    withProvenKey<Result>(
      reply: FastifyReply,
      act: (principal: Principal, keyToProve: string | null) => Promise<Result>,
    ): Promise<Result>;
    /** Whose key it was, also where it may do nothing (revoked, suspended). Set once the key was found. */
    keyOwner: Pick<KeyRecord, 'organization_id' | 'environment' | 'key_id'> | undefined;
    /** The code of the error that was answered, for the log: of the catalogue, or the portal's. */
    errorCode: string | undefined;
    /** The error that was answered as an error object. */
    error: BestowError | undefined;
    startedAtMs: number;
  }
}

/** The principal of a request that passed authentication. */
export function principalOf(request: Pick<FastifyRequest, 'principal' | 'isKeyRecalled'>): Principal {
  if (request.principal === undefined || request.isKeyRecalled)
    throw new Error('The route is not behind authentication.');
  return request.principal;
}

/** The latest request of each connection: where it was answered before it was read to its end, nothing more may be written. */
const LATEST_REQUEST = Symbol('latest request');
type Socket = IncomingMessage['socket'] & { [LATEST_REQUEST]?: IncomingMessage };

export const latestRequest = {
  of: (socket: Socket): IncomingMessage | undefined => socket[LATEST_REQUEST],
  note(request: IncomingMessage): void {
    (request.socket as Socket)[LATEST_REQUEST] = request;
  },
};
