// Stands in for `systemctl` on a machine without systemd: `node systemctl.ts COMMAND … UNIT`. Reads the unit files of
// /etc/systemd/system and runs their ExecStart with their settings and user; what else they restrict is not applied.
import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const UNITS = '/etc/systemd/system';
/** The PATH that systemd gives a service. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin';
/** Has as few rights as a dynamic user. */
const UNPRIVILEGED = '65534';

const [command = '', ...words] = process.argv.slice(2);
const unit = words.findLast((word) => !word.startsWith('-')) ?? '';

function run(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stripVTControlCharacters(stdout + stderr).trim();
}

/** The lines of a unit file by their names. */
function read(name: string): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const [, key = '', value = ''] of readFileSync(`${UNITS}/${name}`, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
    lines.set(key, [...(lines.get(key) ?? []), value]);
  return lines;
}

const pairsOf = (text: string) =>
  [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace(/^(["'])(.*)\1$/, '$2'),
  ]);

function start(name: string): void {
  const lines = read(name);
  const all = (key: string) => lines.get(key) ?? [];
  if (name.endsWith('.timer')) {
    for (const time of all('OnCalendar')) run('systemd-analyze', ['calendar', time]);
    return;
  }
  for (const wanted of all('Wants').flatMap((text) => text.split(' '))) if (wanted.startsWith('bestow')) start(wanted);
  const user = all('DynamicUser').includes('yes') ? UNPRIVILEGED : (all('User')[0] ?? UNPRIVILEGED);
  for (const directory of all('StateDirectory')) {
    mkdirSync(`/var/lib/${directory}`, { recursive: true });
    run('chown', [user, `/var/lib/${directory}`]);
    run('chmod', [all('StateDirectoryMode')[0] ?? '0755', `/var/lib/${directory}`]);
  }
  const files = all('EnvironmentFile').map((path) => readFileSync(path, 'utf8'));
  const env = Object.fromEntries([...all('Environment'), ...files].flatMap(pairsOf));
  const trust = process.env['NODE_EXTRA_CA_CERTS'];
  const log = openSync(`/var/log/${name}.log`, 'a');
  const identity = [`--reuid=${user}`, `--regid=${user}`, user === UNPRIVILEGED ? '--clear-groups' : '--init-groups'];
  const args = [...identity, '--no-new-privs', 'sh', '-c', `exec ${all('ExecStart')[0]}`];
  const stdio: ('ignore' | number)[] = ['ignore', log, log];
  const options = { cwd: '/', env: { PATH, NODE_EXTRA_CA_CERTS: trust, ...env } };
  if (!all('Type').includes('oneshot')) {
    spawn('setpriv', args, { ...options, stdio, detached: true }).unref();
    return;
  }
  const { status } = spawnSync('setpriv', args, { ...options, stdio: stdio as ['ignore', number, number] });
  if (status !== 0) throw new Error(`${name}: ${readFileSync(`/var/log/${name}.log`, 'utf8')}`);
}

if (command === 'daemon-reload') {
  const printed = run('systemd-analyze', ['verify', '--man=no', ...globSync(`${UNITS}/bestow*`)]);
  if (printed !== '') throw new Error(printed);
} // Debian's own unit, which runs.
else if (command === 'reload' && unit === 'nginx') run('nginx', ['-s', 'reload']);
else if (command === 'start' || (command === 'enable' && words.includes('--now'))) start(unit);
else throw new Error(`No stand-in for systemctl ${command} ${words.join(' ')}.`);
