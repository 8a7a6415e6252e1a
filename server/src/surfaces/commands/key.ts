import type { Command } from 'commander';
import { createKey } from '../../core/keys/create-key.ts';
import { findKey } from '../../core/keys/find-key.ts';
import { importKey } from '../../core/keys/import-key.ts';
import type { IssuedKey } from '../../core/keys/issue-key.ts';
import { listKeys, type PresentedKey } from '../../core/keys/list-keys.ts';
import { revokeKey } from '../../core/keys/revoke-key.ts';
import { rollKey } from '../../core/keys/roll-key.ts';
import { addCommand, addGroup, environmentOption, organizationOption } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { whenItEnds } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseName, parseNetwork, parseOverlap, parseTime } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOnce, printOne, printRemark } from '../../faces/command-line/print.ts';
import { readSecret } from '../../faces/command-line/read-secret.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import type { Environment } from '../../platform/base/environment.ts';

interface NewKeyOptions extends OutputOptions {
  org?: string;
  environment: Environment;
  name: string;
  expires?: Date;
  network?: string[];
}

const SAVE_IT = 'Save the key now: it is not shown again.';

export function keyCommands(program: Command): void {
  const group = addGroup(
    program,
    'key',
    'API keys, at most ten active ones per organization',
    'key list --org org_01h455vb4pex5vsknk084sn02q',
  );

  newKeyCommand(group, 'create', 'create a key and show it once', '').action(async (options: NewKeyOptions) => {
    const created = await withOrganization(options.org, (deps, organizationId) =>
      createKey(deps, { organizationId, ...newKeyInput(options) }),
    );
    printOnce(options, created, ({ key }) => ({ ...presentNew(created), key }), {
      remark: SAVE_IT,
      otherwise: `The key was created but could not be shown. Revoke it with bestow key revoke ${created.key_id}.`,
    });
    warnOfMissingSandbox(created);
  });

  newKeyCommand(group, 'import', 'import a legacy sk_… key from standard input', ' < key.txt').action(
    async (options: NewKeyOptions) => {
      const key = await readSecret('the key to import');
      const imported = await withOrganization(options.org, (deps, organizationId) =>
        importKey(deps, { organizationId, ...newKeyInput(options), key }),
      );
      printOne(options, imported, presentNew);
      warnOfMissingSandbox(imported);
    },
  );

  addCommand(group, 'list', 'list an organization’s keys', 'key list --org org_01h455vb4pex5vsknk084sn02q')
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org?: string }) => {
      printMany(options, await withOrganization(options.org, listKeys), present);
    });

  rollCommand(group);

  addCommand(group, 'revoke', 'revoke a key immediately and permanently', 'key revoke key_01h455vb4pex5vsknk084sn02q', {
    confirms: revocation,
  })
    .argument('<id>', 'the key’s id (key_…)')
    .action(async (id: string, options: OutputOptions) => {
      const revoked = await withDatabase(async (deps) =>
        revokeKey(deps, { ...(await findKey(deps, id)), actor: operator() }),
      );
      printOne(options, revoked, present);
    });
}

/** Names a key that works; undefined if it was revoked. */
async function named(deps: CommandDeps, id: string): Promise<string | undefined> {
  const { organizationId } = await findKey(deps, id);
  const key = (await listKeys(deps, organizationId)).find(({ key_id }) => key_id === id);
  if (key === undefined || key.revoked_at !== null) return undefined;
  const used = key.last_used_at ? `, last used ${key.last_used_at.toISOString()}` : '';
  return `the ${key.environment} key “${key.name}” (${key.hint}${used})`;
}

async function revocation(deps: CommandDeps, id: string) {
  const name = await named(deps, id);
  return name && `Revoke ${name}? Programs that use it are refused at once. ${FOR_EVER}`;
}

async function replacement(deps: CommandDeps, id: string, { overlapHours }: { overlapHours: number }) {
  const name = await named(deps, id);
  return name && `Replace ${name}? Programs that still use it are refused ${whenItEnds(overlapHours)}.`;
}

function rollCommand(group: Command): void {
  const example = 'key roll key_01h455vb4pex5vsknk084sn02q --overlap-hours 24';
  addCommand(group, 'roll', 'replace a key by a new one; the old one works on for a while', example, {
    confirms: replacement,
  })
    .argument('<id>', 'the key’s id (key_…)')
    .requiredOption('--overlap-hours <hours>', 'how long the old key works on, 0 to 168', parseOverlap)
    .action(async (id: string, options: OutputOptions & { overlapHours: number }) => {
      const { overlapHours } = options;
      const rolled = await withDatabase(async (deps) =>
        rollKey(deps, { ...(await findKey(deps, id)), overlapHours, actor: operator() }),
      );
      const { key_id, replaced_until } = rolled;
      printOnce(options, rolled, ({ key }) => ({ ...presentNew(rolled), key, 'old key works until': replaced_until }), {
        remark: SAVE_IT,
        otherwise: `The key was replaced, but the new one could not be shown. Roll it with bestow key roll ${key_id}.`,
      });
    });
}

const newKeyInput = ({ environment, name, expires, network }: NewKeyOptions) => ({
  environment,
  name,
  limits: { expiresAt: expires, networks: network },
  actor: operator(),
});

function warnOfMissingSandbox({ organization_id, sandbox_missing }: IssuedKey): void {
  if (sandbox_missing)
    printRemark(
      `Warning: the sandbox was deleted, so this key is answered with sandbox_missing. Create it with bestow sandbox create --org ${organization_id}.`,
    );
}

function newKeyCommand(group: Command, name: string, description: string, input: string): Command {
  const example = `key ${name} --org org_01h455vb4pex5vsknk084sn02q --environment sandbox --name "Web shop"${input}`;
  return addCommand(group, name, description, example)
    .addOption(organizationOption())
    .addOption(environmentOption())
    .requiredOption('--name <name>', 'a name, so that people can tell keys apart', parseName)
    .option('--expires <time>', 'when the key stops working, such as 2027-01-31', parseTime)
    .option('--network <network>', 'the only network that may use it; may be repeated', parseNetwork);
}

const presentNew = ({ key_id, hint, environment, name, expires_at, networks }: IssuedKey) => ({
  'key id': key_id,
  key: hint,
  environment,
  name,
  ...(expires_at && { expires: expires_at }),
  ...(networks && { networks: networks.join(', ') }),
});

function present(key: PresentedKey) {
  return {
    'key id': key.key_id,
    key: key.hint,
    environment: key.environment,
    name: key.name,
    created: key.created_at,
    'created by': key.created_by,
    'last used': key.last_used_at,
    revoked: key.revoked_at,
    expires: key.expires_at,
    networks: key.networks?.join(', ') ?? null,
  };
}
