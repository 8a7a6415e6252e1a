import type { Socket } from 'node:net';
import { createConversation } from './conversation.ts';
import { createFraming, errorResponse, readyForQuery } from './framing.ts';
import { createLateWriter } from './late-writer.ts';

/**
 * When the connection is cut. `before`: PostgreSQL does not get the commit. `during`: PostgreSQL gets it, and the client's
 * connection is cut immediately. `after`: PostgreSQL has answered, and the answer is dropped. `panic`: the same, after an
 * error in German that PostgreSQL cannot flush its log. `denied`: PostgreSQL has committed, and the client gets an error;
 * only a positive control does that.
 */
export type Moment = 'before' | 'during' | 'after' | 'panic' | 'denied';

/** What a session asks its proxy with each message. */
export interface Rules {
  /** Returns what to do with the commit of these statements. */
  plan(statements: readonly string[]): Moment | undefined;
  /** Called when it is done. */
  done(moment: Moment): void;
  /** Called if PostgreSQL refused, or the connection ended before its answer. */
  missed(moment: Moment): void;
  /** The delay of all bytes in each direction. */
  delayMs(): number;
}

interface Awaited {
  moment: Moment | undefined;
  /** The answer so far, if it is held back. */
  held: Buffer[];
  isRefused: boolean;
}

const CANCEL_REQUEST = 80877102;
const ENCRYPTION_REQUESTS = [80877103, 80877104];

/** Passes the messages of one connection and cuts it by the rules. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one session, whose two directions share its state
export function openSession(client: Socket, server: Socket, rules: Rules): { cut(): void } {
  let isOpening = true;
  const readClient = createFraming(() => isOpening);
  const readServer = createFraming(() => false);
  const follow = createConversation();
  const awaited: Awaited[] = [];
  const toClient = createLateWriter(client, rules.delayMs);
  const toServer = createLateWriter(server, rules.delayMs);

  function cut(): void {
    client.destroy();
    server.destroy();
  }

  function open(bytes: Buffer): void {
    const code = bytes.readInt32BE(4);
    if (ENCRYPTION_REQUESTS.includes(code)) {
      // The proxy cannot read encrypted bytes.
      toClient.write(Buffer.from('N'));
      return;
    }
    if (code !== CANCEL_REQUEST) isOpening = false;
    toServer.write(bytes);
  }

  client.on('data', (chunk: Buffer) => {
    for (const message of readClient(chunk)) {
      if (client.destroyed) return;
      if (message.type === '') open(message.bytes);
      else hear(message);
    }
  });

  function hear(message: Parameters<typeof follow>[0]): void {
    const cycle = follow(message);
    if (cycle === undefined) return;
    const moment = cycle.ends.length > 0 ? rules.plan(cycle.ends) : undefined;
    if (moment === 'before') {
      cut();
      rules.done(moment);
      return;
    }
    if (cycle.isAnswered) awaited.push({ moment, held: [], isRefused: false });
    toServer.write(Buffer.concat(cycle.bytes));
    if (moment === 'during') {
      client.destroy();
      rules.done(moment);
    }
  }

  server.on('data', (chunk: Buffer) => {
    for (const { type, bytes } of readServer(chunk)) {
      const [first] = awaited;
      if (first?.moment === undefined) toClient.write(bytes);
      else first.held.push(bytes);
      if (first === undefined) continue;
      if (type === 'E') first.isRefused = true;
      if (type !== 'Z') continue;
      awaited.shift();
      if (first.moment !== undefined) settle(first, first.moment);
    }
  });

  function settle({ held, isRefused }: Awaited, moment: Moment): void {
    if (moment === 'during') return;
    if (isRefused) {
      rules.missed(moment);
      toClient.write(Buffer.concat(held));
      return;
    }
    if (moment === 'panic') client.end(errorResponse('PANIK', '58030', 'could not fdatasync file'), () => cut());
    else if (moment === 'after') cut();
    else toClient.write(Buffer.concat([errorResponse('ERROR', 'XX000', 'The proxy lies.'), readyForQuery]));
    rules.done(moment);
  }

  for (const socket of [client, server]) {
    socket.on('error', () => {
      // `close` follows.
    });
    socket.on('close', () => (socket === client ? toServer : toClient).end());
  }
  server.on('close', () => {
    for (const { moment } of awaited.splice(0)) if (moment !== undefined && moment !== 'during') rules.missed(moment);
  });
  return { cut };
}
