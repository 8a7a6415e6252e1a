import { printable } from '../../platform/base/printable.ts';

const WIDTH = 24;
const EVERY_MS = 100;

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
      stderr.write(`\r\u001b[K${printable(lineOf(items, done, total))}`);
    },
    end: () => void stderr.write('\r\u001b[K'),
  };
}

function lineOf(items: string, done: number, total: number | undefined): string {
  if (total === undefined) return `${done} ${items}`;
  const filled = Math.round((done / total) * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done} of ${total} ${items}`;
}
