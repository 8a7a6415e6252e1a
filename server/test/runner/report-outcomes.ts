import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

// The reporter inside a process of tests: prints for people, and sends each outcome to the runner.

/** A test's outcome, or that of a suite which failed by itself, such as in its `after`. */
export interface Outcome {
  name: string;
  /** False for a test that failed, was skipped or is still to be written. */
  hasPassed: boolean;
  /** Why it has not passed. */
  error?: string;
}

/** What a process of tests sends: a file begins, a test has ended, a file has ended. */
export type Message =
  | { type: 'begun'; file: string }
  | ({ type: 'outcome'; file: string } & Outcome)
  | { type: 'ended'; file: string; durationMs: number };

/** Without the frames of Node's test runner. */
const explain = (error: unknown) => inspect(error).replace(/^ +at .*node:(?:internal|async_hooks).*\n/gm, '');

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;

function outcomeOf({ type, data }: Ended): Outcome {
  const { name, skip, todo } = data;
  if (type === 'test:fail') {
    const { error } = data.details;
    return { name, hasPassed: false, error: explain(error.cause instanceof Error ? error.cause : error) };
  }
  if (skip === undefined && todo === undefined) return { name, hasPassed: true };
  return { name, hasPassed: false, error: `skipped: ${skip ?? todo}` };
}

/** A suite counts if it failed by itself; the failures of its tests have been counted. */
function counts({ type, data }: Ended): boolean {
  if (data.details.type !== 'suite') return true;
  return type === 'test:fail' && (data.details.error as { failureType?: string }).failureType !== 'subtestsFailed';
}

/** Bytes, because tests that run a command in their process read the text that it prints. */
const print = (text: string, depth: number) => Buffer.from(`${text.replace(/^/gm, '  '.repeat(depth))}\n`);

/** The runner reads from another process; without one, as in `node FILE`, nothing is sent. */
const send = (message: Message) => void process.send?.(message);

export default async function* reportOutcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<Buffer> {
  let file = '';
  for await (const event of events) {
    const { type, data } = event;
    if (type === 'test:dequeue' && data.nesting === 0) send({ type: 'begun', file: data.name });
    if (type === 'test:start' && data.nesting === 0) file = data.name;
    // Of a test, not of the whole run.
    if (type === 'test:diagnostic' && data.nesting > 0) yield print(`ℹ ${data.message}`, data.nesting + 1);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const outcome = outcomeOf(event);
    if (counts(event)) send({ type: 'outcome', file, ...outcome });
    const durationMs = data.details.duration_ms;
    const line = `${outcome.hasPassed ? '✔' : '✖'} ${data.name} (${(durationMs / 1000).toFixed(2)} s)`;
    yield print(line, data.nesting);
    if (outcome.error !== undefined && counts(event)) yield print(outcome.error, data.nesting + 2);
    if (data.nesting === 0) send({ type: 'ended', file, durationMs });
  }
}
