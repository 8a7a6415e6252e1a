import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endWithTest } from '../../../server/test/harness/end-with-test.ts';

/** The way between a browser and the service, which can break. */
export async function startLine() {
  let port = 0;
  let state: 'whole' | 'cut' | 'without answers' = 'whole';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    near.on('data', (data) => far.write(data)).on('close', () => far.destroy());
    far.on('data', (data) => (state === 'whole' ? near.write(data) : near.destroy())).on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(target: string) {
      port = Number(new URL(target).port);
    },
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    /** Requests arrive, answers do not. */
    loseAnswers() {
      state = 'without answers';
    },
    restore() {
      state = 'whole';
    },
    close: endWithTest(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    }),
  };
}
