import { promises as dns } from 'node:dns';

/** Returns all addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

const LOOPBACK = ['127.0.0.1', '::1'];
const isLocalhost = (name: string) => name === 'localhost' || name.endsWith('.localhost');

/**
 * Asks name servers by Node's own resolver: `dns.lookup` has four threads for the whole process, so a few names whose
 * servers do not answer would delay every other push.
 *
 * @param servers of tests; without them the system's
 */
export function createResolver(servers?: readonly string[]): ResolveName {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    if (isLocalhost(name)) return LOOPBACK;
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses;
    throw (found[0] as PromiseRejectedResult).reason;
  };
}
