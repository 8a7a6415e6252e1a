import { setTimeout as sleep } from 'node:timers/promises';
import { pick, splitRandom } from '../faults/random.ts';
import type { Recorder } from '../record/recorder.ts';
import { type ActContext, type ActName, acts } from './acts.ts';
import { createLoadClient } from './client.ts';
import { createStates, type LoadOrganization, type OrganizationState } from './state.ts';

export type { LoadOrganization, OrganizationState } from './state.ts';

export interface LoadOptions {
  /** Each call picks one. */
  urls: readonly string[];
  organizations: readonly LoadOrganization[];
  recorder: Recorder;
  random: () => number;
  clients?: number;
  /** The acts of all clients per second; an act is one or a few calls. */
  perSecond?: number;
  timeoutMs?: number;
  knownWithinMs?: number;
  /** Limits the load to these acts. */
  only?: readonly ActName[];
  /** Whether some orders stay `processing` for 20 s. */
  steers?: boolean;
  /** The states of an earlier load. */
  states?: OrganizationState[];
  /** Fills the balance after a reset; must not throw. */
  fund?: (state: OrganizationState) => Promise<void>;
}

export interface Load {
  /** Waits until every client has finished its act. */
  stop(): Promise<void>;
  readonly states: OrganizationState[];
  /** The number of acts so far. */
  acts(): number;
}

let loads = 0;

/** Starts clients that act as organizations and recipients at seeded random until `stop`. Each has its own generator. */
export function startLoad(options: LoadOptions): Load {
  const { organizations, recorder, urls, clients = 8, perSecond = 80 } = options;
  const { timeoutMs = 12_000, knownWithinMs = 20_000, only = Object.keys(acts) as ActName[], steers = true } = options;
  const states = options.states ?? createStates(organizations);
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
        const context: ActContext = { client, state: pick(random, states), random, nextKey, steers, fund: fundOrThrow };
        await pick(random, wheel)(context);
        await sleep(Math.max(0, dueMs - performance.now()));
      }
    } finally {
      client.close();
    }
  }

  const fundOrThrow = (organization: OrganizationState) => {
    if (options.fund === undefined) throw new Error('An organization that resets needs `fund`.');
    return options.fund(organization);
  };

  const working = Promise.all(Array.from({ length: clients }, () => work(splitRandom(options.random))));
  // `stop` rethrows it.
  working.catch(() => undefined);
  return {
    states,
    acts: () => begun,
    async stop() {
      isStopping = true;
      await working;
    },
  };
}
