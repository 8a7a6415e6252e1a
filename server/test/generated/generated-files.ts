import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillTables } from '../../src/capabilities/docs/fill-tables.ts';
import { portalDocument } from '../../src/surfaces/portal/document.ts';
import type { TestService } from '../harness/test-service.ts';
import { airbyteManifest } from './airbyte-manifest.ts';
import { clientFiles } from './clients/client-files.ts';
import { withCommands } from './commands-table.ts';
import { fakeRules, fakeRulesModule } from './fake-rules.ts';
import { withIdsTable } from './ids-table.ts';
import { fillFigures } from './recorded-figures.ts';
import { describeSchema } from './schema-description.ts';
import { textArguments } from './text-arguments.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Every generated file and its content. */
export async function generatedFiles(service: TestService): Promise<Map<string, string>> {
  const document = JSON.stringify((await service.api().get('/v1/openapi.json')).body, null, 2);
  const openapi = `${document.replaceAll(service.service.deps.publicUrl(), 'http://localhost:3000')}\n`;
  const rules = fakeRules(openapi);
  const { portalRoutes, operatorRoutes } = service.service.app;
  return new Map([
    ['openapi.json', openapi],
    ['portal/src/api/schema.d.ts', await clientTypes(JSON.stringify(portalDocument(portalRoutes)))],
    [
      'portal/src/operator/api/schema.d.ts',
      await clientTypes(JSON.stringify(portalDocument(operatorRoutes, 'operator'))),
    ],
    ['server/src/platform/database/schema.md', await describeSchema((text) => service.sql(text))],
    ['server/src/platform/languages/text-arguments.ts', textArguments()],
    ['sdk/airbyte/manifest.yaml', airbyteManifest(openapi)],
    ['sdk/src/fake/rules.ts', fakeRulesModule(rules)],
    ['sdk/python/src/bestow_sdk/_fake/rules.json', `${rules}\n`],
    ['sdk/go/bestowtest/rules.json', `${rules}\n`],
    [
      'sdk/src/schema.d.ts',
      withUndefined(
        onlyUsed(withOpenTexts(await clientTypes(withMarkedTexts(openapi), ['--default-non-nullable', 'false']))),
      ),
    ],
    ['docs/configuration.md', await withTables('docs/configuration.md')],
    ['docs/sandbox.md', await withTables('docs/sandbox.md')],
    ['docs/commands.md', withCommands(await readCommitted('docs/commands.md'))],
    ['docs/events.md', await withTables('docs/events.md')],
    ['docs/roles.md', await withTables('docs/roles.md')],
    ['docs/decisions.md', await withTables('docs/decisions.md')],
    ['docs/performance.md', fillFigures(await readCommitted('docs/performance.md'))],
    ['README.md', fillFigures(await readCommitted('README.md'))],
    ...clientFiles(openapi),
  ]);
}

const MORE = 'more may come';

/**
 * Writes the known values of a text of an answer as an enumeration with a mark, which becomes `(string & {})`, and the rule
 * of a number into its description.
 */
const withMarkedTexts = (openapi: string): string =>
  JSON.stringify(JSON.parse(openapi), (_, value) => {
    if (value?.['x-extensible-enum']) return { ...value, enum: [...value['x-extensible-enum'], MORE] };
    const { type, description, 'x-rule': rule } = Object(value);
    return type === 'integer' && description && rule ? { ...value, description: `${description} It ${rule}.` } : value;
  });
const withOpenTexts = (types: string) => types.replaceAll(`"${MORE}"`, '(string & {})');

/** Lets a program with `exactOptionalPropertyTypes` pass `undefined` for an optional member of a body or a parameter of a list. */
const withUndefined = (types: string): string =>
  types
    .replaceAll(/^ {8}\w+(?:Input|Change|Outcome): \{\n.*?^ {8}\};$/gms, (schema) =>
      schema.replaceAll(/^( {12}\w+\?: (?:\{\n.*?^ {12}\}|[^\n]*));$/gms, '$1 | undefined;'),
    )
    .replaceAll(/^ {12}query\?: \{\n.*?^ {12}\};$/gms, (query) =>
      query.replaceAll(/^( {16}\w+\?: (?:\{\n.*?^ {16}\}|[^\n]*));$/gms, '$1 | undefined;'),
    );

/** Keeps what the SDK's types name: the schemas, and the query parameters of lists. */
function onlyUsed(types: string): string {
  const [schemas] = /^ {4}schemas: \{\n.*?^ {4}\};\n/ms.exec(types) ?? [];
  const lists = [...types.matchAll(/^ {4}(?:list|retrieveLedgerProof)\w*: \{\n.*?^ {4}\};\n/gms)].filter(([member]) =>
    /^ {12}query\?: \{/m.test(member),
  );
  const queries = lists.map(([member]) => member.replace(/^ {12}header\?.*/ms, '        };\n    };\n'));
  const [heading] = types.split('\n\n');
  return `${heading}\n\nexport interface components {\n${schemas}}\nexport interface operations {\n${queries.join('')}}\n`;
}

/** A documentation page with its generated tables. */
const withTables = async (path: string) =>
  withIdsTable(fillTables(await readCommitted(path), 'sandbox.gift.test'), root);

export const readCommitted = (path: string) => readFile(join(root, path), 'utf8');
export const writeCommitted = (path: string, text: string) => writeFile(join(root, path), text);

/** Runs openapi-typescript, which needs an older TypeScript and so lives in the SDK's workspace. */
async function clientTypes(openapi: string, options: readonly string[] = []): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-types-'));
  try {
    await writeFile(join(directory, 'openapi.json'), openapi);
    const command = join(root, 'sdk/node_modules/openapi-typescript/bin/cli.js');
    const args = [command, join(directory, 'openapi.json'), '--output', join(directory, 'schema.d.ts'), ...options];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: join(root, 'sdk'), encoding: 'utf8' });
    if (status !== 0) throw new Error(`openapi-typescript refuses the document: ${stderr}`);
    return await readFile(join(directory, 'schema.d.ts'), 'utf8');
  } finally {
    await rm(directory, { recursive: true });
  }
}
