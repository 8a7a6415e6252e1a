import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of 64 kB: a connection is read no further once it is 64 requests ahead of its answers, and what came with those. */
const OWED_BYTES = 1_024;
/** Without a byte that came or went; twice as long where the first of an answer went. */
const STALLED_AFTER_MS = 60_000;

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

  server.setTimeout(STALLED_AFTER_MS, (socket: Socket) => {
    const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
    // Nobody reads it. One that is still being made may take its time, as that of a large reset.
    if (!answer || answer.headersSent) socket.destroy();
  });
}
