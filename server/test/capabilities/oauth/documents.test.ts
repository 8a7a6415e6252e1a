import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { agree, assistantOf, openBrowser, REDIRECT, visit } from '../../harness/assistant.ts';
import { createCertificate } from '../../harness/certificate.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Assistants that describe themselves by a document at their own address, which is their id.

const service = openForFile(() => startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32,::1/128' }));
const outside = openForFile(() => service.second({ WEBHOOK_ALLOWED_NETWORKS: '' }));

/** Answers by path; each is read once and kept for a while. */
const answers = new Map<string, { status?: number; headers?: Record<string, string>; body: string }>();
const reads: string[] = [];

const site = openForFile(async () => {
  const { pem, privateKey } = createCertificate('localhost');
  setDefaultCACertificates([...getCACertificates('default'), pem]);
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const server = createServer({ key, cert: pem }, (request, response) => {
    reads.push(request.url ?? '');
    const { status = 200, headers = {}, body } = answers.get(request.url ?? '') ?? { status: 404, body: '' };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, close: () => server.close() };
});

function describe(path: string, changes: object = {}) {
  const client_id = site.url + path;
  const document = { client_id, client_name: 'Claude', redirect_uris: [REDIRECT], ...changes };
  answers.set(path, { body: JSON.stringify(document) });
  return client_id;
}

test('an assistant signs in by its document, whose site the person sees', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const assistant = assistantOf(service, describe('/claude.json'));
  const connectionId = await assistant.begin(browser);
  const { text } = await browser.call('GET', `/connections/${connectionId}`);
  assert.deepEqual(JSON.parse(text).client, {
    name: 'Claude',
    site: 'localhost',
    goes_to: 'assistant.example',
  });
  const code = (await agree(browser, organization, connectionId)).get('code') ?? '';
  const { status, body } = await assistant.exchange(code);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await assistant.refresh(body.refresh_token)).status, 200);
});

test('a document that is not its own, is elsewhere, too long or asks for a secret is refused', async () => {
  const browser = await openBrowser(service);
  const moved = describe('/moved.json');
  answers.set('/moved.json', { status: 302, headers: { location: `${site.url}/claude.json` }, body: '' });
  const long = describe('/long.json', { client_name: 'x'.repeat(20_000) });
  const broken = describe('/broken.json');
  answers.set('/broken.json', { body: '{"client_id":' });
  for (const clientId of [
    describe('/stolen.json', { client_id: `${site.url}/claude.json` }),
    describe('/secret.json', { client_secret: 's', token_endpoint_auth_method: 'client_secret_post' }),
    describe('/script.json', { redirect_uris: ['javascript:alert(1)'] }),
    describe('/plain.json', { redirect_uris: ['http://assistant.example/callback'] }),
    `${site.url}/missing.json`,
    moved,
    long,
    broken,
    `${site.url.replace('https:', 'http:')}/claude.json`,
    `${site.url}/a/../claude.json`,
  ]) {
    const redirect_uri = clientId.includes('plain') ? 'http://assistant.example/callback' : REDIRECT;
    const { status, location } = await visit(browser, assistantOf(service, clientId).addressOf({ redirect_uri }));
    assert.deepEqual([status, location], [400, undefined], clientId);
  }
});

test('no document of a private network is read unless the operator allows the network', async () => {
  const browser = await openBrowser(service);
  const clientId = describe('/private.json');
  const { status } = await visit(browser, assistantOf(outside, clientId).addressOf());
  assert.equal(status, 400);
  assert.ok(!reads.includes('/private.json'));
  await assistantOf(service, clientId).begin(browser);
  assert.ok(reads.includes('/private.json'));
});
