import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  beginOperatorSession,
  endOperatorSession,
  findOperatorSession,
  type OperatorSession,
} from '../../capabilities/operators/operator-session.ts';
import { findOperator } from '../../capabilities/operators/operators.ts';
import { findSession, requireFreshSignIn } from '../../faces/portal-access/access.ts';
import type { PortalDeps } from '../../faces/portal-access/session.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { networkSet } from '../../platform/base/network.ts';
import { operatorPageUrl } from '../../platform/configuration/operator-page.ts';
import { isFromBrowser } from '../../platform/http/from-browser.ts';
import { isFromThisMachine } from '../../platform/http/from-this-machine.ts';
import { readSecretCookie } from '../../platform/http/secret-cookie.ts';

/** Who may open the operator's page. */
export interface OperatorAccess {
  /**
   * Requires that the page exists, for this client's network, and by https in production.
   *
   * @throws BestowError `not_found`, `https_required`
   */
  requirePage(request: FastifyRequest): Promise<void>;
  /**
   * Whether a browser on this machine asks for the page before it ever existed, and would see it if it did. For everyone else
   * nothing shows that it does not exist yet.
   */
  isBeforeSetUp(request: FastifyRequest): Promise<boolean>;
  /** Finds the operator of the request. @throws BestowError `sign_in_required` */
  requireOperator(request: FastifyRequest): Promise<OperatorSession>;
  /**
   * Begins an operator's session for a person who has just signed in to the portal with a second factor. The portal's session
   * alone opens nothing.
   *
   * @throws BestowError `sign_in_required`, `not_found`, `second_factor_required`, `sign_in_again`
   */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<OperatorSession>;
  /** Ends the request's session. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export function createOperatorAccess(deps: PortalDeps): OperatorAccess {
  const { networks } = deps.config.operatorPage;
  const isIn = networkSet(networks);
  const url = () => operatorPageUrl(deps.config.operatorPage, deps.publicUrl());
  const isSecure = () => url().startsWith('https:');
  const cookieName = () => (isSecure() ? '__Host-bestow.operator' : 'bestow.operator');
  const tokenOf = ({ headers: { cookie } }: FastifyRequest) => readSecretCookie(cookie, cookieName());

  const setCookie = (reply: FastifyReply, token: string, seconds: number) => {
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure() ? '; Secure' : ''}`;
    reply.header('set-cookie', `${cookieName()}=${token}; ${attributes}`);
  };

  const isAllowedFrom = ({ ip }: FastifyRequest) => networks.length === 0 || isIn(ip);
  const lacksHttps = () => deps.config.isProduction && !isSecure();

  /** During an outage of the database, the page's files are there if they were before. */
  let wasThere = false;
  const isThere = async () => {
    try {
      wasThere = (await findOperator(deps, null)).hasAny;
    } catch (error) {
      if (!wasThere) throw error;
    }
    return wasThere;
  };

  return {
    async requirePage(request) {
      if (!isAllowedFrom(request)) throw new BestowError('not_found');
      if (!(await isThere())) throw new BestowError('not_found');
      if (lacksHttps()) throw new BestowError('https_required');
    },

    async isBeforeSetUp(request) {
      if (!isFromThisMachine(request) || !isFromBrowser(request)) return false;
      return isAllowedFrom(request) && !lacksHttps() && !(await findOperator(deps, null)).hadAny;
    },

    async requireOperator(request) {
      const token = tokenOf(request);
      const session = token && (await findOperatorSession(deps, token));
      if (!session) throw new BestowError('sign_in_required');
      return session;
    },

    async begin(request, reply) {
      const person = await findSession(deps, request, reply);
      if (person === undefined) throw new BestowError('sign_in_required');
      if (!(await findOperator(deps, person.email)).isOne) throw new BestowError('not_found');
      if (!person.isTwoFactor)
        throw new BestowError('second_factor_required', {
          message: `Operators need a second factor. Set up a passkey or an authenticator app at ${deps.publicUrl()}/portal/account, then sign in with it.`,
        });
      requireFreshSignIn(deps, person);
      const begun = await beginOperatorSession(deps, { ...person, address: request.ip }, tokenOf(request));
      if (begun === undefined) throw new BestowError('not_found');
      const { token, ...session } = begun;
      setCookie(reply, token, Math.floor((session.expiresAt.getTime() - deps.clock.now()) / 1_000));
      return session;
    },

    async end(request, reply) {
      const token = tokenOf(request);
      if (token !== undefined) await endOperatorSession(deps, token);
      setCookie(reply, '', 0);
    },
  };
}
