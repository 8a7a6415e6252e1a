import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const find = () => PLACES.find((path) => path !== undefined && existsSync(path));

/** The browser that tests drive. */
export function chromiumPath(): string {
  const path = find();
  if (path === undefined)
    throw new Error(
      'There is no Chromium: install it (on Debian: apt-get install chromium), or set CHROMIUM to its path.',
    );
  return path;
}

/** Installs Debian's Chromium where there is none and this user may; otherwise the tests that need it say what to do. */
export function provideChromium(): void {
  if (find() !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write('Installing Chromium, once …\n');
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update'], options);
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], options);
}
