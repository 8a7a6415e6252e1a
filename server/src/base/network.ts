import { BlockList, isIP } from 'node:net';

/** IPv4 written as IPv6. No client matches such a network, because clients’ addresses are plain. */
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/** Whether the text is an address, or a range of addresses in CIDR notation; IPv4 must be written as IPv4. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  if (version === 6 && mapped.check(address, 'ipv6')) return false;
  return bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
