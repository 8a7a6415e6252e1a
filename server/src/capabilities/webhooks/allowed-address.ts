import { isIP } from 'node:net';
import { networkSet } from '../../platform/base/network.ts';

/** Not public (https://www.iana.org/assignments/iana-ipv4-special-registry). */
const isSpecialIpv4 = networkSet([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** All of the internet's addresses; the rest is local, mapped, translated or not assigned. */
const isGlobalIpv6 = networkSet(['2000::/3']);
/** Parts of it that are not public: protocols such as Teredo, documentation, 6to4. */
const isSpecialIpv6 = networkSet(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !isSpecialIpv4(address);
  if (family === 6) return isGlobalIpv6(address) && !isSpecialIpv6(address);
  return false;
}

/** Which addresses pushes may go to. */
export interface AddressRules {
  /** Whether the operator allows the address, although it may be private. */
  isNamed(address: string): boolean;
  isAllowed(address: string): boolean;
}

/** @param allowed networks that the operator allows besides the internet, such as `10.0.0.0/8` */
export function createAddressRules(allowed: readonly string[]): AddressRules {
  const isNamed = networkSet(allowed);
  return { isNamed, isAllowed: (address) => isPublicAddress(address) || isNamed(address) };
}
