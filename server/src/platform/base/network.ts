import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** IPv4 written as IPv6. No client matches such a network, because clients’ addresses are plain. */
const isMapped = networkSet(['::ffff:0:0/96']);

/** Whether the text is an address, or a range of addresses in CIDR notation; IPv4 must be written as IPv4. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  if (version === 6 && isMapped(address)) return false;
  return bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Returns whether an address is in one of the networks, such as `10.0.0.0/8` or `2001:db8::1`; no other text is. */
export function networkSet(list: readonly string[]): (address: string) => boolean {
  const blocks = new BlockList();
  for (const network of list) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) blocks.addAddress(address, familyOf(address));
    else blocks.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) > 0 && blocks.check(address, familyOf(address));
}

/** IPv4 written as IPv6, as a socket of both families returns it. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** With brackets or a port, as some proxies forward an address: `192.0.2.1:50123`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/;

/** Returns a client's address as PostgreSQL reads it, without port and zone; undefined for any other text. */
export function plainAddress(text: string | undefined): string | undefined {
  const written = text?.trim() ?? '';
  const [, bracketed, beforePort] = WITH_PORT.exec(written) ?? [];
  const [plain = ''] = (bracketed ?? beforePort ?? written).replace(MAPPED, '').split('%');
  return isIP(plain) === 0 ? undefined : plain;
}
