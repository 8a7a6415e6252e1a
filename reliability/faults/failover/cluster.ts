// Three PostgreSQL with Patroni and etcd behind HAProxy, each on its machine of network.ts. Needs root and Debian's packages
// postgresql-15, patroni, etcd-server, haproxy, nftables and iproute2.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { createNetwork, type Machine, type Network } from './network.ts';
import {
  etcdArguments,
  haproxySettings,
  PATRONI_PORT,
  POSTGRES_PORT,
  patroniSettings,
  type Replication,
  SUPERUSER,
} from './settings.ts';

const execute = promisify(execFile);

const NODES = ['node1', 'node2', 'node3'];
const PROXY = 'proxy';
const HEALTHY_WITHIN_MS = 180_000;
const ASK_TIMEOUT_MS = 1_000;
const POLL_MS = 250;
const DATABASE = { user: 'bestow', password: 'bestow-in-a-namespace', name: 'bestow' };

interface Member {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
  timeline?: number;
}

export interface Cluster {
  network: Network;
  nodes: Machine[];
  proxy: Machine;
  /** Connects to the leader through HAProxy. */
  databaseUrl: string;
  /** Returns the leader, if one of the asked machines knows it. */
  leader(asked?: readonly Machine[]): Promise<Machine | undefined>;
  /** Restarts the programs of a killed machine. */
  start(node: Machine): Promise<void>;
  /** Waits for a leader and two standbys, one of them synchronous if asked for. */
  untilHealthy(): Promise<void>;
  /** Removes machines and data. */
  remove(): Promise<void>;
}

/** Asks Patroni for its members. @returns undefined without an answer */
async function askMembers(node: Machine): Promise<Member[] | undefined> {
  try {
    const response = await fetch(`http://${node.address}:${PATRONI_PORT}/cluster`, {
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    });
    return ((await response.json()) as { members: Member[] }).members;
  } catch {
    return undefined;
  }
}

function isHealthy(members: Member[], replication: Replication): boolean {
  const leader = members.find(({ role }) => role === 'leader');
  const followers = members.filter(({ role }) => role !== 'leader');
  return (
    leader?.state === 'running' &&
    followers.length === NODES.length - 1 &&
    followers.every(
      ({ state, timeline }) => ['running', 'streaming'].includes(state) && timeline === leader.timeline,
    ) &&
    (replication === 'asynchronous' || followers.some(({ role }) => role === 'sync_standby'))
  );
}

const openClusters = new Set<Cluster>();

/** Removes all clusters when a run is interrupted. */
export async function removeOpenClusters(): Promise<void> {
  for (const cluster of openClusters) await cluster.remove();
}

/**
 * Starts the cluster with an empty database; 15 to 40 seconds.
 *
 * @throws if a package is missing or the user is not root
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one cluster, whose functions share its processes
export async function startCluster(replication: Replication): Promise<Cluster> {
  const network = await createNetwork([...NODES, PROXY]);
  const directory = await mkdtemp(join(tmpdir(), 'bestow-failover-'));
  // PostgreSQL runs as another user.
  await chmod(directory, 0o755);
  const nodes = network.machines.filter(({ name }) => name !== PROXY);
  const proxy = network.machines.find(({ name }) => name === PROXY) ?? assert.fail();
  const dataDirOf = ({ name }: Machine) => join(directory, name);
  const children: ChildProcess[] = [];

  /** Runs a program on a machine as the user `postgres`; PostgreSQL refuses to run as root. */
  function run(machine: Machine, program: string, ...programArguments: string[]): void {
    const log = openSync(join(dataDirOf(machine), `${program}.log`), 'a');
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--'];
    children.push(
      spawn('ip', ['netns', 'exec', machine.namespace, ...asPostgres, program, ...programArguments], {
        cwd: dataDirOf(machine),
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' },
        stdio: ['ignore', log, log],
        detached: true,
      }),
    );
    closeSync(log);
  }

  async function start(node: Machine): Promise<void> {
    run(node, 'etcd', ...etcdArguments(node, nodes, dataDirOf(node)));
    run(node, 'patroni', join(dataDirOf(node), 'patroni.yml'));
  }

  const cluster: Cluster = {
    network,
    nodes,
    proxy,
    databaseUrl: `postgres://${DATABASE.user}:${DATABASE.password}@${proxy.address}:${POSTGRES_PORT}/${DATABASE.name}`,
    async leader(asked = nodes) {
      for (const node of asked) {
        const members = await askMembers(node);
        const leader = members?.find(({ role }) => role === 'leader');
        const found = nodes.find(({ name }) => name === leader?.name);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    start,
    async untilHealthy() {
      const deadlineMs = performance.now() + HEALTHY_WITHIN_MS;
      for (;;) {
        const views = await Promise.all(nodes.map(askMembers));
        const leaders = new Set(views.map((members) => members?.find(({ role }) => role === 'leader')?.name));
        const isWhole = views.every((members) => members !== undefined && isHealthy(members, replication));
        if (isWhole && leaders.size === 1) return;
        assert.ok(performance.now() < deadlineMs, `Not healthy: ${JSON.stringify(views)}; see ${directory}`);
        await sleep(POLL_MS);
      }
    },
    async remove() {
      openClusters.delete(cluster);
      await network.remove();
      await Promise.all(children.map(async (child) => child.exitCode ?? child.signalCode ?? (await ended(child))));
      await rm(directory, { recursive: true, force: true });
    },
  };

  openClusters.add(cluster);
  try {
    for (const machine of network.machines) await mkdir(dataDirOf(machine));
    for (const node of nodes) {
      const settings = patroniSettings(node, nodes, dataDirOf(node), replication);
      await writeFile(join(dataDirOf(node), 'patroni.yml'), JSON.stringify(settings));
    }
    await writeFile(join(dataDirOf(proxy), 'haproxy.cfg'), haproxySettings(nodes));
    await execute('chown', ['-R', 'postgres:postgres', directory]);
    for (const node of nodes) await start(node);
    run(proxy, 'haproxy', '-db', '-f', join(dataDirOf(proxy), 'haproxy.cfg'));
    await cluster.untilHealthy();
    await createDatabase(proxy);
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

async function createDatabase(proxy: Machine): Promise<void> {
  const client = new Client({
    host: proxy.address,
    user: SUPERUSER.username,
    password: SUPERUSER.password,
    database: 'postgres',
  });
  await client.connect();
  await client.query(`create role ${DATABASE.user} login password '${DATABASE.password}'`);
  await client.query(`create database ${DATABASE.name} owner ${DATABASE.user}`);
  await client.end();
}
