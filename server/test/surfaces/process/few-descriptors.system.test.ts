import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { BESTOW, run, temporaryDirectory, until } from '../../harness/server-process.ts';

const FILES = 256;
const CLIENTS = 400;
const REQUEST = 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Opens a connection with one request. */
function openConnection(t: { after(act: () => void): void }, port: number) {
  const connection = { socket: connect(port, 'localhost'), text: '', isClosed: false };
  const { socket } = connection;
  t.after(() => socket.destroy());
  socket.setEncoding('utf8').on('data', (text: string) => {
    connection.text += text;
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      connection.isClosed = true;
    });
  socket.write(REQUEST);
  return connection;
}

test('a server with few descriptors keeps some, refuses clients and says so', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const limited = `ulimit -n ${FILES} && exec "$0" "$@"`;
  const server = run('sh', ['-c', limited, process.execPath, BESTOW, 'serve'], { DATA_DIR: dataDir, PORT: '0' });
  const port = Number(new URL((await server.ready()).address).port);
  const first = openConnection(t, port);
  await until(() => first.text.includes('200 OK'), 'the first client is answered');
  const others = Array.from({ length: CLIENTS }, () => openConnection(t, port));
  await until(() => others.every(({ text, isClosed }) => isClosed || text !== ''), 'each is answered or refused');
  assert.ok(others.some(({ text }) => text !== '') && others.some(({ text }) => text === ''));
  const free = FILES - readdirSync(`/proc/${server.child.pid}/fd`).length;
  assert.ok(free > 50, `${free} descriptors are free`);
  await until(() => server.stdout().includes('New connections were refused'), 'the log says so');
  first.text = '';
  first.socket.write(REQUEST);
  await until(() => first.text.includes('200 OK'), 'the first client is answered again');
  for (const { socket } of others) socket.destroy();
  await until(async () => {
    const next = openConnection(t, port);
    await until(() => next.text !== '' || next.isClosed, 'it is answered or refused');
    return next.text.includes('200 OK');
  }, 'a new client is answered');
});
