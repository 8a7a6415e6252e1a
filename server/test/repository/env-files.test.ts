import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { readConfig } from '../../src/platform/configuration/config.ts';
import { settings } from '../../src/platform/configuration/settings.ts';

/** The units for systemd, and the examples of settings that an operator fills in. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const UNITS = globSync('deploy/systemd/*.service', { cwd: root }).sort();

/** Names and values of an env file; also of those that are switched off. */
const pairsOf = (text: string) =>
  [...text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const);
const valuesOf = (unit: string, name: string) =>
  [...read(unit).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

test('every setting of a unit and of its example exists, and the examples are accepted together', () => {
  const examples = ['bestow.env', 'migrate.env'].flatMap((file) => pairsOf(read(`deploy/systemd/${file}`)));
  const inUnits = UNITS.flatMap((unit) => valuesOf(unit, 'Environment')).map((pair) => pair.split('=', 1)[0] ?? '');
  const names = [...examples.map(([name]) => name), ...inUnits];
  assert.ok(names.length > 10);
  assert.deepEqual(
    names.filter((name) => !(name in settings)),
    [],
  );
  const { isProduction, smtp, migrationUser, backupFile, historyFile } = readConfig(Object.fromEntries(examples));
  assert.deepEqual([isProduction, smtp?.from, migrationUser?.user], [true, 'gifts@example.com', 'bestow']);
  assert.equal(valuesOf('deploy/systemd/bestow-backup.service', 'ExecStart')[0]?.includes(`${backupFile}`), true);
  // Not the names of a trial by `npm start` as root.
  const [user, directory] = ['User', 'StateDirectory'].map(
    (name) => valuesOf('deploy/systemd/bestow.service', name)[0],
  );
  assert.deepEqual([user, directory, historyFile], [user, user, `/var/lib/${user}/history.json`]);
  assert.notEqual(user, 'bestow');
});

test('every program and file that a unit names exists after the installation', () => {
  assert.equal(UNITS.length, 3);
  for (const unit of UNITS) {
    const [command = ''] = valuesOf(unit, 'ExecStart');
    const [program = ''] = command.split(' ');
    if (program !== '/bin/sh') {
      const path = join(root, program.replace(/^\/opt\/bestow\//, ''));
      assert.ok(existsSync(path) && (statSync(path).mode & 0o111) !== 0, program);
    }
    for (const file of valuesOf(unit, 'EnvironmentFile'))
      assert.ok(existsSync(join(root, file.replace('/etc/bestow/', 'deploy/systemd/'))), file);
    const others = valuesOf(unit, 'Wants').flatMap((units) => units.split(' '));
    for (const other of others.filter((name) => name.startsWith('bestow')))
      assert.ok(existsSync(join(root, 'deploy/systemd', other)), other);
    // After one failure, systemd would never start the unit again.
    assert.deepEqual(valuesOf(unit, 'Requires'), []);
  }
});

test('the service has no right that it does not need, and not the owner’s password', () => {
  for (const unit of UNITS) {
    const lines = read(unit).split('\n');
    for (const line of ['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'ProtectHome=yes'])
      assert.ok(lines.includes(line), `${line} in ${unit}`);
    const ofOwner = valuesOf(unit, 'EnvironmentFile').some((file) => file.endsWith('migrate.env'));
    assert.equal(ofOwner, unit.endsWith('migrate.service'));
    // Node's compiler needs memory that is written and run.
    assert.equal(valuesOf(unit, 'MemoryDenyWriteExecute').length, 0);
  }
});

test('compose.yaml takes what real use changes from .env, and its example lists all of that', () => {
  const taken = new Set([...read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
  const example = pairsOf(read('deploy/compose.env'));
  assert.deepEqual(example.map(([name]) => name).sort(), [...taken].sort());
  const { environment } = parseYaml(read('compose.yaml'), { merge: true }).services['server-1'];
  for (const name of ['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM', 'TRUST_PROXY'])
    assert.match(environment[name], new RegExp(`^\\$\\{${name}:-.+\\}$`), name);
  assert.match(environment.SMTP_URL, /:-smtp:\/\/mailpit:1025/);
});

test('the examples have placeholders and no secret', () => {
  for (const path of ['deploy/compose.env', 'deploy/systemd/bestow.env', 'deploy/systemd/migrate.env'])
    for (const [name, value] of pairsOf(read(path)))
      if (/SECRET|PASSWORD|TOKEN|KEY/.test(name)) assert.match(value, /^(?:REPLACE-ME.*|PASSWORD|)$/, name);
});
