import type { FastifyInstance } from 'fastify';
import { hasKey } from '../../platform/authentication/caller.ts';
import type { Deps } from '../deps.ts';
import { updateLastUsed } from './queries.ts';

const MINUTE_MS = 60_000;
const FLUSH_INTERVAL_MS = 5_000;
/** About 2 MB. Further keys are recorded at a later use. */
const MAX_KEYS = 10_000;
/** A statement of this size takes a few milliseconds. */
const MAX_KEYS_PER_STATEMENT = 1_000;

interface KeyUse {
  organizationId: string;
  keyId: string;
  minuteMs: number;
  isRecorded: boolean;
}

/** Records when each key was last used, to the minute and in the background; the rest when the server closes. */
export function recordKeyUse(
  app: FastifyInstance,
  { database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>,
): void {
  const uses = new Map<string, KeyUse>();
  let flushing: Promise<void> | undefined;

  const thisMinuteMs = () => {
    const nowMs = clock.now();
    return nowMs - (nowMs % MINUTE_MS);
  };

  async function write(due: KeyUse[]): Promise<void> {
    await updateLastUsed(database.shards, [
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
      log.warn({ err: error }, 'Could not record the last use of keys; will retry.');
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

  function record(organizationId: string, keyId: string): void {
    const minuteMs = thisMinuteMs();
    const use = uses.get(keyId);
    if (use?.minuteMs === minuteMs || (use === undefined && uses.size >= MAX_KEYS)) return;
    uses.set(keyId, { organizationId, keyId, minuteMs, isRecorded: false });
  }

  app.addHook('onSend', ({ caller }, _reply, _payload, done) => {
    if (caller !== undefined && hasKey(caller)) record(caller.organizationId, caller.found.key_id);
    done();
  });
  app.addHook('onClose', async () => {
    clock.clearInterval(timer);
    // A running flush may have started before the latest uses.
    await flushing;
    await flush();
  });
}
