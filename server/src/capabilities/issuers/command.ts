import { Argument, type Command } from 'commander';
import type { IssuerRow } from '../../core/issuer/choose-issuer.ts';
import { findIssuer, listIssuers, removeIssuer } from '../../core/issuer/choose-issuer.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { addCommand, addGroup, organizationOption } from '../../faces/command-line/add-command.ts';
import { nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseCategoryId } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne } from '../../faces/command-line/print.ts';
import { readSecret } from '../../faces/command-line/read-secret.ts';
import { encodingOption, readTableFile } from '../../faces/command-line/read-table-file.ts';
import type { CommandDeps } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { actsWith, type Subject } from '../../faces/operator-acts/operator-act.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { adapters } from './adapters.ts';
import { addIssuer } from './add-issuer.ts';
import { describeKinds } from './describe-kinds.ts';
import { createIssuers } from './open-issuers.ts';
import { codeColumns } from './own-codes/read-codes.ts';
import { releaseCodes } from './own-codes/set-codes-aside.ts';
import { listStock, uploadCodes } from './own-codes/upload-codes.ts';
import { testIssuer } from './test-issuer.ts';

const issuer: Subject<{ id: string }> = {
  tag: 'Issuers',
  path: '/issuers/{issuer_id}',
  id: 'issuer_id',
  example: 'iss_01h455vb4pex5vsknk084sn02q',
  placeholder: 'ISSUER',
  take: (command) => command.argument('<issuer>', 'the issuer (iss_…)'),
  find: async (_, { issuer_id: id = '' }) => ({ id }),
};

/** What an operator can do to an issuer. */
export const issuerActs = {
  test: actsWith(async (deps) => ({ ...deps, issuers: createIssuers(await withSeal(deps)) }))(issuer, {
    word: 'test',
    operationId: 'testIssuer',
    summary: 'Asks an issuer whether its settings work.',
    help: 'ask the issuer whether the settings work',
    does: 'Asks whether the settings work.',
    response: ({ Type, nullable }) =>
      Type.Object({
        available: nullable(Type.Integer({ description: 'Cents at the issuer; null if it does not say.' })),
      }),
    run: async (deps, { id }) => ({ available: await testIssuer(deps, await findIssuer(deps, id)) }),
    print: (options, { available: available_cents }, { id }) =>
      printOne(options, { issuer_id: id, works: true, available_cents }, () => ({
        issuer: id,
        works: 'yes',
        'available cents': available_cents ?? 'not told',
      })),
  }),

  remove: actsWith(withSeal)(issuer, {
    word: 'remove',
    operationId: 'removeIssuer',
    summary: 'Ends a choice. Cards that exist stay.',
    help: 'end a choice; cards that exist stay',
    does: 'Ends a choice; its cards stay.',
    confirms: removal,
    run: (deps, { id, actor }) => removeIssuer(deps, id, actor),
    print: (options, removed) => printOne(options, present(removed), rowOf),
  }),
};

/** The question before it; undefined if it was removed. */
async function removal(deps: CommandDeps, id: string) {
  const { organization_id, kind, category_id, removed_at } = await findIssuer(deps, id);
  if (removed_at !== null) return undefined;
  const owner = await nameOrganization(deps, encodeId('org', organization_id));
  const which = category_id === null ? 'all categories without an own one' : `the category ${category_id}`;
  return `Remove the issuer ${id} (${kind}) of ${owner} for ${which}? It makes no more cards; those that exist stay.`;
}

async function withSeal(deps: CommandDeps) {
  return { ...deps, cipher: createCipher(secretsFor('codes', deps.config, await secretsForCommand(deps))) };
}

const present = ({ organization_id, issuer_id, category_id, kind, ...row }: IssuerRow) => ({
  issuer_id: encodeId('iss', issuer_id),
  kind,
  category: category_id,
  cards: row.cards,
  created_at: row.created_at.toISOString(),
  removed_at: row.removed_at?.toISOString() ?? null,
  reconciled_at: row.reconciled_at?.toISOString() ?? null,
  hooks: `/hooks/issuers/${encodeId('org', organization_id)}/${encodeId('iss', issuer_id)}`,
});

const rowOf = ({ issuer_id: issuer, ...more }: ReturnType<typeof present>) => ({
  issuer,
  kind: more.kind,
  category: more.category ?? 'all others',
  cards: more.cards,
  status: more.removed_at === null ? 'chosen' : 'removed',
  hooks: more.hooks,
});

const ORG = '--org org_01h455vb4pex5vsknk084sn02q';

type Options = OutputOptions & { org?: string };

export function issuerCommands(program: Command): void {
  const group = addGroup(program, 'issuer', 'who makes the cards of live gifts', `issuer list ${ORG}`);
  addCommands(group);
  issuerActs.test.addTo(group);
  codeCommands(group);
}

/** With the organization's UUID. */
const withOwner = <Result>(
  { org }: Options,
  act: (deps: CommandDeps, organizationId: string) => Promise<Result>,
): Promise<Result> =>
  withOrganization(org, async (deps, id) => act(deps, (await findOrganization(deps, id)).organization_id));

/** @param text such as `combine=yes` */
function addSetting(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/.exec(text) ?? [];
  if (name === '' || value === '') throw new OperatorError(`A setting must be name=value, but is “${text}”.`);
  return { ...before, [name]: value };
}

function addCommands(group: Command): void {
  addCommand(
    group,
    'add',
    'choose the issuer of a category, or of all without one',
    `issuer add codes ${ORG} --category coffee --set combine=yes`,
  )
    .addArgument(new Argument('<kind>', 'the kind of issuer').choices(Object.keys(adapters)))
    .addOption(organizationOption())
    .option('--category <category>', 'only gifts of this category', parseCategoryId)
    .option('--set <name=value>', 'a setting; may be repeated', addSetting)
    .option('--secrets', 'read more settings, a line each, from standard input')
    .addHelpText('after', ({ command }) => `\n${describeKinds(command.args[0])}`)
    .action(
      async (kind: string, options: Options & { category?: string; set?: Record<string, string>; secrets?: true }) => {
        const lines = options.secrets ? (await readSecret('the settings')).split(/\r?\n/) : [];
        const settings = lines.reduce((all, line) => addSetting(line.trim(), all), options.set ?? {});
        const row = await withOwner(options, async (deps, organizationId) =>
          addIssuer(await withSeal(deps), {
            organizationId,
            categoryId: options.category,
            kind,
            settings,
            actor: operator(),
          }),
        );
        printOne(options, present(row), rowOf);
      },
    );

  addCommand(group, 'list', 'list the issuers of an organization', `issuer list ${ORG}`)
    .addOption(organizationOption())
    .action(async (options: Options) => {
      const rows = await withOwner(options, listIssuers);
      printMany(options, rows.map(present), rowOf);
    });

  issuerActs.remove.addTo(group);
}

function codeCommands(group: Command): void {
  addCommand(group, 'upload', 'add codes from a CSV or XLSX file', `issuer upload codes.csv ${ORG} --category coffee`)
    .argument('<file>', 'columns: value, code, pin, expires, shop, terms_url')
    .addOption(organizationOption())
    .requiredOption('--category <category>', 'the category whose gifts get the codes', parseCategoryId)
    .addOption(encodingOption())
    .action(async (file: string, options: Options & { category: string; encoding?: string }) => {
      const csv = await readTableFile(file, codeColumns, options.encoding);
      const uploaded = await withOwner(options, async (deps, organizationId) =>
        uploadCodes(await withSeal(deps), {
          organizationId,
          categoryId: options.category,
          csv,
          actor: operator(),
        }),
      );
      printOne(options, uploaded, ({ added, known }) => ({ added, 'known before': known }));
    });

  addCommand(group, 'stock', 'count the codes that are left', `issuer stock ${ORG}`)
    .addOption(organizationOption())
    .action(async (options: Options) => {
      const rows = await withOwner(options, listStock);
      printMany(options, rows, (row) => ({
        category: row.category_id,
        'value in cents': row.value_cents,
        'in stock': row.in_stock,
        expired: row.expired,
        'set aside': row.set_aside,
        'handed out': row.handed_out,
        'first expires': row.first_expires ?? 'never',
      }));
    });

  addCommand(
    group,
    'release',
    'put codes that a restore set aside back into stock',
    `issuer release unused.csv ${ORG} --category coffee`,
  )
    .argument('[file]', 'the codes that the shop says are unused; columns: code, shop')
    .addOption(organizationOption())
    .requiredOption('--category <category>', 'the category whose gifts get the codes', parseCategoryId)
    .addOption(encodingOption())
    .option('--all', 'all that were set aside, if none can have been handed out')
    .action(
      async (file: string | undefined, options: Options & { category: string; encoding?: string; all?: true }) => {
        if ((file === undefined) === (options.all === undefined))
          throw new OperatorError('Name the file of unused codes, or add --all.');
        const csv = file === undefined ? undefined : await readTableFile(file, ['code', 'shop'], options.encoding);
        const released = await withOwner(options, async (deps, organizationId) =>
          releaseCodes(await withSeal(deps), {
            organizationId,
            categoryId: options.category,
            csv,
            actor: operator(),
          }),
        );
        printOne(options, released, (row) => row);
      },
    );
}
