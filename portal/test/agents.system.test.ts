import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createGrant } from '../../server/src/core/grants/create-grant.ts';
import { NO_LIMITS } from '../../server/src/core/grants/grant.ts';
import { connectAgent } from '../../server/test/harness/agent.ts';
import { statusAndCode } from '../../server/test/harness/agent-grant.ts';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { codeOf } from '../../server/test/harness/portal-client.ts';
import { ADMIN, expectCode, look, MEMBER, type PortalService, startPortal, typeCode } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

const limit = (page: Page, label: string) => page.getByRole('textbox', { name: label });

test('an admin creates an agent by a preset, sees its token once and connects it', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/agents'));
  await page.getByText('No sandbox agents yet').waitFor();
  await look(page, 'agents-empty');
  await page.getByRole('button', { name: 'New sandbox agent' }).click();
  const form = page.getByRole('dialog', { name: 'New sandbox agent' });
  await form.getByLabel('Name', { exact: true }).fill('Assistant');
  await look(page, 'agents-new');
  await form.getByRole('radio', { name: 'Own gifts' }).check();
  assert.ok(await form.getByRole('checkbox', { name: 'Manage gifts' }).isChecked());
  await limit(page, 'Per day').fill('250');
  await form.getByRole('button', { name: 'Create agent' }).click();
  const saving = page.getByRole('dialog', { name: 'Save the agent’s token' });
  const token = await saving.getByTestId('new-token').innerText();
  assert.match(token, /^bestow-agent-sandbox-/);
  await look(page, 'agents-token');
  await saving.getByRole('button', { name: 'Copy set-up' }).click();
  assert.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    `claude mcp add --transport http bestow ${portal.service.service.deps.publicUrl()}/mcp --header "Authorization: Bearer ${token}"`,
  );
  await saving.getByRole('button', { name: 'VS Code' }).click();
  const setUp = JSON.parse(await saving.getByTestId('agent-setup').innerText());
  assert.equal(setUp.servers.bestow.headers.Authorization, `Bearer ${token}`);
  await saving.getByRole('button', { name: 'I’ve saved it' }).click();

  const agent = await connectAgent(portal.service.url, token);
  await agent.call('place_order', await agent.preview({ gifts: [linkGift(4_000)] }));
  await page.reload();
  const shown = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Assistant' }) });
  await shown.getByText('$250 per day ($40.00 spent)').waitFor();
  await shown.getByText('Orders gifts. Reads and manages only what it ordered itself.').waitFor();
  assert.ok(!(await page.content()).includes(token), 'the token is shown once');
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('the form names its faults, warns of what has no limit and hides what does not matter', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/agents'));
  await page.getByRole('button', { name: 'New sandbox agent' }).click();
  const form = page.getByRole('dialog', { name: 'New sandbox agent' });
  await form.getByLabel('Name', { exact: true }).fill('Careful');
  await limit(page, 'Per day').fill('');
  await form.getByText('the agent can spend the whole balance').waitFor();
  await form.getByRole('checkbox', { name: 'See links and whole addresses' }).check();
  await form.getByRole('radio', { name: 'Everything of the organization' }).check();
  await form.getByText('The agent can open every unclaimed gift.').waitFor();
  await form.getByRole('radio', { name: 'Only addresses at these domains' }).check();
  await form.getByLabel('Domains', { exact: true }).fill('Acme.example, acme');
  await form.getByRole('radio', { name: 'Only chosen ones' }).check();
  await form.getByLabel('Last day').fill('2020-01-31');
  await form.getByRole('button', { name: 'Create agent' }).click();
  await form.getByText('“acme” is not a domain.').waitFor();
  await form.getByLabel('Domains', { exact: true }).and(page.locator(':focus')).waitFor();
  await form.getByText('Choose a category, or allow all.').waitFor();
  await form.getByText('Choose today or a later day.').waitFor();
  await limit(page, 'Per hour').fill('much');
  await limit(page, 'Per day').focus();
  await form.getByText('Enter an amount such as 1250.00.').waitFor();
  await look(page, 'agents-faults');

  await limit(page, 'Per hour').fill('100');
  await form.getByLabel('Domains', { exact: true }).fill('Acme.example\nexample.com');
  await form.getByRole('checkbox', { name: 'Books' }).check();
  await form.getByLabel('Last day').fill('2027-01-31');
  await form.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  const shown = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Careful' }) });
  await shown.getByText('Only addresses at acme.example, example.com').waitFor();
  await shown.getByText(/^Feb 1, 2027/).waitFor();

  await page.getByRole('button', { name: 'New sandbox agent' }).click();
  await form.getByLabel('Name', { exact: true }).fill('Reader');
  await form.getByRole('radio', { name: 'Only members of the organization' }).check();
  await form.getByRole('radio', { name: 'Read only' }).check();
  assert.equal(await form.getByRole('group', { name: /Limits|Recipients|Categories/ }).count(), 0);
  await form.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  const created = await portal.service.sql(`select members_only from agent_grants where name = 'Reader'`);
  assert.deepEqual(created, [{ members_only: false }], 'a hidden choice is not sent');
  assert.deepEqual(complaints, []);
});

test('an admin raises a limit, replaces the token and revokes the agent', async () => {
  const { token } = await createGrant(portal.service.service.deps, {
    organizationId: portal.organization.organizationId,
    environment: 'sandbox',
    name: 'Changing',
    terms: { permissions: ['order'], reach: 'own', recipient_domains: null, members_only: false, categories: null },
    limits: { ...NO_LIMITS, day: 10_000 },
    expiresAt: undefined,
    actor: OPERATOR,
  });
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/agents'));
  const shown = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Changing' }) });
  await shown.getByRole('button', { name: 'Change limits of Changing' }).click();
  assert.equal(await limit(page, 'Per day').inputValue(), '100.00');
  await limit(page, 'Per day').fill('300');
  await look(page, 'agents-limits');
  await page.getByRole('button', { name: 'Save' }).click();
  await shown.getByText('$300 per day ($0.00 spent)').waitFor();

  await shown.getByRole('button', { name: 'Replace token of Changing' }).click();
  await page.getByLabel('The old token stops working').selectOption('After 1 hour');
  await page.getByRole('button', { name: 'Replace token', exact: true }).click();
  const second = await page.getByTestId('new-token').innerText();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  for (const works of [token, second]) assert.equal((await statusAndCode(portal.service, works))[1], undefined);

  await shown.getByRole('button', { name: 'Revoke Changing' }).click();
  await page.getByRole('button', { name: 'Revoke agent' }).click();
  const row = page.getByRole('table', { name: 'Ended agents' }).getByRole('row', { name: /Changing/ });
  await row.getByText(/^Revoked on /).waitFor();
  for (const ended of [token, second]) assert.equal((await statusAndCode(portal.service, ended))[1], 'api_key_revoked');
  await look(page, 'agents-list');
  assert.deepEqual(complaints, []);
});

test('an order of an agent names the agent', async () => {
  await using visit = await portal.visit(MEMBER);
  const { page } = visit;
  await page.goto(portal.at('/orders'));
  await page
    .getByRole('row', { name: /Assistant bestow-agent-sandbox-/ })
    .getByRole('link')
    .click();
  await page
    .getByRole('term')
    .filter({ hasText: /^Agent$/ })
    .waitFor();
});

test('a person with an old sign-in confirms by code, and the agent is created as typed, by keyboard', async () => {
  await using visit = await portal.visit(null);
  const { page } = visit;
  await page.goto(portal.at('/agents'));
  await typeCode(page, portal.service, ADMIN);
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'New sandbox agent' }).press('Enter');
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Confirmed');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.ok(await page.getByRole('radio', { name: 'Read only' }).isChecked());
  await portal.service.sql(`update portal.sessions set created_at = created_at - interval '11 minutes'
    where created_at = (select max(created_at) from portal.sessions)`);
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expectCode(portal.service);
  await question.getByRole('button', { name: 'Send code' }).click();
  await question.getByLabel('Code from the email').fill(await codeOf(portal.service, ADMIN));
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  const shown = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Confirmed' }) });
  await shown.getByText('Reads all orders and gifts.').waitFor();
});
