import { generateKeyPairSync } from 'node:crypto';
import Provider, {
  type Account,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Deps } from '../../core/deps.ts';
import { findConnection } from '../../core/grants/connection.ts';
import { renewToken, TOKEN_SECONDS } from '../../core/grants/renew-token.ts';
import { accountOf } from './account.ts';
import { PATHS, resourceOf, SCOPES } from './addresses.ts';
import { createDocumentReader } from './read-document.ts';
import { createRecords } from './records.ts';
import { makeClientId } from './registered-client.ts';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** Codes live a minute, refresh tokens 30 days; what belongs to them is deleted with the last of them. */
const LIVES = {
  AccessToken: TOKEN_SECONDS,
  AuthorizationCode: MINUTE_SECONDS,
  Grant: 3_650 * DAY_SECONDS,
  Interaction: 30 * MINUTE_SECONDS,
  RefreshToken: 30 * DAY_SECONDS,
  Session: 30 * MINUTE_SECONDS,
};

/**
 * Opens the library of the protocol: OAuth 2.1 with PKCE for programs without a secret. A person agrees to each sign-in,
 * and gets a grant of ours. The library’s own access tokens are never given out.
 *
 * @see https://github.com/panva/node-oidc-provider
 */
export function openProvider(deps: Deps): Provider {
  const publicUrl = deps.publicUrl();
  const { pathname } = new URL(publicUrl);
  const resource = resourceOf(publicUrl);
  const readDocument = createDocumentReader(deps.config.webhookAllowedNetworks);
  const provider = new Provider(publicUrl, {
    adapter: (kind) => createRecords(deps, kind),
    clientAuthMethods: ['none'],
    clientDefaults: {
      // Any port of the person’s own computer, as RFC 8252 asks.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    cookies: {
      keys: [deps.cipher.fingerprint('cookies of assistants that sign in')],
      names: { interaction: 'bestow_connect', resume: 'bestow_connect_end', session: 'bestow_connect_session' },
      // The portal’s calls send it too.
      short: { path: '/', httpOnly: true, sameSite: 'lax', signed: true },
      long: { path: '/', httpOnly: true, sameSite: 'lax', signed: true },
    },
    expiresWithSession: () => false,
    features: featuresFor(deps, resource),
    fetch: readDocument,
    findAccount: (_call, accountId, token) => findAccount(deps, accountId, token === undefined),
    interactions: {
      policy: [askEachTime()],
      url: (_call, { uid }) => `${publicUrl}/portal/connect/${uid}`,
    },
    issueRefreshToken: () => true,
    jwks: { keys: [unusedKey()] },
    loadExistingGrant(call) {
      const grantId = call.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : call.oidc.provider.Grant.find(grantId);
    },
    pkce: { required: () => true },
    // `routes.ts` makes the page.
    renderError(call, error) {
      call.body = error;
    },
    responseTypes: ['code'],
    rotateRefreshToken: true,
    routes: {
      authorization: PATHS.authorize,
      token: PATHS.token,
      registration: PATHS.register,
      revocation: PATHS.revoke,
    },
    scopes: [...SCOPES],
    ttl: LIVES,
  });
  provider.proxy = true;
  giveOwnTokens(provider, deps, pathname);
  return provider;
}

/** Answers with tokens of ours in place of the library’s, below the path of PUBLIC_URL, and prints nothing. */
function giveOwnTokens(provider: Provider, deps: Deps, pathname: string): void {
  const report = (error: unknown) => deps.log.error({ err: error, from: 'oidc-provider' }, 'A sign-in failed.');
  provider.on('server_error', (_call, error) => report(error));
  provider.use(async (call, next) => {
    if (pathname !== '/') call['mountPath'] = pathname;
    try {
      await next();
      const { oidc } = call as KoaContextWithOIDC;
      if (call.status === 200 && oidc?.route === 'token')
        call.body = await withOwnToken(deps, call.body as object, oidc.entities.Account?.accountId ?? '');
      if (call.body === GRANT_ENDED) call.status = 400;
    } catch (error) {
      report(error);
      call.status = 500;
      call.body = { error: 'server_error', error_description: 'something went wrong on our side; try again' };
    }
  });
}

const featuresFor = (deps: Deps, resource: string): Configuration['features'] => ({
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  registration: {
    enabled: true,
    initialAccessToken: false,
    issueRegistrationAccessToken: false,
    idFactory: ({ oidc }) => makeClientId(deps, oidc.body ?? {}),
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => resource,
    getResourceServerInfo(_call, asked) {
      if (asked !== resource) throw new errors.InvalidTarget();
      return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' };
    },
    useGrantedResource: () => true,
  },
  revocation: { enabled: true, allowedPolicy: (_call, client, token) => token.clientId === client.clientId },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
});

/** The library wants a key, although without OpenID it signs nothing. */
const unusedKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

/** Only the answer of this sign-in counts: nothing that was agreed to before. */
function askEachTime() {
  const { Check, Prompt } = interactionPolicy;
  return new Prompt(
    { name: 'consent', requestable: true },
    new Check('not_asked', 'A person must agree.', ({ oidc }) =>
      oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  );
}

/** @param isAnswer whether a person has just agreed; else a code or a token is traded */
async function findAccount(deps: Deps, accountId: string, isAnswer: boolean): Promise<Account | undefined> {
  const environment = await findConnection(deps, accountOf(accountId));
  // Such as of a member whose role has changed since they agreed: the library would fail.
  if (environment === undefined && isAnswer) throw new errors.AccessDenied('the grant has ended');
  if (environment === undefined) return undefined;
  if (!deps.config.serveEnvironments.includes(environment))
    throw new errors.TemporarilyUnavailable(`this process does not serve ${environment}`);
  return { accountId, claims: () => ({ sub: accountId }) };
}

/** If the grant ended meanwhile. */
const GRANT_ENDED = { error: 'invalid_grant', error_description: 'the grant has ended' };

async function withOwnToken(deps: Deps, answer: object, accountId: string): Promise<object> {
  const token = await renewToken(deps, accountOf(accountId));
  return token === undefined ? GRANT_ENDED : { ...answer, access_token: token, expires_in: TOKEN_SECONDS };
}
