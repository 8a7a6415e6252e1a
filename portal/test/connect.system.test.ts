import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { statusAndCode } from '../../server/test/harness/agent-grant.ts';
import { assistantOf, register } from '../../server/test/harness/assistant.ts';
import { ADMIN, look, MEMBER, type PortalService, startPortal } from './harness/portal.ts';

// A person signs an assistant in.

let portal: PortalService;
/** The assistant’s own page, which gets the answer. */
let receiver: Server;
let redirect: string;
const answers: URLSearchParams[] = [];

before(async () => {
  portal = await startPortal();
  receiver = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) answers.push(new URL(request.url, redirect).searchParams);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Back at the assistant</title>');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  redirect = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`;
});
after(async () => {
  receiver?.close();
  await portal?.close();
});

/** A visit that is signed in at the public address, where assistants send people. */
async function visitAs(email: string) {
  const visit = await portal.visit(email);
  const { hostname: domain } = new URL(portal.service.service.deps.publicUrl());
  const cookies = await visit.context.cookies();
  await visit.context.addCookies(cookies.map((cookie) => ({ ...cookie, domain })));
  visit.page.setDefaultTimeout(10_000);
  return visit;
}

/** Registers an assistant; `open` opens its sign-in in a page. */
async function createAssistant(client_name: string, scope?: string) {
  const { body } = await register(portal.service, { client_name, redirect_uris: [redirect] });
  const assistant = assistantOf(portal.service, body.client_id);
  const address = assistant.addressOf({ redirect_uri: redirect, scope });
  const own = portal.service.service.deps.publicUrl();
  return { ...assistant, open: (page: Page) => page.goto(address.replace(portal.service.url, own)) };
}

test('a person sees who asks, chooses what it may do, and revokes it later', async () => {
  await using visit = await visitAs(ADMIN);
  const { page, complaints } = visit;
  const assistant = await createAssistant('Claude', 'read order links');
  await assistant.open(page);
  await page.getByRole('heading', { name: 'Connect “Claude”?' }).waitFor();
  await page.getByText('A program on this device').waitFor();
  await page.getByText('No one: any program can use this name').waitFor();
  await look(page, 'connect-who');
  await page.getByRole('radio', { name: /Sandbox$/ }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Connect “Claude”', exact: true }).waitFor();
  assert.ok(await page.getByRole('checkbox', { name: 'Manage gifts' }).isDisabled());
  await page.getByRole('textbox', { name: 'Per day' }).fill('250');
  await look(page, 'connect-terms');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.waitForURL(/\/callback\?/);
  const answer = answers.pop();
  const { status, body } = await assistant.exchange(answer?.get('code') ?? '', { redirect_uri: redirect });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.scope, 'read order');

  await page.goto(`${portal.service.service.deps.publicUrl()}${portal.at('/agents')}`);
  const shown = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Claude' }) });
  await shown.getByText('Signs in as “Claude”').waitFor();
  await shown.getByText('$250 per day').waitFor();
  assert.equal(await shown.getByRole('button', { name: /Replace token/ }).count(), 0);
  await look(page, 'connect-agents');
  await shown.getByRole('button', { name: 'Revoke Claude' }).click();
  await page.getByRole('button', { name: 'Revoke agent' }).click();
  await page.getByText('Revoked “Claude”.').waitFor();
  assert.deepEqual(await statusAndCode(portal.service, body.access_token), [401, 'api_key_revoked']);
  assert.deepEqual(complaints, []);
});

test('a person who declines leads back, and an answered sign-in says so', async () => {
  await using visit = await visitAs(ADMIN);
  const { page } = visit;
  const assistant = await createAssistant('Claude');
  await assistant.open(page);
  const asked = page.url();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.waitForURL(/\/callback\?/);
  assert.equal(answers.pop()?.get('error'), 'access_denied');
  await page.goto(asked);
  await page.getByText('This was answered already').waitFor();
  await look(page, 'connect-ended');
});

test('a person who is signed out signs in first; a member who is no admin is told', async () => {
  await using visit = await visitAs(MEMBER);
  const { page } = visit;
  await (await createAssistant('Claude')).open(page);
  await page.getByText('Only an admin of an organization can connect an assistant.').waitFor();
  await look(page, 'connect-member');
  await page.context().clearCookies({ name: /session_token/ });
  await page.reload();
  await page.waitForURL(/\/sign-in\?return_to=/);
  assert.match(decodeURIComponent(page.url()), /return_to="?\/portal\/connect\//);
});

test('a sign-in that cannot go on says why, and leads nowhere', async () => {
  await using visit = await visitAs(ADMIN);
  const { page } = visit;
  const own = portal.service.service.deps.publicUrl();
  await page.goto(`${own}/oauth/authorize?client_id=unknown`);
  await page.getByRole('heading', { name: 'The assistant could not be connected' }).waitFor();
  await look(page, 'connect-failed');
});
