import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler, RouteHandlerMethod } from 'fastify';
import type { Response } from 'light-my-request';
import type { Deps } from '../../core/deps.ts';
import { endToken } from '../../core/grants/connection.ts';
import { parseKey } from '../../platform/authentication/key-format.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { addressBucket, RateLimiter } from '../../platform/rate-limits/rate-limit.ts';
import { allowPage, answerPreflight } from '../mcp/check-origin.ts';
import { describeResource, describeServer, PATHS, SCOPES } from './addresses.ts';
import { askProvider } from './ask-provider.ts';
import type { Assistants } from './assistants.ts';
import { sendFailedPage } from './failed-page.ts';
import { plainRegistration } from './plain-registration.ts';
import { repeatRefresh, type TokenAnswer } from './repeat-refresh.ts';

/** For each client: a burst of 20, then one in three minutes. */
const REGISTRATIONS = { perSecond: 1 / 180, burst: 20 };

/** The only parameters that are passed on. The library knows more of them. */
const ASKED = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
];
const TRADED = ['grant_type', 'code', 'redirect_uri', 'client_id', 'code_verifier', 'refresh_token', 'resource'];
const REVOKED = ['token', 'token_type_hint', 'client_id'];

/** Registers the sign-in of assistants (docs/agents.md): OAuth 2.1, found by the metadata of `/mcp`. */
export function oauthRoutes(app: FastifyInstance, deps: Deps, assistants: Assistants): void {
  const pages = createPages(deps);
  addMetadata(app, deps, pages);
  addAuthorization(app, deps, assistants);
  addPosts(app, deps, assistants, pages);
}

const METADATA = {
  '/.well-known/oauth-protected-resource': describeResource,
  '/.well-known/oauth-protected-resource/mcp': describeResource,
  '/.well-known/oauth-authorization-server': describeServer,
  // Below a path of PUBLIC_URL, some clients look only here.
  '/.well-known/openid-configuration': describeServer,
};

function addMetadata(app: FastifyInstance, { publicUrl }: Deps, { allow }: Pages): void {
  for (const [url, describe] of Object.entries(METADATA)) {
    app.route({
      method: 'GET',
      url,
      onSend: allow,
      handler: (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(describe(publicUrl())),
    });
  }
}

/** The pages of MCP_ORIGINS, which may ask here as they may ask `/mcp`. */
interface Pages {
  allow: onSendHookHandler;
  answerPreflight: RouteHandlerMethod;
}

function createPages({ publicUrl, config }: Deps): Pages {
  const origins = () => ({ publicUrl: publicUrl(), allowed: config.mcpOrigins });
  return {
    allow(request, reply, _payload, done) {
      allowPage(request, reply, origins());
      done();
    },
    answerPreflight(request, reply) {
      if (!allowPage(request, reply, origins())) throw new BestowError('foreign_origin');
      return answerPreflight(request, reply);
    },
  };
}

function addAuthorization(app: FastifyInstance, deps: Deps, assistants: Assistants): void {
  const ask = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const provider = await assistants.provider();
    const answer = await askProvider(provider, deps.publicUrl(), request, { method: 'GET', path });
    if (answer.statusCode < 400) return passOn(reply, answer);
    const { error, error_description: reason } = answer.json<{ error: string; error_description?: string }>();
    return sendFailedPage(reply, answer.statusCode, reason ?? error);
  };
  app.route({
    method: 'GET',
    url: PATHS.authorize,
    handler: (request, reply) => {
      const query = new URLSearchParams(pick(new URL(request.url, deps.publicUrl()).searchParams, ASKED));
      const fault = faultOf(query);
      if (fault !== undefined) return sendFailedPage(reply, 400, fault);
      const scope = (query.get('scope') ?? '').split(' ').filter((one) => SCOPES.some((known) => known === one));
      query.set('scope', [...new Set(['read', ...(scope.length > 0 ? scope : SCOPES)])].join(' '));
      return ask(request, reply, `${PATHS.authorize}?${query}`);
    },
  });
  app.route({
    method: 'GET',
    url: `${PATHS.authorize}/:connection_id`,
    handler: (request, reply) => ask(request, reply, request.url),
  });
}

function addPosts(app: FastifyInstance, deps: Deps, assistants: Assistants, pages: Pages): void {
  const registrations = new RateLimiter('registrations', REGISTRATIONS, deps.clock);
  const ask = async (request: FastifyRequest, path: string, form: URLSearchParams): Promise<Response> =>
    askProvider(await assistants.provider(), deps.publicUrl(), request, {
      method: 'POST',
      path,
      contentType: 'application/x-www-form-urlencoded',
      body: String(form),
    });

  post(PATHS.register, 'optional', async (request, reply) => {
    const { isAllowed, retryAfterSeconds } = registrations.take(addressBucket(request.ip));
    if (!isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds });
    const answer = await askProvider(await assistants.provider(), deps.publicUrl(), request, {
      method: 'POST',
      path: PATHS.register,
      contentType: 'application/json',
      body: plainRegistration(request.body),
    });
    return passOn(reply, answer);
  });

  post(PATHS.token, 'raw', async (request, reply) => {
    const form = formOf(request, TRADED);
    const token = form.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : null;
    const trade = async (): Promise<TokenAnswer> => {
      const { statusCode, body } = await ask(request, PATHS.token, form);
      return { status: statusCode, body };
    };
    const { status, body } = await (token === null ? trade() : repeatRefresh(deps, token, trade));
    return reply.code(status).type('application/json; charset=utf-8').send(body);
  });

  post(PATHS.revoke, 'raw', async (request, reply) => {
    const form = formOf(request, REVOKED);
    const token = form.get('token') ?? '';
    const { isAgent, organizationId } = parseKey(token) ?? {};
    if (isAgent !== true || organizationId === undefined) return passOn(reply, await ask(request, PATHS.revoke, form));
    await endToken(deps, { organizationId, token, clientId: form.get('client_id') ?? '' });
    return reply.code(200).send();
  });

  function post(
    url: string,
    body: 'raw' | 'optional',
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void {
    app.route({ method: 'POST', url, config: { body }, onSend: pages.allow, handler });
    app.route({ method: 'OPTIONS', url, handler: pages.answerPreflight });
  }
}

/** A browser keeps what is asked in its cookies. */
const MOST_STATE_BYTES = 2_000;
const MOST_BYTES = 5_000;

function faultOf(query: URLSearchParams): string | undefined {
  const given = [...query.values()].join('');
  if (/\p{Cc}/u.test(given)) return 'parameters must have no control characters';
  if (Buffer.byteLength(query.get('state') ?? '') > MOST_STATE_BYTES) return 'state must be at most 2 kB';
  // As `begun-sign-in.ts` seals them.
  if (Buffer.byteLength(JSON.stringify([...query])) > MOST_BYTES) return 'parameters must be at most 5 kB together';
  return undefined;
}

/** With repetitions, which the library refuses. */
const pick = (given: URLSearchParams, names: readonly string[]): [string, string][] =>
  [...given].filter(([name]) => names.includes(name));

/** A megabyte of fields takes a quarter of a second to read. */
const MOST_FORM_LENGTH = 20_000;

function formOf({ body }: FastifyRequest, names: readonly string[]): URLSearchParams {
  const text = typeof body === 'string' ? body : '';
  if (text.length > MOST_FORM_LENGTH)
    throw new BestowError('request_body_too_large', { message: 'The form is over 20,000 characters.' });
  return new URLSearchParams(pick(new URLSearchParams(text), names));
}

/** Headers of the library that matter; ours are stricter than its others. */
const PASSED = ['content-type', 'location', 'set-cookie', 'www-authenticate'];

function passOn(reply: FastifyReply, { statusCode, headers, body }: Response): FastifyReply {
  for (const name of PASSED) {
    const value = headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  return reply.code(statusCode).send(body);
}
