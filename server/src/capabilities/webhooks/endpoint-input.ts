import { isIP } from 'node:net';
import type { Deps } from '../../core/deps.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { createAddressRules } from './allowed-address.ts';

/** What the owner of an endpoint chooses. */
export interface EndpointInput {
  url: string;
  description: string | null;
  /** Null: all. */
  types: readonly string[] | null;
  isOrdered: boolean;
}

/** What the owner of an endpoint changes. */
export interface EndpointEdit extends Partial<EndpointInput> {
  status?: 'enabled' | 'disabled';
}

const HTTPS_PORT = 443;
const FIRST_USER_PORT = 1_024;

const invalid = (message: string) => new BestowError('parameter_invalid', { param: 'url', message });

/**
 * Returns the address as it is requested. Names are resolved and checked at each connection.
 *
 * @throws BestowError `parameter_invalid`
 */
export function checkUrl(text: string, environment: Environment, { config }: Pick<Deps, 'config'>): string {
  const allowed = config.webhookAllowedNetworks;
  if (!URL.canParse(text)) throw invalid('url must be an https:// address.');
  const { href, protocol, username, password, hash, hostname, port } = new URL(text);
  const mayBeHttp = environment === 'sandbox' && allowed.length > 0;
  if (protocol !== 'https:' && !(protocol === 'http:' && mayBeHttp)) throw invalid('url must begin with https://.');
  if (username !== '' || password !== '' || hash !== '') throw invalid('url must have no user, password or fragment.');
  if (port !== '' && Number(port) < FIRST_USER_PORT && Number(port) !== HTTPS_PORT)
    throw invalid('url must have the port 443, or one from 1024 on.');
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) > 0 && !createAddressRules(allowed).isAllowed(address))
    throw invalid('url must have a public address.');
  if (href.length > 2_000) throw invalid('url must have at most 2,000 characters.');
  return href;
}

/** The address without its query, which may hold a secret. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

interface InputBody {
  url?: string;
  description?: string | null;
  types?: readonly string[] | null;
  ordered?: boolean;
  status?: 'enabled' | 'disabled';
}

/** The fields that a body has. */
export const readInput = ({ url, description, types, ordered, status }: InputBody): EndpointEdit => ({
  ...(url !== undefined && { url }),
  ...(description !== undefined && { description }),
  ...(types !== undefined && { types }),
  ...(ordered !== undefined && { isOrdered: ordered }),
  ...(status !== undefined && { status }),
});
