import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

interface Program {
  /** Possible paths, the likeliest first. */
  paths: readonly (string | undefined)[];
  /** The name of Debian's package. */
  package: string;
}

/** Opens a page in twice the time. */
const CHROMIUM_WITH_WINDOWS = '/usr/bin/chromium';

/** Programs that tests need and npm does not have. */
const programs = {
  chromium: {
    paths: [
      process.env['CHROMIUM'],
      '/usr/bin/chromium-headless-shell',
      CHROMIUM_WITH_WINDOWS,
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    package: 'chromium-headless-shell',
  },
  pg_dump: {
    paths: [process.env['PG_DUMP'], '/usr/lib/postgresql/{15,16,17,18}/bin/pg_dump'],
    package: 'postgresql',
  },
  promtool: { paths: [process.env['PROMTOOL'], '/usr/bin/promtool'], package: 'prometheus' },
  pdftotext: { paths: [process.env['PDFTOTEXT'], '/usr/bin/pdftotext'], package: 'poppler-utils' },
  nginx: { paths: [process.env['NGINX'], '/usr/sbin/nginx'], package: 'nginx' },
  pgbouncer: { paths: [process.env['PGBOUNCER'], '/usr/sbin/pgbouncer'], package: 'pgbouncer' },
  nft: { paths: [process.env['NFT'], '/usr/sbin/nft'], package: 'nftables' },
} as const satisfies Record<string, Program>;

type Name = keyof typeof programs;

function find(name: Name): string | undefined {
  const paths = programs[name].paths.flatMap((path) =>
    path === undefined ? [] : path.includes('{') ? globSync(path) : [path],
  );
  return paths.find((path) => existsSync(path));
}

/** @throws if the program is not installed, with the command that installs it */
export function programPath(name: Name): string {
  const path = find(name);
  if (path !== undefined) return path;
  throw new Error(
    `There is no ${name}: install it (on Debian: apt-get install ${programs[name].package}), or set ${name.toUpperCase()} to its path.`,
  );
}

/** Installs the Debian packages of missing programs if this user may. */
export function provideDebianPrograms(): void {
  const missing = (Object.keys(programs) as Name[]).filter((name) =>
    [undefined, CHROMIUM_WITH_WINDOWS].includes(find(name)),
  );
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`Installing ${missing.join(', ')}, once …\n`);
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update'], options);
  for (const name of missing)
    spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', programs[name].package], options);
}
