import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Deps } from '../../core/deps.ts';
import { connectGrant, type NewGrant } from '../../core/grants/create-grant.ts';
import type { PortalDeps } from '../../faces/portal-access/session.ts';
import { PERMISSIONS, type Permission } from '../../platform/authentication/permissions.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { accountIdOf } from './account.ts';
import { resourceOf } from './addresses.ts';
import { keepBegun } from './begun-sign-in.ts';
import { type DescribedClient, describeClient } from './describe-client.ts';
import { hashOf } from './hash.ts';
import { consumeRecord, releaseRecord } from './queries.ts';

/** What an assistant asks of the person who signs it in. */
interface Question {
  client: DescribedClient;
  /** All that the grant may include besides reading. */
  permissions: readonly Permission[];
}

/** The browser’s request: its cookie shows that the sign-in began there. */
interface Browser {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The sign-in of assistants. Loads its library at the first use. */
export interface Assistants {
  provider(): Promise<Provider>;
  /** @throws BestowError `not_found` if the sign-in has ended or began in another browser */
  find(browser: Browser, connectionId: string): Promise<Question>;
  /**
   * Creates the grant that the person agreed to.
   *
   * @returns where the browser goes on
   * @throws BestowError `not_found`, `parameter_invalid`
   * @throws OperatorError as `connectGrant`
   */
  agree(browser: Browser, connectionId: string, grant: NewGrant): Promise<string>;
  /** Returns where the browser goes on. @throws BestowError `not_found` */
  decline(browser: Browser, connectionId: string): Promise<string>;
}

export interface AssistantDeps extends PortalDeps {
  assistants: Assistants;
}

/** A year: someone looks at each assistant from time to time. */
const LONGEST_MS = 365 * DAY_MS;

export function createAssistants(deps: Deps): Assistants {
  let opened: Promise<Provider> | undefined;
  function provider(): Promise<Provider> {
    opened ??= import('./open-provider.ts').then(({ openProvider }) => openProvider(deps));
    return opened;
  }

  async function open({ request, reply }: Browser, connectionId: string) {
    const library = await provider();
    await keepBegun(deps, request, connectionId);
    const interaction = await library.interactionDetails(request.raw, reply.raw).catch(undefinedIfEnded);
    const client = interaction && (await library.Client.find(String(interaction.params['client_id'])));
    if (interaction?.uid !== connectionId || interaction.result !== undefined || client === undefined)
      throw new BestowError('not_found');
    return { library, interaction, client, question: questionOf(interaction.params, client) };
  }

  /** Acts for one of several concurrent answers to a sign-in. @throws BestowError `not_found` for the others */
  async function once<Result>(connectionId: string, act: () => Promise<Result>): Promise<Result> {
    const { home } = deps.database;
    const record = ['Interaction', hashOf(connectionId)] as const;
    const [first] = await consumeRecord(home, [...record, new Date(deps.clock.now())]);
    if (first === undefined) throw new BestowError('not_found');
    return act().catch(async (error: unknown) => {
      await releaseRecord(home, [...record]);
      throw error;
    });
  }

  return {
    provider,
    find: async (browser, connectionId) => (await open(browser, connectionId)).question,
    async agree(browser, connectionId, grant) {
      const { library, client, question } = await open(browser, connectionId);
      const extra = grant.terms.permissions.find((permission) => !question.permissions.includes(permission));
      if (extra !== undefined)
        throw new BestowError('parameter_invalid', {
          param: 'permissions',
          message: `The assistant did not ask for the permission ${extra}.`,
        });
      const assistant = { clientId: client.clientId, name: question.client.name };
      const lastMs = deps.clock.now() + LONGEST_MS;
      const expiresAt = new Date(Math.min(grant.expiresAt?.getTime() ?? lastMs, lastMs));
      const connect = () => connectGrant(deps, { ...grant, expiresAt, assistant });
      const accountId = accountIdOf(await once(connectionId, connect));
      const agreed = new library.Grant({ accountId, clientId: client.clientId });
      agreed.addResourceScope(resourceOf(deps.publicUrl()), ['read', ...grant.terms.permissions].join(' '));
      const grantId = await agreed.save();
      const result = { login: { accountId, remember: false }, consent: { grantId } };
      return library.interactionResult(browser.request.raw, browser.reply.raw, result);
    },
    async decline(browser, connectionId) {
      const { library } = await open(browser, connectionId);
      await once(connectionId, async () => undefined);
      const result = { error: 'access_denied', error_description: 'the person declined' };
      return library.interactionResult(browser.request.raw, browser.reply.raw, result);
    },
  };
}

function questionOf(params: Record<string, unknown>, client: Parameters<typeof describeClient>[0]): Question {
  const asked = String(params['scope']).split(' ');
  return {
    client: describeClient(client, String(params['redirect_uri'])),
    permissions: PERMISSIONS.filter((permission) => asked.includes(permission)),
  };
}

/** The library has its own error for a sign-in that it does not know. */
function undefinedIfEnded(error: unknown): undefined {
  if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
  throw error;
}
