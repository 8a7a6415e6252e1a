import { createServer, type Socket } from 'node:net';
import { type AcceptedEmail, type Certificates, type ConversationHost, converse } from './smtp-conversation.ts';

/** Starts a mail server that a fault can strike at every stage. With certificates it offers STARTTLS. */
export async function startSmtpProvider(onAccepted: (email: AcceptedEmail) => void, certificates?: Certificates) {
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
    /** Decides at each stage of each conversation from now on. */
    strike(act: ConversationHost['strike']) {
      decide = act;
    },
    /** Ends the conversations except the silent ones. */
    hangUp: () => end(sockets),
    endSilence: () => end(silent),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        end(sockets);
        end(silent);
      }),
  };
}
