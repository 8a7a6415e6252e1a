import { setTimeout as sleep } from 'node:timers/promises';
import { pick, splitRandom } from '../faults/random.ts';
import type { Recorder } from '../record/recorder.ts';
import { type ActContext, type ActName, acts } from './acts.ts';
import { createLoadClient } from './client.ts';
import { createWorld, type LoadOrganization, type OrganizationWorld } from './world.ts';

export type { LoadOrganization, OrganizationWorld } from './world.ts';

export interface LoadOptions {
  /** Each call goes to one of them. */
  urls: readonly string[];
  organizations: readonly LoadOrganization[];
  recorder: Recorder;
  random: () => number;
  /** Clients at work at the same time. */
  clients?: number;
  /** Most acts a second, of all clients together; an act is one call, or a few. */
  perSecond?: number;
  timeoutMs?: number;
  knownWithinMs?: number;
  /** Only these acts; all unless told otherwise. */
  only?: readonly ActName[];
  /** Whether some addresses of the sandbox steer, so that orders stay `processing` for twenty seconds. */
  steers?: boolean;
  /** What earlier clients knew, to go on from there. */
  world?: OrganizationWorld[];
  /** Fills the balance after a reset; needed where an organization resets. It must not throw. */
  fund?: (world: OrganizationWorld) => Promise<void>;
}

export interface Load {
  /** Lets every client finish what it is at, so that as much as possible is known. */
  stop(): Promise<void>;
  readonly world: OrganizationWorld[];
  /** Acts that were begun. */
  acts(): number;
}

let loads = 0;

/**
 * Clients that do what organizations and recipients do, at seeded random, until they are stopped. Each draws numbers of its
 * own, so that what it does follows from the seed, and not from when the others came to draw theirs.
 */
export function startLoad(options: LoadOptions): Load {
  const { organizations, recorder, urls, clients = 8, perSecond = 80 } = options;
  const { timeoutMs = 12_000, knownWithinMs = 20_000, only = Object.keys(acts) as ActName[], steers = true } = options;
  const world = options.world ?? createWorld(organizations);
  const wheel = only.flatMap((name) => Array.from({ length: acts[name].parts }, () => acts[name].act));
  loads += 1;
  const load = loads;
  let begun = 0;
  let isStopping = false;

  async function work(random: () => number): Promise<void> {
    const client = createLoadClient({ urls, recorder, random, timeoutMs, knownWithinMs });
    try {
      while (!isStopping) {
        const pauseMs = (1_000 * clients * (0.5 + random())) / perSecond;
        const dueMs = performance.now() + pauseMs;
        begun += 1;
        const nextKey = () => `load-${load}-${begun}-${Math.floor(random() * 2 ** 32)}`;
        const context: ActContext = { client, world: pick(random, world), random, nextKey, steers, fund: fundOrThrow };
        await pick(random, wheel)(context);
        await sleep(Math.max(0, dueMs - performance.now()));
      }
    } finally {
      client.close();
    }
  }

  const fundOrThrow = (organization: OrganizationWorld) => {
    if (options.fund === undefined) throw new Error('An organization that resets needs `fund`.');
    return options.fund(organization);
  };

  const working = Promise.all(Array.from({ length: clients }, () => work(splitRandom(options.random))));
  // Told by `stop`.
  working.catch(() => undefined);
  return {
    world,
    acts: () => begun,
    async stop() {
      isStopping = true;
      await working;
    },
  };
}
