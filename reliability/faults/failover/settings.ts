import { join } from 'node:path';
import type { Machine } from './network.ts';

export const ETCD_PORT = 2379;
const ETCD_PEER_PORT = 2380;
export const PATRONI_PORT = 8008;
export const POSTGRES_PORT = 5432;
const BINARIES = '/usr/lib/postgresql/15/bin';
export const SUPERUSER = { username: 'postgres', password: 'postgres-in-a-namespace' };
const REPLICATION = { username: 'replication', password: 'replication-in-a-namespace' };

/** Patroni requires at least LOOP_WAIT_SECONDS and twice RETRY_TIMEOUT_SECONDS. */
const LEADER_TTL_SECONDS = 15;
const LOOP_WAIT_SECONDS = 3;
const RETRY_TIMEOUT_SECONDS = 5;

export type Replication = 'synchronous' | 'asynchronous';

/** Returns the arguments of an etcd member. */
export function etcdArguments(machine: Machine, machines: readonly Machine[], dataDir: string): string[] {
  const peer = ({ address }: Machine) => `http://${address}:${ETCD_PEER_PORT}`;
  const client = `http://${machine.address}:${ETCD_PORT}`;
  return Object.entries({
    name: machine.name,
    'data-dir': join(dataDir, 'etcd'),
    'listen-peer-urls': peer(machine),
    'initial-advertise-peer-urls': peer(machine),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'initial-cluster': machines.map((each) => `${each.name}=${peer(each)}`).join(','),
    'initial-cluster-state': 'new',
    'enable-v2': 'true',
    'log-level': 'error',
  }).map(([name, value]) => `--${name}=${value}`);
}

/** Returns Patroni's settings. */
export function patroniSettings(
  machine: Machine,
  machines: readonly Machine[],
  dataDir: string,
  replication: Replication,
): object {
  const isSynchronous = replication === 'synchronous';
  const everybody = `${machine.address.slice(0, machine.address.lastIndexOf('.'))}.0/24`;
  return {
    scope: 'bestow',
    name: machine.name,
    restapi: {
      listen: `${machine.address}:${PATRONI_PORT}`,
      connect_address: `${machine.address}:${PATRONI_PORT}`,
    },
    // Not `etcd3`: a frozen leader of Patroni 3.0.2 overwrites the new leader's key when it wakes up, and acknowledged orders
    // are lost (Patroni's pull request 2689).
    etcd: { hosts: machines.map(({ address }) => `${address}:${ETCD_PORT}`) },
    bootstrap: {
      dcs: {
        ttl: LEADER_TTL_SECONDS,
        loop_wait: LOOP_WAIT_SECONDS,
        retry_timeout: RETRY_TIMEOUT_SECONDS,
        synchronous_mode: isSynchronous,
        // Without a standby the leader refuses writes.
        synchronous_mode_strict: isSynchronous,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, wal_log_hints: 'on', wal_keep_size: '512MB', shared_buffers: '64MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${machine.address}:${POSTGRES_PORT}`,
      connect_address: `${machine.address}:${POSTGRES_PORT}`,
      use_unix_socket: true,
      data_dir: join(dataDir, 'postgres'),
      bin_dir: BINARIES,
      pgpass: join(dataDir, 'pgpass'),
      authentication: { superuser: SUPERUSER, replication: REPLICATION },
      parameters: { unix_socket_directories: dataDir },
      pg_hba: [
        'local all all trust',
        `host all all ${everybody} scram-sha-256`,
        `host replication all ${everybody} scram-sha-256`,
      ],
    },
  };
}

/** Returns HAProxy's settings: connections go to the leader and end when it is no longer the leader. */
export function haproxySettings(nodes: readonly Machine[]): string {
  const servers = nodes.map(
    ({ name, address }) => `  server ${name} ${address}:${POSTGRES_PORT} check port ${PATRONI_PORT}`,
  );
  return [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout check 1s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen postgres',
    `  bind :${POSTGRES_PORT}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers,
    '',
  ].join('\n');
}
