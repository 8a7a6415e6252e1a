import type { Cluster } from './cluster.ts';
import type { Machine } from './network.ts';

/** A way to break and to repair the leader. */
export interface LeaderStrike {
  name: string;
  strike(cluster: Cluster, leader: Machine): Promise<void>;
  heal(cluster: Cluster, leader: Machine): Promise<void>;
}

const join: LeaderStrike['heal'] = ({ network }, leader) => network.join(leader);

/** The worst case for a commit: clients reach the leader, but the leader reaches neither its standbys nor etcd. */
export const cutOffFromCluster: LeaderStrike = {
  name: 'cut off from the cluster but not from HAProxy',
  strike: ({ network, proxy }, leader) => network.cutOff(leader, [proxy.address]),
  heal: join,
};

/** Each strikes the whole machine: PostgreSQL, Patroni and etcd. */
export const leaderStrikes: readonly LeaderStrike[] = [
  {
    name: 'killed',
    strike: ({ network }, leader) => network.signal(leader, 'SIGKILL'),
    heal: (cluster, leader) => cluster.start(leader),
  },
  {
    name: 'frozen',
    strike: ({ network }, leader) => network.signal(leader, 'SIGSTOP'),
    heal: ({ network }, leader) => network.signal(leader, 'SIGCONT'),
  },
  {
    name: 'cut off',
    strike: ({ network }, leader) => network.cutOff(leader),
    heal: join,
  },
  cutOffFromCluster,
];
