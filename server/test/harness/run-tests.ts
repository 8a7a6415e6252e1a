import { run } from 'node:test';

type RunOptions = NonNullable<Parameters<typeof run>[0]>;

/** The outcome of a test, or of a suite that failed by itself, such as in its `after`. */
export interface TestOutcome {
  file: string | undefined;
  name: string;
  /** False for a test that failed, was skipped or is still to be written. */
  hasPassed: boolean;
  /** Set if the test failed. */
  error?: Error;
}

/** Runs test files; calls `note` once for each outcome. */
export function runTests(options: RunOptions, note: (outcome: TestOutcome) => void): ReturnType<typeof run> {
  const events = run(options);
  events.on('test:pass', ({ file, name, details, skip, todo }) => {
    if (details.type !== 'suite') note({ file, name, hasPassed: skip === undefined && todo === undefined });
  });
  events.on('test:fail', ({ file, name, details: { type, error } }) => {
    const haveItsTestsFailed = type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed';
    if (!haveItsTestsFailed) note({ file, name, hasPassed: false, error });
  });
  return events;
}
