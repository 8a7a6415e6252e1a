import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createSender } from '../../../src/capabilities/webhooks/send-push.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { createSecret } from '../../../src/platform/base/webhook-signature.ts';
import { createCertificate } from '../../harness/certificate.ts';
import { endWithTest } from '../../harness/end-with-test.ts';

// The owner of an endpoint reads why a push failed, in plain words.

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endWithTest(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers every connection with these bytes, or closes it. */
const answering = (bytes?: string) =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => (bytes === undefined ? socket.destroy() : socket.end(bytes)));
  });

async function selfSigned(): Promise<string> {
  const { privateKey, pem } = createCertificate('localhost');
  const server = createHttps({ key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: pem });
  return `https://127.0.0.1:${await portOf(server)}/`;
}

async function closedPort(): Promise<string> {
  const server = answering();
  const port = await portOf(server);
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}/`;
}

const unresolved = (code: string) => async () => {
  throw Object.assign(new Error(`queryA ${code} shop.example`), { code, syscall: 'queryA' });
};

const cases: [what: string, url: () => Promise<string>, sentence: string, resolve?: () => Promise<never>][] = [
  [
    'a certificate of an unknown authority',
    selfSigned,
    'The server’s certificate is not of a known authority, or lacks the certificates between.',
  ],
  [
    'https to a server without TLS',
    async () => `https://127.0.0.1:${await portOf(answering('HTTP/1.1 400 Bad Request\r\n\r\n'))}/`,
    'The server does not begin TLS on this port.',
  ],
  ['a closed port', closedPort, 'The server refused the connection.'],
  [
    'a server that hangs up',
    async () => `http://127.0.0.1:${await portOf(answering())}/`,
    'The server closed the connection without an answer.',
  ],
  [
    'an answer that is not HTTP',
    async () => `http://127.0.0.1:${await portOf(answering('220 mail ready\r\n'))}/`,
    'The server’s answer was not HTTP.',
  ],
  ['an unknown name', async () => 'https://shop.example/', 'The server’s name was not found.', unresolved('ENOTFOUND')],
  [
    'name servers that refuse',
    async () => 'https://shop.example/',
    'The name servers did not answer.',
    unresolved('ECONNREFUSED'),
  ],
];

for (const [what, url, sentence, resolve] of cases)
  test(`the reason for ${what} is a sentence`, async (t) => {
    const options = { allowedNetworks: ['127.0.0.0/8'], ...(resolve && { resolve }) };
    const sender = createSender({ clock: systemClock }, options);
    t.after(() => sender.close());
    const answer = await sender.send({ url: await url(), id: 'evt_1', body: '{}', secrets: ['whsec_c2VjcmV0'] });
    assert.deepEqual([answer?.isAccepted, answer?.status, answer?.error], [false, null, sentence]);
  });

for (const [encoding, compress] of [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['zstd', (text: string) => Buffer.from(text)],
] as const)
  test(`the answer of a receiver in ${encoding} is kept as text`, async () => {
    const text = `Wrong secret. ${randomBytes(3_000).toString('hex')}`;
    const server = createHttp((request, response) => {
      request.resume();
      response.writeHead(401, { 'content-encoding': encoding }).end(compress(text));
    });
    const sender = createSender({ clock: systemClock }, { allowedNetworks: ['127.0.0.0/8'] });
    const url = `http://127.0.0.1:${await portOf(server)}/`;
    const answer = await sender.send({ url, id: 'evt_1', body: '{}', secrets: [createSecret()] });
    sender.close();
    const kept = answer?.body ?? '';
    if (encoding === 'zstd') assert.equal(kept, '(compressed: zstd)');
    else assert.ok(kept.startsWith('Wrong secret. ') && text.startsWith(kept) && kept.length <= 1_024, kept);
  });
