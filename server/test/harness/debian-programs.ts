import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Program {
  /** Possible paths, the likeliest first. */
  paths: readonly (string | undefined)[];
  /** The name of Debian's package; `cargo:` is one of Rust's registry. */
  package: string;
}

/** Opens a page in twice the time. */
const CHROMIUM_WITH_WINDOWS = '/usr/bin/chromium';

const CARGO_ROOT = fileURLToPath(new URL('../../../node_modules/.cache/cargo', import.meta.url));
const CARGO = 'cargo:';

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
  firefox: {
    paths: [process.env['FIREFOX'], '/usr/bin/firefox-esr', '/usr/bin/firefox'],
    package: 'firefox-esr',
  },
  geckodriver: {
    paths: [process.env['GECKODRIVER'], '/usr/bin/geckodriver', `${CARGO_ROOT}/bin/geckodriver`],
    package: 'cargo:geckodriver@0.37.1',
  },
  webkit: {
    paths: [process.env['WEBKIT'], '/usr/lib/{x86_64,aarch64}-linux-gnu/webkit2gtk-4.1/MiniBrowser'],
    package: 'webkit2gtk-driver',
  },
  webkit_driver: {
    paths: [process.env['WEBKIT_DRIVER'], '/usr/bin/WebKitWebDriver'],
    package: 'webkit2gtk-driver',
  },
  xvfb: { paths: [process.env['XVFB'], '/usr/bin/Xvfb'], package: 'xvfb' },
  // A library, not a program: it moves the clock of the processes that load it.
  faketime: {
    paths: [process.env['FAKETIME'], '/usr/lib/{x86_64,aarch64}-linux-gnu/faketime/libfaketimeMT.so.1'],
    package: 'faketime',
  },
  php: { paths: [process.env['PHP'], '/usr/bin/php'], package: 'php-cli' },
  php_curl: { paths: ['/usr/lib/php/{20*,30*}/curl.so'], package: 'php-curl' },
  ruby: { paths: [process.env['RUBY'], '/usr/bin/ruby'], package: 'ruby' },
  nft: { paths: [process.env['NFT'], '/usr/sbin/nft'], package: 'nftables' },
} as const satisfies Record<string, Program>;

type Name = keyof typeof programs;

function find(name: Name): string | undefined {
  const paths = programs[name].paths.flatMap((path) =>
    path === undefined ? [] : path.includes('{') ? globSync(path) : [path],
  );
  return paths.find((path) => existsSync(path));
}

/** @returns the command that installs a package, and its arguments */
const installer = (name: string): [string, string[]] =>
  name.startsWith(CARGO)
    ? ['cargo', ['install', '--locked', '--root', CARGO_ROOT, name.slice(CARGO.length)]]
    : ['apt-get', ['install', '--yes', '--no-install-recommends', name]];

/** @throws if the program is not installed, with the command that installs it */
export function programPath(name: Name): string {
  const path = find(name);
  if (path !== undefined) return path;
  const [command, values] = installer(programs[name].package);
  throw new Error(
    `There is no ${name}: install it (on Debian: ${command} ${values.join(' ')}), or set ${name.toUpperCase()} to its path.`,
  );
}

/** Installs the packages of these programs, if they are missing and this user may. */
export function provideDebianPrograms(names: ReadonlySet<string>): void {
  const missing = (Object.keys(programs) as Name[]).filter(
    (name) => names.has(name) && [undefined, CHROMIUM_WITH_WINDOWS].includes(find(name)),
  );
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`Installing ${missing.join(', ')}, once …\n`);
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update'], options);
  for (const name of missing) spawnSync(...installer(programs[name].package), options);
}
