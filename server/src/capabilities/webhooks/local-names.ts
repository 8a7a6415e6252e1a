import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** The files by which a machine names the machines around it; tests use others. */
export interface NameFiles {
  hosts: string;
  resolver: string;
}

export const SYSTEM_FILES: NameFiles = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' };

/** As in the C library. */
const MAX_SEARCH_DOMAINS = 6;

/** Returns the words of each line, without comments; none if the file cannot be read. */
async function linesOf(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').map((line) => (line.split(/[#;]/, 1)[0] ?? '').trim().split(/\s+/));
}

/** Returns the addresses that the hosts file gives the name. */
export async function addressesInHosts({ hosts }: NameFiles, name: string): Promise<string[]> {
  const absolute = name.replace(/\.$/, '');
  const lines = await linesOf(hosts);
  return lines.flatMap(([address = '', ...names]) =>
    isIP(address) > 0 && names.some((other) => other.toLowerCase() === absolute) ? [address] : [],
  );
}

/** Returns the names to ask for, in order: a name with fewer dots than `ndots` is first looked for in the search domains. */
export async function searchedNames({ resolver }: NameFiles, name: string): Promise<string[]> {
  if (name.endsWith('.')) return [name];
  const lines = await linesOf(resolver);
  // The last line holds.
  const [, ...domains] = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain') ?? [];
  const [, dots = '1'] = /\bndots:(\d+)/.exec(lines.filter(([keyword]) => keyword === 'options').join(' ')) ?? [];
  const searched = domains.slice(0, MAX_SEARCH_DOMAINS).map((domain) => `${name}.${domain}`);
  return name.split('.').length > Number(dots) ? [name, ...searched] : [...searched, name];
}
