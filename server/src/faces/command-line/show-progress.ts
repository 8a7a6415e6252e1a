import { printable } from '../../platform/base/printable.ts';

const WIDTH = 24;
const EVERY_MS = 100;
const SECOND_MS = 1_000;
const CLEAR_LINE = '\r\u001b[K';

/** Shows how far a command is. */
export interface Progress {
  /** @param done how many of the items are done */
  step(done: number): void;
  /** Clears the line. */
  end(): void;
}

/**
 * Draws a line on standard error, at a terminal only: a bar if the total is known, else a count.
 *
 * @param items what is counted, such as `gifts`
 */
export function showProgress(items: string, total?: number): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { step: () => undefined, end: () => undefined };
  let drawnAt = 0;
  return {
    step(done) {
      const now = performance.now();
      if (now - drawnAt < EVERY_MS && done !== total) return;
      drawnAt = now;
      stderr.write(`${CLEAR_LINE}${printable(lineOf(items, done, total))}`);
    },
    end: () => void stderr.write(CLEAR_LINE),
  };
}

/**
 * Shows at a terminal what a command is doing, and for how many seconds, on a line of standard error that goes at the end.
 *
 * @param what such as `Verifying the ledger`
 * @param act may say how far it is
 */
export async function showWork<Result>(
  what: string,
  act: (say: (progress: string) => void) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process;
  if (!stderr.isTTY) return await act(() => undefined);
  const startedAt = performance.now();
  let line = what;
  const draw = () => {
    const seconds = Math.floor((performance.now() - startedAt) / SECOND_MS);
    stderr.write(`${CLEAR_LINE}${printable(`${line}, ${seconds} s`)}`);
  };
  draw();
  const timer = setInterval(draw, SECOND_MS);
  try {
    return await act((progress) => {
      line = `${what}: ${progress}`;
      draw();
    });
  } finally {
    clearInterval(timer);
    stderr.write(CLEAR_LINE);
  }
}

function lineOf(items: string, done: number, total: number | undefined): string {
  if (total === undefined) return `${done} ${items}`;
  const filled = Math.round((done / total) * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done} of ${total} ${items}`;
}
