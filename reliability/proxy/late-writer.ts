import type { Socket } from 'node:net';

/** Writes to a socket with a delay, in order. */
export interface LateWriter {
  write(bytes: Buffer): void;
  /** Ends the socket after the writes. */
  end(): void;
}

export function createLateWriter(socket: Socket, delayMs: () => number): LateWriter {
  const waiting: { dueMs: number; act(): void }[] = [];

  function later(act: () => void): void {
    const delay = delayMs();
    if (delay === 0 && waiting.length === 0) {
      act();
      return;
    }
    waiting.push({ dueMs: performance.now() + delay, act });
    if (waiting.length === 1) setTimeout(actInOrder, delay);
  }

  function actInOrder(): void {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const leftMs = first.dueMs - performance.now();
      if (leftMs > 0) {
        setTimeout(actInOrder, Math.ceil(leftMs));
        return;
      }
      first.act();
      waiting.shift();
    }
  }

  return {
    write: (bytes) =>
      later(() => {
        if (!socket.destroyed) socket.write(bytes);
      }),
    end: () => later(() => socket.end()),
  };
}
