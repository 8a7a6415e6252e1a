import type { Cluster } from './cluster.ts';
import type { Machine } from './network.ts';

/** A way to lose the leader, and what makes its machine whole again. */
export interface LeaderStrike {
  name: string;
  strike(cluster: Cluster, leader: Machine): Promise<void>;
  heal(cluster: Cluster, leader: Machine): Promise<void>;
}

const join: LeaderStrike['heal'] = ({ network }, leader) => network.join(leader);

/** Clients still reach it, and it reaches neither its standbys nor etcd: the worst that can happen to a commit. */
export const cutOffFromCluster: LeaderStrike = {
  name: 'cut off from the cluster but not from HAProxy',
  strike: ({ network, proxy }, leader) => network.cutOff(leader, [proxy.address]),
  heal: join,
};

/** Each takes the whole machine: PostgreSQL, Patroni and the member of etcd. */
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
