import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of 64 kB: a connection is read no further once it is 64 requests ahead of its answers, and what came with those. */
const OWED_BYTES = 1_024;
/** An answer of which nothing was read between two looks is given up. */
const LOOK_EVERY_MS = 30_000;

/** Whether answers to earlier requests of its connection are still owed. */
export const isPipelined = ({ socket }: Pick<ServerResponse, 'socket'>): boolean => socket === null;

/** Bounds how far a client may get ahead of its answers, and how long it may leave one unread. */
export function boundConnections(server: Server): void {
  // Node reads a connection no further while 64 kB of its answers wait for their turn, but counts only those that are made.
  // One that is still owed counts here: otherwise one client could have as many requests in memory as it can send.
  server.prependListener('request', (_, response: ServerResponse) => {
    if (!isPipelined(response)) return;
    const { _onPendingData: count } = response as ServerResponse & { _onPendingData(bytes: number): void };
    count(OWED_BYTES);
    response.once('socket', () => count(-OWED_BYTES));
  });

  // Not by the server's `timeout`, which Node sets anew with each byte: a twentieth of a health check. Node itself tells by
  // this number whether a write goes on.
  server.on('connection', (socket: Socket & { _handle?: { writeQueueSize: number } | null }) => {
    let unread = 0;
    const look = () => {
      const before = unread;
      unread = socket._handle?.writeQueueSize ?? 0;
      if (unread > 0 && unread === before) socket.destroy();
    };
    const looks = setInterval(look, LOOK_EVERY_MS).unref();
    socket.once('close', () => clearInterval(looks));
  });
}
