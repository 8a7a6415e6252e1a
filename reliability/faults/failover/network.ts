// Network namespaces with their own addresses on a bridge. They act as machines.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const BRIDGE = 'bestow-fo';
const SUBNET = '10.213.77';
const FIRST_HOST = 11;
const KILLED_AGAIN_AFTER_MS = 20;

export interface Machine {
  name: string;
  address: string;
  namespace: string;
}

export interface Network {
  machines: Machine[];
  /** Drops the packets of the machine, except to itself and to these addresses. */
  cutOff(machine: Machine, exceptAddresses?: readonly string[]): Promise<void>;
  join(machine: Machine): Promise<void>;
  /** Signals every process of the machine. */
  signal(machine: Machine, name: NodeJS.Signals): Promise<void>;
  /** Kills all processes and removes the namespaces. */
  remove(): Promise<void>;
}

const ip = (...args: string[]) => execute('ip', args);
const inNamespace = (namespace: string, ...command: string[]) => ip('netns', 'exec', namespace, ...command);
const namespaceOf = (name: string) => `${BRIDGE}-${name}`;

/** Signals all processes of a namespace and returns their number. */
async function signalAll(namespace: string, name: NodeJS.Signals): Promise<number> {
  const { stdout } = await ip('netns', 'pids', namespace);
  const pids = stdout.split('\n').filter(Boolean);
  for (const pid of pids)
    try {
      process.kill(Number(pid), name);
    } catch {
      // The process has ended.
    }
  return pids.length;
}

/** Lists the namespaces with our prefix, also of killed runs. */
async function listNamespaces(): Promise<string[]> {
  const { stdout } = await ip('netns', 'list');
  return stdout.split('\n').flatMap((line) => {
    const [name = ''] = line.split(' ');
    return name.startsWith(`${BRIDGE}-`) ? [name] : [];
  });
}

/** Lists the bridge and the cables in it. */
async function listLinks(): Promise<string[]> {
  const { stdout } = await ip('-json', 'link', 'show');
  return (JSON.parse(stdout) as { ifname: string }[])
    .map(({ ifname }) => ifname)
    .filter((name) => name.startsWith(BRIDGE));
}

async function removeAll(): Promise<void> {
  for (const namespace of await listNamespaces()) {
    while ((await signalAll(namespace, 'SIGKILL')) > 0) await sleep(KILLED_AGAIN_AFTER_MS);
    await ip('netns', 'delete', namespace);
  }
  // The kernel removes the cables of a namespace late.
  for (const link of await listLinks()) await ip('link', 'delete', link).catch(() => undefined);
}

/** Plugs a new namespace into the bridge. */
async function addMachine(name: string, index: number): Promise<Machine> {
  const machine = { name, address: `${SUBNET}.${FIRST_HOST + index}`, namespace: namespaceOf(name) };
  const cable = `${BRIDGE}${index}`;
  await ip('netns', 'add', machine.namespace);
  await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', machine.namespace);
  await ip('link', 'set', cable, 'master', BRIDGE, 'up');
  await inNamespace(machine.namespace, 'ip', 'address', 'add', `${machine.address}/24`, 'dev', 'eth0');
  await inNamespace(machine.namespace, 'ip', 'link', 'set', 'eth0', 'up');
  await inNamespace(machine.namespace, 'ip', 'link', 'set', 'lo', 'up');
  return machine;
}

/**
 * Creates the namespaces after removing those of an earlier run. Only one such network exists at a time.
 *
 * @throws if the user is not root
 */
export async function createNetwork(names: readonly string[]): Promise<Network> {
  await removeAll();
  const machines: Machine[] = [];
  try {
    await ip('link', 'add', BRIDGE, 'type', 'bridge');
    await ip('address', 'add', `${SUBNET}.1/24`, 'dev', BRIDGE);
    await ip('link', 'set', BRIDGE, 'up');
    for (const [index, name] of names.entries()) machines.push(await addMachine(name, index));
  } catch (error) {
    await removeAll();
    throw error;
  }
  return {
    machines,
    async cutOff({ namespace }, exceptAddresses = []) {
      const rules = (chain: string, itself: string, other: string) => {
        const accepted = [`${itself} lo accept`, ...exceptAddresses.map((address) => `ip ${other} ${address} accept`)];
        return `chain ${chain} { type filter hook ${chain} priority 0; policy drop; ${accepted.join('; ')}; }`;
      };
      const table = `table ip cut {\n${rules('input', 'iifname', 'saddr')}\n${rules('output', 'oifname', 'daddr')}\n}`;
      await inNamespace(namespace, 'nft', table);
    },
    async join({ namespace }) {
      await inNamespace(namespace, 'nft', 'delete', 'table', 'ip', 'cut');
    },
    async signal({ namespace }, name) {
      await signalAll(namespace, name);
    },
    remove: removeAll,
  };
}
