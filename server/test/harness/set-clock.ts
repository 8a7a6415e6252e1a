import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from './debian-programs.ts';
import { endWithTest } from './end-with-test.ts';

/** The clock of the processes that run with these variables, as if somebody had set it on their machine. */
export interface SetClock {
  variables: Record<string, string>;
  /** Sets it this far ahead of the true time; below 0 behind it. */
  setAhead(ms: number): Promise<void>;
}

export async function createSetClock(): Promise<SetClock> {
  // PostgreSQL reads it as another user.
  const directory = await mkdtemp(join(tmpdir(), 'bestow-clock-'));
  await chmod(directory, 0o755);
  endWithTest(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'ahead');
  const setAhead = (ms: number) => writeFile(file, `${ms < 0 ? '' : '+'}${ms / 1_000}\n`, { mode: 0o644 });
  await setAhead(0);
  return {
    variables: {
      LD_PRELOAD: programPath('faketime'),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // A new time does not move the clock of timers.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setAhead,
  };
}
