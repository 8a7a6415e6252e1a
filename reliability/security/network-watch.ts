import { execFileSync } from 'node:child_process';

const WIRE = 'bestow0';
const GATEWAY = '10.99.0.2';
/** Beyond the gateway, so that each look-up is seen. */
export const NAME_SERVER = '10.99.0.53';

const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8' });

/** Lets no packet leave this network namespace and counts each attempt. Needs root and a new namespace. */
export function watchNetwork(): void {
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'link', 'add', WIRE, 'type', 'veth', 'peer', 'name', `${WIRE}p`);
  run('sysctl', '-q', '-w', `net.ipv6.conf.${WIRE}.disable_ipv6=1`, `net.ipv6.conf.${WIRE}p.disable_ipv6=1`);
  for (const end of [WIRE, `${WIRE}p`]) run('ip', 'link', 'set', end, 'up');
  run('ip', 'addr', 'add', '10.99.0.1/24', 'dev', WIRE);
  run('ip', 'route', 'add', 'default', 'via', GATEWAY);
  for (const address of [GATEWAY, NAME_SERVER])
    run('ip', 'neigh', 'add', address, 'lladdr', '02:00:00:00:00:01', 'dev', WIRE);
  run(
    'nft',
    `add table inet watch
     add set inet watch tried { type inet_proto . ipv4_addr . inet_service; flags dynamic; }
     add chain inet watch out { type filter hook output priority 0; }
     add rule inet watch out oifname "${WIRE}" meta l4proto tcp update @tried { meta l4proto . ip daddr . tcp dport }
     add rule inet watch out oifname "${WIRE}" meta l4proto udp update @tried { meta l4proto . ip daddr . udp dport }
     add rule inet watch out oifname "${WIRE}" counter drop`,
  );
}

interface NftSet {
  nftables: { set?: { elem?: unknown[] } }[];
}

/** Returns the addresses that were tried since the last call, such as `tcp 192.0.2.1 443`. */
export function whomTried(): string[] {
  const listed = JSON.parse(run('nft', '--json', 'list', 'set', 'inet', 'watch', 'tried')) as NftSet;
  run('nft', 'flush', 'set', 'inet', 'watch', 'tried');
  return listed.nftables.flatMap(({ set }) =>
    (set?.elem ?? []).map((element) => {
      const { concat = [] } = ((element as { elem?: { val: unknown } }).elem?.val ?? element) as { concat?: unknown[] };
      return concat.join(' ');
    }),
  );
}
