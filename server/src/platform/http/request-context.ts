import type { KeyCaller } from '../authentication/caller.ts';
import type { BestowError, ErrorCode } from '../base/errors.ts';

/**
 * Who may call a route. `key`: any API key; `sandbox`: a sandbox key; `agent`: any API key, and the token of an agent;
 * `public`: anyone, limited by address.
 */
export type Access = 'key' | 'sandbox' | 'agent' | 'public';

/** What a route does with a body. `optional` takes a missing body for `{}`; `raw` keeps the text. */
export type BodyUse = 'required' | 'optional' | 'ignored' | 'raw';

/** What an agent called, and how that ended. */
export interface AgentCall {
  /** Several names of a batch, separated by commas; null for another message. */
  tool: string | null;
  /** The program that the client says it is. */
  client: string | null;
  /** The tool's error, which is answered with status 200. */
  error: BestowError | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    body?: BodyUse;
    /** A health check of the operator, without a rate limit. */
    isProbe?: boolean;
    /** With the parameter `wait` a request counts apart from the key's others. */
    waits?: boolean;
    /** Error codes of this operation, besides those of every operation. */
    errors?: readonly ErrorCode[];
  }
  interface FastifyRequest {
    requestId: string;
    /** The route's `config`. */
    routeConfig: FastifyContextConfig;
    /** The route's path, such as `/v1/gifts/:gift_id`; undefined for an unknown path. */
    routePattern: string | undefined;
    /** Counted by `hooks.ts`. */
    isUnderWay: boolean;
    /** Whose key was sent; the act's statement checks the key. Undefined on public routes. */
    caller: KeyCaller | undefined;
    /** The code of the error that was answered, for the log. */
    errorCode: string | undefined;
    /** The error that was answered as an error object. */
    error: BestowError | undefined;
    /** Of a message to `/mcp`, for the request log. */
    agentCall: AgentCall | undefined;
    startedAtMs: number;
  }
}
