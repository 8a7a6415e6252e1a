import type { Socket } from 'node:net';
import { headerOf, nextReply, open, type Reply } from './wire.ts';

/** A connection that is kept open for one request after another, and opened anew where the service ends it. */
export interface Lane {
  /**
   * The answer to these bytes.
   *
   * @param isAlone whether the bytes may be more or less than one request: the connection is not used again
   * @throws Error where there is no answer in time, or it is none
   */
  ask(bytes: Uint8Array, isAlone?: boolean): Promise<Reply>;
  close(): void;
}

const ANSWER_WITHIN_MS = 12_000;

export function createLane(url: string): Lane {
  let socket: Socket | undefined;
  let received: Buffer = Buffer.alloc(0);
  let wake = () => {};

  async function connected(): Promise<Socket> {
    if (socket?.writable && !socket.readableEnded && received.length === 0) return socket;
    socket?.destroy();
    received = Buffer.alloc(0);
    const opened = await open(url);
    socket = opened;
    opened.on('data', (chunk: Buffer) => {
      if (opened !== socket) return;
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      wake();
    });
    for (const event of ['end', 'close'] as const) opened.on(event, () => wake());
    return opened;
  }

  async function finalReply(of: Socket): Promise<Reply> {
    const deadline = setTimeout(() => of.destroy(), ANSWER_WITHIN_MS);
    try {
      for (;;) {
        const next = nextReply(received);
        if (next !== undefined) {
          received = next.rest;
          if (next.reply.status >= 200) return next.reply;
        } else if (of.readableEnded || of.destroyed) {
          throw new Error(`no whole answer: ${JSON.stringify(received.toString('latin1').slice(0, 80))}`);
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  function hangUp(): void {
    socket?.destroy();
    socket = undefined;
    received = Buffer.alloc(0);
  }

  return {
    async ask(bytes, isAlone = false) {
      if (isAlone) hangUp();
      const current = await connected();
      current.write(bytes);
      try {
        const reply = await finalReply(current);
        if (isAlone || headerOf(reply, 'connection') === 'close') hangUp();
        return reply;
      } catch (error) {
        hangUp();
        throw error;
      }
    },
    close: hangUp,
  };
}
