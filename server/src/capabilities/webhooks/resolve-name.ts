import { promises as dns, NODATA, NOTFOUND } from 'node:dns';
import { errorCode } from '../../platform/base/error-code.ts';
import { addressesInHosts, type NameFiles, searchedNames } from './local-names.ts';

/** Returns all addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

interface ResolverOptions {
  /** Name servers of tests; without them the system's. */
  servers?: readonly string[];
  /** For names that only this machine and its network know; without them only name servers are asked. */
  files?: NameFiles | undefined;
}

const LOOPBACK = ['127.0.0.1', '::1'];
const isLocalhost = (name: string) => name === 'localhost' || name.endsWith('.localhost');
const isMissing = (error: unknown) => errorCode(error) === NOTFOUND || errorCode(error) === NODATA;

/**
 * Asks name servers by Node's own resolver: `dns.lookup` has four threads for the whole process, so a few names whose
 * servers do not answer would delay every other push. Node's resolver does not know the hosts file and search domains.
 */
export function createResolver({ servers, files }: ResolverOptions = {}): ResolveName {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);

  const ask: ResolveName = async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses;
    throw (found[0] as PromiseRejectedResult).reason;
  };

  async function askLocal(local: NameFiles, name: string): Promise<readonly string[]> {
    const inHosts = await addressesInHosts(local, name);
    if (inHosts.length > 0) return inHosts;
    let missing: unknown;
    for (const searched of await searchedNames(local, name))
      try {
        return await ask(searched);
      } catch (error) {
        // A server that fails may know the name: the next one could be another machine.
        if (!isMissing(error)) throw error;
        if (searched === name) missing = error;
      }
    throw missing;
  }

  return async (name) => {
    if (isLocalhost(name)) return LOOPBACK;
    return files === undefined ? ask(name) : askLocal(files, name);
  };
}
