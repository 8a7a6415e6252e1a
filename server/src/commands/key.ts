import type { Command } from 'commander';
import type { Environment } from '../base/environment.ts';
import { createKey } from '../keys/create-key.ts';
import { findKey } from '../keys/find-key.ts';
import { importKey } from '../keys/import-key.ts';
import { listKeys, type PresentedKey } from '../keys/list-keys.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { addCommand, addGroup, environmentOption, organizationOption } from './add-command.ts';
import { operator } from './operator.ts';
import { parseName } from './parse-argument.ts';
import { type OutputOptions, printMany, printOnce, printOne } from './print.ts';
import { readSecret } from './read-secret.ts';
import { withDatabase } from './with-database.ts';

type NewKeyOptions = OutputOptions & { org: string; environment: Environment; name: string };

export function keyCommands(program: Command): void {
  const group = addGroup(
    program,
    'key',
    'API keys, at most ten active ones per organization',
    'key list --org org_01h455vb4pex5vsknk084sn02q',
  );

  newKeyCommand(group, 'create', 'create a key and show it once', '').action(async (options: NewKeyOptions) => {
    const { org: organizationId, environment, name } = options;
    const input = { organizationId, environment, name, actor: operator() };
    const created = await withDatabase((deps) => createKey(deps, input));
    printOnce(options, created, ({ key_id, key }) => ({ 'key id': key_id, key, environment, name }), {
      remark: 'Save the key now: it is not shown again.',
      otherwise: `The key was created but could not be shown. Revoke it with bestow key revoke ${created.key_id}.`,
    });
  });

  newKeyCommand(group, 'import', 'import a legacy sk_… key from standard input', ' < key.txt').action(
    async (options: NewKeyOptions) => {
      const { org: organizationId, environment, name } = options;
      const key = await readSecret('the key to import');
      const input = { organizationId, environment, name, key, actor: operator() };
      const imported = await withDatabase((deps) => importKey(deps, input));
      printOne(options, imported, ({ key_id, hint }) => ({ 'key id': key_id, key: hint, environment, name }));
    },
  );

  addCommand(group, 'list', 'list an organization’s keys', 'key list --org org_01h455vb4pex5vsknk084sn02q')
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org: string }) => {
      printMany(options, await withDatabase((deps) => listKeys(deps, options.org)), present);
    });

  addCommand(group, 'revoke', 'revoke a key immediately and permanently', 'key revoke key_01h455vb4pex5vsknk084sn02q')
    .argument('<id>', 'the key’s id (key_…)')
    .action(async (id: string, options: OutputOptions) => {
      const revoked = await withDatabase(async (deps) =>
        revokeKey(deps, { ...(await findKey(deps, id)), actor: operator() }),
      );
      printOne(options, revoked, present);
    });
}

function newKeyCommand(group: Command, name: string, description: string, input: string): Command {
  const example = `key ${name} --org org_01h455vb4pex5vsknk084sn02q --environment sandbox --name "Web shop"${input}`;
  return addCommand(group, name, description, example)
    .addOption(organizationOption())
    .addOption(environmentOption())
    .requiredOption('--name <name>', 'a name, so that people can tell keys apart', parseName);
}

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
  };
}
