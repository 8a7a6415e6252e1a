import { SendFailure } from './send-failure.ts';

interface Waiting {
  start(): void;
  reject(error: SendFailure): void;
}

interface Lane {
  underWay: number;
  waiting: Waiting[];
  /** Runs while there is somebody waiting; every end of an act begins it anew. */
  timer: NodeJS.Timeout | undefined;
  isStalled: boolean;
}

interface LaneOptions {
  /** Most acts of one lane at the same time. */
  width: number;
  /** How long nothing may end in a full lane before those who wait in it are sent away. */
  stalledAfterMs: number;
}

/**
 * Runs acts, each in the lane of its name, so that the acts of one name never take all there is. In a lane whose acts do
 * not come to an end nobody waits: they are sent away to try again later, and what holds them stays free for the others.
 *
 * @throws SendFailure where the lane is stalled
 */
export function createLanes({ width, stalledAfterMs }: LaneOptions) {
  const lanes = new Map<string, Lane>();

  function watch(lane: Lane, name: string): void {
    clearTimeout(lane.timer);
    lane.timer = undefined;
    if (lane.waiting.length === 0) return;
    lane.timer = setTimeout(() => {
      lane.isStalled = true;
      for (const { reject } of lane.waiting.splice(0)) reject(stalled(name));
    }, stalledAfterMs);
  }

  function waitForTurn(lane: Lane, name: string): Promise<void> {
    if (lane.isStalled) return Promise.reject(stalled(name));
    return new Promise((start, reject) => {
      lane.waiting.push({ start, reject });
      if (lane.timer === undefined) watch(lane, name);
    });
  }

  return async function run<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    const lane = lanes.get(name) ?? { underWay: 0, waiting: [], timer: undefined, isStalled: false };
    lanes.set(name, lane);
    if (lane.underWay >= width) await waitForTurn(lane, name);
    else lane.underWay += 1;
    try {
      return await act();
    } finally {
      lane.isStalled = false;
      const next = lane.waiting.shift();
      // The place is handed over, so that nobody slips in between.
      if (next === undefined) lane.underWay -= 1;
      else next.start();
      watch(lane, name);
      if (lane.underWay === 0) lanes.delete(name);
    }
  };
}

const stalled = (name: string) => new SendFailure(`Messages to ${name} are slow at the moment.`, 'unsent');
