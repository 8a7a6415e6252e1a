import { run } from 'node:test';

type RunOptions = NonNullable<Parameters<typeof run>[0]>;

/** What became of a test; or of a suite that failed by itself, as by its `after`, and not only by its tests. */
export interface TestOutcome {
  file: string | undefined;
  name: string;
  /** A test that was skipped, or is still to be done, has not. */
  hasPassed: boolean;
  /** Of one that failed. */
  error?: Error;
}

/** Runs test files; `note` hears of each outcome once. */
export function runTests(options: RunOptions, note: (outcome: TestOutcome) => void): ReturnType<typeof run> {
  const events = run(options);
  events.on('test:pass', ({ file, name, details, skip, todo }) => {
    if (details.type !== 'suite') note({ file, name, hasPassed: skip === undefined && todo === undefined });
  });
  events.on('test:fail', ({ file, name, details: { type, error } }) => {
    const isToldByItsTests = type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed';
    if (!isToldByItsTests) note({ file, name, hasPassed: false, error });
  });
  return events;
}
