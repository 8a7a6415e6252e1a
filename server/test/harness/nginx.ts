import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programPath } from './debian-programs.ts';
import { endWithTest } from './end-with-test.ts';
import { stopChild, until } from './server-process.ts';

/** Parts of a file, which must be there, and what a test writes instead. */
type Replacements = readonly (readonly [part: string | RegExp, by: string])[];

interface Nginx {
  /** What it logged. */
  errors(): Promise<string>;
  close(): Promise<void>;
}

const SHIPPED = fileURLToPath(new URL('../../../deploy/proxy/', import.meta.url));
const LOCATIONS = 'bestow-locations.conf';

/** Debian's own file, which includes the sites. */
const DEBIAN = '/etc/nginx/nginx.conf';
const ofDebian = (directory: string): Replacements => [
  ['include /etc/nginx/sites-enabled/*;', `include ${directory}/debian.conf;`],
  ['user www-data;', ''],
  ['/run/nginx.pid', `${directory}/nginx.pid`],
  ['/var/log/nginx/error.log', `${directory}/error.log`],
  ['/var/log/nginx/access.log', `${directory}/access.log`],
];

/** How many times shorter nginx's time limits are in tests. */
export const SHORTER = 10;

function replaceAll(path: string, replacements: Replacements): string {
  return replacements.reduce(
    (text, [part, by]) => {
      const changed = text.replaceAll(part, by);
      if (changed === text) throw new Error(`${path} has no ${part}.`);
      return changed;
    },
    readFileSync(path, 'utf8'),
  );
}

/**
 * Starts Debian's nginx with a file of `deploy/proxy` until the test ends.
 *
 * @param replacements of the file's addresses and paths
 * @param isShort whether the time limits are tenths
 */
export async function startNginx(
  file: 'nginx.conf' | 'debian.conf',
  port: number,
  replacements: (directory: string) => Replacements,
  isShort = true,
): Promise<Nginx> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-nginx-'));
  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  await write(
    LOCATIONS,
    replaceAll(`${SHIPPED}${LOCATIONS}`, isShort ? [[/(?<=proxy_read_timeout \d+)s/g, '00ms']] : []),
  );
  const located = [[`/etc/nginx/${LOCATIONS}`, join(directory, LOCATIONS)]] as const;
  await write(file, replaceAll(`${SHIPPED}${file}`, [...replacements(directory), ...located]));
  if (file === 'debian.conf') await write('nginx.conf', replaceAll(DEBIAN, ofDebian(directory)));
  const main = join(directory, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  await writeFile(main, replaceAll(main, [['http {', `http { ${paths.join(' ')}`]]));

  const log = join(directory, 'error.log');
  // The user of the test, who owns the directory; nginx ignores it unless it is root.
  const args = ['-c', main, '-p', directory, '-e', log, '-g', 'daemon off; user root;'];
  const child = spawn(programPath('nginx'), args, { stdio: 'ignore' });
  const errors = () => readFile(log, 'utf8');
  const close = endWithTest(async () => {
    await stopChild(child, 'SIGTERM');
    await rm(directory, { recursive: true, force: true });
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await errors());
    return await accepts(port);
  }, 'nginx accepts connections');
  return { errors, close };
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
