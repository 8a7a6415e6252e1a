import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressRules } from './allowed-address.ts';
import type { ResolveName } from './resolve-name.ts';

/** A push failed, for the reason of the message, which is for people. */
export class PushFailure extends Error {}

/** Open connections wait so long for the next push. */
const IDLE_MS = 15_000;
const MAX_IDLE_SOCKETS = 256;
const OPTIONS: AgentOptions = { keepAlive: true, maxFreeSockets: MAX_IDLE_SOCKETS, timeout: IDLE_MS };

export interface Agents {
  /** Connects only to networks that the operator named. */
  http: HttpAgent;
  https: HttpsAgent;
}

type Connect = HttpAgent['createConnection'];
/** @throws PushFailure */
type CheckAddress = (address: string) => void;

/** Makes agents that connect only to an address that was checked, so that a name cannot change its address in between. */
export function createAgents(rules: AddressRules, resolve: ResolveName): Agents {
  return {
    http: withCheck(new HttpAgent(OPTIONS), resolve, (address) => {
      if (!rules.isNamed(address)) throw new PushFailure(`http to ${address} is not allowed; use https.`);
    }),
    https: withCheck(new HttpsAgent(OPTIONS), resolve, (address) => {
      if (!rules.isAllowed(address)) throw new PushFailure(`The address ${address} is not public.`);
    }),
  };
}

function withCheck<Agent extends HttpAgent>(agent: Agent, resolve: ResolveName, check: CheckAddress): Agent {
  const connect: Connect = agent.createConnection.bind(agent);
  const lookup = checkedLookup(resolve, check);
  agent.createConnection = (options, callback) => {
    // Node looks only names up.
    const { host } = options as { host?: string };
    if (host !== undefined && isIP(host) > 0) check(host);
    return connect({ ...options, lookup } as typeof options, callback);
  };
  return agent;
}

const familyOf = (address: string) => isIP(address) as 4 | 6;

/** Refuses a name if any of its addresses is refused. */
const checkedLookup =
  (resolve: ResolveName, check: CheckAddress): LookupFunction =>
  (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        try {
          for (const address of addresses) check(address);
        } catch (error) {
          callback(error as Error, '');
          return;
        }
        const all = addresses.map((address) => ({ address, family: familyOf(address) }));
        const [first] = all;
        if (options.all) callback(null, all);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: Error) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
