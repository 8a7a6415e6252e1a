import { Resolver } from 'node:dns/promises';
import { within } from '../../platform/base/within.ts';
import type { Deps } from '../deps.ts';

/** Returns the texts of a name. @throws if DNS does not answer */
export type ResolveTxt = (name: string) => Promise<string[]>;

export interface DomainDeps extends Deps {
  /** Asks DNS. */
  resolveTxt: ResolveTxt;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const LIMIT_MS = 8_000;
const MAX_TEXTS = 50;

/** @param servers instead of those of the machine */
export function createTxtResolver(servers: readonly string[]): ResolveTxt {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    try {
      const texts = await within(LIMIT_MS, resolver.resolveTxt(name), () => {
        throw new Error('DNS did not answer in time.');
      });
      return texts.slice(0, MAX_TEXTS).map((parts) => parts.join(''));
    } catch (error) {
      if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')) return [];
      throw error;
    }
  };
}
