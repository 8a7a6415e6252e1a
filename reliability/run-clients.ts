// `npm run clients -- [--only rust,ogen] [--short]`: generates clients of openapi.json, compiles them, and buys with each of
// them from a running service and from one that answers as a later `/v1` may; `--short` in Python, Go and TypeScript only.
// Libraries of Standard Webhooks verify pushes. Clients of agents use `/mcp`; `--only agents` runs all of these, and `--only
// connectors` the collection, the Airbyte manifest and the n8n node with their own tools.
// It installs generators and compilers' packages in `node_modules/.cache/clients`. The last line is the sum; the exit code is
// 1 if anything failed.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { everything, grantOf } from '../server/test/harness/agent-grant.ts';
import { linkGift } from '../server/test/harness/api-client.ts';
import { balanceOf } from '../server/test/harness/ledger.ts';
import { startTestService, type TestService } from '../server/test/harness/test-service.ts';
import { openTestServer } from '../server/test/test-server.ts';
import {
  type AgentClient,
  ALL_TOOLS,
  agentClients,
  READERS_TOOLS,
  SIGNED_IN,
  type SigningClient,
  signingClients,
} from './clients/agents.ts';
import {
  clients,
  type GeneratedClient,
  openapiGenerator,
  openapiGeneratorLanguages,
  type Verifier,
  verifiers,
} from './clients/clients.ts';
import { type Connector, connectors } from './clients/connectors.ts';
import { LATER, startLaterService } from './clients/later-service.ts';
import { startPerson } from './clients/person.ts';
import { samplePushes } from './clients/sample-pushes.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, short: { type: 'boolean' } } });
const wanted = values.short ? ['python', 'go', 'typescript'] : values.only?.toLowerCase().split(',');
const say = (line: string) => process.stdout.write(`${line}\n`);
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const LIMIT_MS = 600_000;

type Variables = Record<string, string>;

async function inShell(script: string, cwd: string, variables: Variables = {}): Promise<string> {
  const env = {
    ...process.env,
    OPENAPI: pathOf('../openapi.json'),
    HERE: pathOf('clients'),
    SDK: pathOf('../sdk'),
    CACHE: pathOf('../node_modules/.cache/clients'),
    ...variables,
  };
  const options = { cwd, env, timeout: LIMIT_MS, maxBuffer: 2 ** 26 };
  return (await promisify(execFile)('bash', ['-euc', script], options)).stdout;
}

const document = JSON.parse(await readFile(pathOf('../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const operationIds = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
);

const isMissing = (program: string) => spawnSync('which', [program]).status !== 0;

/** What a program sees on an organization with four gifts. */
const seen = (status: string, wrong: string, missing: string) => ({
  wrong: `422 ${wrong}`,
  placed: `201 ${status} 2500`,
  replay: '200 true',
  read: status,
  delivered: status,
  missing: `404 ${missing}`,
  categories: 3,
  gifts: 5,
});
const now = seen('sent', 'parameter_invalid', 'resource_missing');
const afterwards = seen(LATER.status, LATER.code, LATER.code);

/** What the client's program prints if all is well. */
const expected = (all: object, { filtered = 0 }: { filtered?: unknown }) => ({
  ...all,
  ...(filtered !== null && { filtered }),
});

async function buy(service: TestService, url: string, { run }: GeneratedClient, cwd: string): Promise<object> {
  const { sandbox, keys } = await service.organization();
  await sandbox.order(Array(4).fill(linkGift()));
  const variables = { BESTOW_URL: url, BESTOW_KEY: keys.sandbox, BESTOW_ORDER: 'generated client' };
  return JSON.parse(await inShell(run, cwd, variables)) as object;
}

const sum = { passed: 0, failed: 0 };

async function check(name: string, act: () => Promise<void>): Promise<boolean> {
  const startedAt = performance.now();
  const failure = await act().then(
    () => undefined,
    (error: Error & { stdout?: string }) => `${error.message}\n${error.stdout ?? ''}`,
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`${failure === undefined ? '✔' : '✖'} ${name} (${seconds} s)${failure === undefined ? '' : `\n${failure}`}`);
  sum[failure === undefined ? 'passed' : 'failed'] += 1;
  return failure === undefined;
}

/** Says so if a program is not on the machine. */
function isTried(name: string, needs: readonly string[]): boolean {
  const missing = needs.filter(isMissing);
  if (missing.length > 0) say(`- ${name}: not tried, ${missing.join(' and ')} is not on this machine`);
  return missing.length === 0;
}

async function inDirectory(act: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-client-'));
  try {
    await act(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function tryVerifier({ language, needs, run }: Verifier): Promise<void> {
  const name = `${language}, Standard Webhooks`;
  if (!isTried(name, needs)) return;
  await inDirectory(async (directory) => {
    await check(`${name}: the library verifies a push, with each secret, and no forged one`, async () => {
      const pushes = await samplePushes();
      const PUSHES = join(directory, 'pushes.json');
      await writeFile(PUSHES, JSON.stringify(pushes));
      const verified = JSON.parse(await inShell(run, directory, { PUSHES })) as boolean[];
      assert.deepEqual(
        verified,
        pushes.map(({ isGenuine }) => isGenuine),
      );
    });
  });
}

async function tryClient(service: TestService, laterUrl: string, client: GeneratedClient): Promise<void> {
  const name = `${client.language}, ${client.generator}`;
  if (!isTried(name, client.needs)) return;
  await inDirectory(async (directory) => {
    const isMade = await check(`${name}: the client is generated and compiles`, async () => {
      await inShell(client.make, directory);
    });
    if (!isMade) return;
    await check(`${name}: the program buys, replays, reads, pages, filters and gets typed errors`, async () =>
      assert.deepEqual(await buy(service, service.url, client, directory), expected(now, client)),
    );
    await check(`${name}: the program reads what a later /v1 may answer`, async () =>
      assert.deepEqual(await buy(service, laterUrl, client, directory), expected(afterwards, client)),
    );
  });
}

/** A generator may drop operations without an error. */
async function tryLanguage(language: string, folder: string): Promise<void> {
  const name = `openapi-generator, ${language}`;
  if (!isTried(name, ['python3', 'java'])) return;
  await inDirectory(async (directory) => {
    await check(`${name}: each operation is there`, async () => {
      await inShell(openapiGenerator(language, 'generated', 'hideGenerationTimestamp=true'), directory);
      const apis = join(directory, 'generated', folder);
      const files = (await readdir(apis)).filter((file) => /api.*\.\w+$/i.test(file));
      const texts = await Promise.all(files.map((file) => readFile(join(apis, file), 'utf8')));
      const written = texts.join('\n').replaceAll('_', '').toLowerCase();
      const missing = operationIds.filter((id) => !new RegExp(`\\b${id.toLowerCase()}(async|raw)?\\b`).test(written));
      assert.deepEqual(missing, []);
    });
  });
}

async function tryAgent(service: TestService, agent: AgentClient): Promise<void> {
  const name = `${agent.package} ${agent.version}`;
  if (!isTried(name, agent.needs)) return;
  await inDirectory(async (directory) => {
    const organization = await service.organization();
    const [buyer, reader] = [
      await grantOf(service, organization, { ...everything, reach: 'all' }),
      await grantOf(service, organization),
    ];
    const tokens = { BESTOW_TOKEN: buyer.token, BESTOW_READER_TOKEN: reader.token };
    let seenByReader: object | undefined;
    await check(`${name}: ${agent.shows}`, async () => {
      const printed = await inShell(agent.run, directory, { BESTOW_URL: service.url, ...tokens });
      const { reader: ofReader, ...ofBuyer } = JSON.parse(printed) as { reader: object };
      seenByReader = ofReader;
      assert.deepEqual(ofBuyer, { tools: ALL_TOOLS, ...agent.sees });
      assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500 * agent.orders);
    });
    if (seenByReader === undefined) return;
    await check(`${name}: ${agent.readerShows}`, async () =>
      assert.deepEqual(seenByReader, { tools: READERS_TOOLS, ...agent.readerSees }),
    );
  });
}

async function trySignIn(service: TestService, client: SigningClient): Promise<void> {
  const name = `${client.package} ${client.version}`;
  if (!isTried(name, client.needs)) return;
  await inDirectory(async (directory) => {
    const person = await startPerson(service, await service.organization());
    await check(`${name}: it signs in by metadata alone, and refreshes when its token has ended`, async () => {
      const variables = { BESTOW_URL: service.service.deps.publicUrl(), BESTOW_PERSON: person.url };
      assert.deepEqual(JSON.parse(await inShell(client.run, directory, variables)), SIGNED_IN);
    });
    person.close();
  });
}

async function tryConnector(service: TestService, connector: Connector): Promise<void> {
  const name = `${connector.package} ${connector.version}`;
  if (!isTried(name, connector.needs)) return;
  await inDirectory(async (directory) => {
    const organization = await service.organization();
    const variables = { BESTOW_URL: service.url, BESTOW_KEY: organization.keys.sandbox };
    await check(`${name}: ${connector.shows}`, async () => {
      assert.deepEqual(JSON.parse(await inShell(connector.run, directory, variables)), connector.sees);
      if (connector.paidCents !== null)
        assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - connector.paidCents);
    });
  });
}

const closeTestServer = await openTestServer();
const service = await startTestService();
const laterService = await startLaterService(service.url);
try {
  const isWanted = ({ language, generator = '' }: { language: string; generator?: string }) =>
    wanted?.some((one) => one === language.toLowerCase() || one === generator.toLowerCase()) ?? true;
  for (const client of clients.filter(isWanted)) await tryClient(service, laterService.url, client);
  const all = wanted === undefined || wanted.includes('openapi-generator');
  for (const [language, folder] of Object.entries(openapiGeneratorLanguages))
    if (all || wanted?.includes(language)) await tryLanguage(language, folder);
  for (const verifier of verifiers.filter(isWanted)) await tryVerifier(verifier);
  const isWantedAgent = ({ name }: SigningClient) => wanted?.some((one) => one === name || one === 'agents') ?? true;
  for (const agent of agentClients.filter(isWantedAgent)) await tryAgent(service, agent);
  const isWantedConnector = ({ name }: Connector) =>
    wanted?.some((one) => one === name || one === 'connectors') ?? true;
  for (const connector of connectors.filter(isWantedConnector)) await tryConnector(service, connector);
  for (const client of signingClients.filter(isWantedAgent)) await trySignIn(service, client);
} finally {
  laterService.close();
  await service.close();
  await closeTestServer();
}
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;
say(`${sum.passed} passed, ${sum.failed} failed`);
