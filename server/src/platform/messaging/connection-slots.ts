import { SendFailure } from './send-failure.ts';

interface Waiting {
  start(): void;
  reject(error: SendFailure): void;
}

interface SlotGroup {
  used: number;
  waiting: Waiting[];
  /** Runs while callers wait; restarts whenever a slot is freed. */
  timer: NodeJS.Timeout | undefined;
  isStalled: boolean;
}

interface SlotOptions {
  /** Slots per name. */
  slots: number;
  /** If no slot is freed for so long, waiting callers are rejected. */
  stalledAfterMs: number;
}

/**
 * Limits how many calls run at once per name, so that one slow name never takes all connections.
 *
 * @throws SendFailure if all slots of the name are stalled, so that the message is retried later
 */
export function createConnectionSlots({ slots, stalledAfterMs }: SlotOptions) {
  const groups = new Map<string, SlotGroup>();

  function watch(group: SlotGroup, name: string): void {
    clearTimeout(group.timer);
    group.timer = undefined;
    if (group.waiting.length === 0) return;
    group.timer = setTimeout(() => {
      group.isStalled = true;
      for (const { reject } of group.waiting.splice(0)) reject(stalled(name));
    }, stalledAfterMs);
  }

  function waitForSlot(group: SlotGroup, name: string): Promise<void> {
    if (group.isStalled) return Promise.reject(stalled(name));
    return new Promise((start, reject) => {
      group.waiting.push({ start, reject });
      if (group.timer === undefined) watch(group, name);
    });
  }

  return async function run<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    const group = groups.get(name) ?? { used: 0, waiting: [], timer: undefined, isStalled: false };
    groups.set(name, group);
    if (group.used >= slots) await waitForSlot(group, name);
    else group.used += 1;
    try {
      return await act();
    } finally {
      group.isStalled = false;
      const next = group.waiting.shift();
      // Hand the slot over directly, so that no new call can take it first.
      if (next === undefined) group.used -= 1;
      else next.start();
      watch(group, name);
      if (group.used === 0) groups.delete(name);
    }
  };
}

const stalled = (name: string) => new SendFailure(`Messages to ${name} are slow at the moment.`, 'unsent', false);
