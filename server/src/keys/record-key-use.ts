import type { Deps } from '../deps.ts';
import { updateLastUsed } from './queries.ts';

const MINUTE_MS = 60_000;
const FLUSH_INTERVAL_MS = 5_000;
/** Some 2 MB. Keys beyond these within one flush go unrecorded until they are used again. */
const MAX_KEYS = 10_000;
/** One statement of this size takes some milliseconds. */
const MAX_KEYS_PER_STATEMENT = 1_000;

interface KeyUse {
  organizationId: string;
  keyId: string;
  minuteMs: number;
  isRecorded: boolean;
}

export interface KeyUseRecorder {
  /** Notes that the key was used now. Takes UUIDs; costs a look into a map. */
  record(organizationId: string, keyId: string): void;
  /** Ends the timer and writes what is noted. */
  stop(): Promise<void>;
}

/** Records when each key was last used, to the minute and in the background: a request never waits for it. */
export function createKeyUseRecorder({
  database,
  clock,
  log,
}: Pick<Deps, 'database' | 'clock' | 'log'>): KeyUseRecorder {
  const uses = new Map<string, KeyUse>();
  let flushing: Promise<void> | undefined;

  const thisMinuteMs = () => {
    const nowMs = clock.now();
    return nowMs - (nowMs % MINUTE_MS);
  };

  async function write(due: KeyUse[]): Promise<void> {
    await updateLastUsed(database.pool, [
      due.map(({ organizationId }) => organizationId),
      due.map(({ keyId }) => keyId),
      due.map(({ minuteMs }) => new Date(minuteMs)),
    ]);
    for (const use of due) use.isRecorded = true;
  }

  async function writeAll(): Promise<void> {
    const due = [...uses.values()].filter(({ isRecorded }) => !isRecorded);
    try {
      for (let start = 0; start < due.length; start += MAX_KEYS_PER_STATEMENT)
        await write(due.slice(start, start + MAX_KEYS_PER_STATEMENT));
    } catch (error) {
      log.warn({ err: error }, 'The last use of keys could not be recorded; it is tried again.');
    }
    for (const use of uses.values()) if (use.isRecorded && use.minuteMs < thisMinuteMs()) uses.delete(use.keyId);
  }

  function flush(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  const timer = clock.setInterval(() => void flush(), FLUSH_INTERVAL_MS);

  return {
    record(organizationId, keyId) {
      const minuteMs = thisMinuteMs();
      const use = uses.get(keyId);
      if (use?.minuteMs === minuteMs || (use === undefined && uses.size >= MAX_KEYS)) return;
      uses.set(keyId, { organizationId, keyId, minuteMs, isRecorded: false });
    },
    async stop() {
      clock.clearInterval(timer);
      // A flush under way began before the latest uses were noted.
      await flushing;
      await flush();
    },
  };
}
