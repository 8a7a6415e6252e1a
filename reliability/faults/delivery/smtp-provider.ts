import { createServer, type Socket } from 'node:net';
import type { Certificates } from './certificates.ts';
import { type AcceptedEmail, type ConversationHost, converse } from './smtp-conversation.ts';

/** A mail server on this machine that a fault can strike anywhere in a conversation. */
export interface SmtpProvider {
  port: number;
  /** How often a message for this recipient was begun. */
  tries(recipient: string): number;
  /** What is asked at each stage of each conversation from now on. */
  strike(decide: ConversationHost['strike']): void;
  /** Ends the conversations but the silent ones, so that the next messages come on new connections. */
  hangUp(): void;
  /** Ends the silent ones. */
  endSilence(): void;
  close(): Promise<void>;
}

/**
 * @param onAccepted told of each message that was taken
 * @param certificates where STARTTLS is to be offered
 */
export async function startSmtpProvider(
  onAccepted: (email: AcceptedEmail) => void,
  certificates?: Certificates,
): Promise<SmtpProvider> {
  const tries = new Map<string, number>();
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  let conversations = 0;
  let decide: ConversationHost['strike'] = () => undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      silent.delete(socket);
    });
    conversations += 1;
    converse(socket, {
      pipelines: conversations % 2 === 0,
      certificates,
      strike: (stage, recipient) => decide(stage, recipient),
      begun: (recipient) => void tries.set(recipient, (tries.get(recipient) ?? 0) + 1),
      accept: onAccepted,
      silenced: () => {
        sockets.delete(socket);
        silent.add(socket);
      },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const end = (some: ReadonlySet<Socket>) => {
    for (const socket of some) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    tries: (recipient) => tries.get(recipient) ?? 0,
    strike(act) {
      decide = act;
    },
    hangUp: () => end(sockets),
    endSilence: () => end(silent),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        end(sockets);
        end(silent);
      }),
  };
}
