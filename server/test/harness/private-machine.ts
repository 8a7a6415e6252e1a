import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithTest } from './end-with-test.ts';
import { makeRepository } from './make-repository.ts';
import { stopChild } from './server-process.ts';

const harness = (file: string) => fileURLToPath(new URL(file, import.meta.url));
/** Of the mail server: has what breaks a shell, an env file, a `sed` or an address. */
export const MAIL_PASSWORD = `P&#%41$HOME/"w|\\d'@?`;
/** What the units keep. */
const STATE = ['/var/lib/bestow-backup', '/var/lib/bestow-service'];
const HOSTS = ['gifts.example.com', 'mail.example.com'];

/** A root shell on a machine whose files, processes and network are private; the programs are this machine's. */
export interface PrivateMachine {
  directory: string;
  /** Runs lines in the one shell; returns what they printed. Fails if a command failed after `set -e`. */
  run(lines: string): Promise<string>;
  /** What the mail server accepted. */
  mails(): string;
}

/** Programs that stand in for those that need the internet or systemd, before all others in the `PATH`. */
const standIns = (directory: string): Record<string, string> => ({
  // The packages are those of this machine; the archive of Debian only has to know the names.
  'apt-get': `[ "$1" = update ] && exit
for name; do case "$name" in install|-*) ;; *) apt-cache show "$name" > /dev/null || exit 1 ;; esac; done`,
  certbot: `domain=$(echo "$*" | sed 's/.*--domain \\([^ ]*\\).*/\\1/')
mkdir -p "/etc/letsencrypt/live/$domain"
cp ${directory}/fullchain.pem ${directory}/privkey.pem "/etc/letsencrypt/live/$domain"`,
  // Only npm reaches its registry.
  npm: `exec nsenter --net=${directory}/outside /usr/bin/env PATH="\${PATH#*:}" npm "$@"`,
  systemctl: `exec '${process.execPath}' '${harness('systemctl.ts')}' "$@"`,
});

/** Private copies of what the page changes, Debian's PostgreSQL as its package starts it, a certificate and a mail server. */
const setUp = (directory: string) => `set -eu
touch ${directory}/outside
mount --bind /proc/self/ns/net ${directory}/outside
for path in /etc /usr/local/bin; do
  mkdir -p ${directory}/copies$path
  cp -a $path/. ${directory}/copies$path
  mount --bind ${directory}/copies$path $path
done
mkdir -p ${STATE.join(' ')}
for path in /opt /run /var/log /var/lib/postgresql ${STATE.join(' ')}; do mount -t tmpfs tmpfs $path; done
mkdir -p /var/log/nginx /var/log/postgresql /run/postgresql
chown postgres /var/log/postgresql /var/lib/postgresql /run/postgresql
printf '127.0.0.1 localhost ${HOSTS.join(' ')}\\n' > /etc/hosts
rm -rf /etc/postgresql/*
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=test -addext subjectAltName=${HOSTS.map((host) => `DNS:${host}`).join()} \
  -keyout ${directory}/privkey.pem -out ${directory}/fullchain.pem 2> /dev/null
chmod 755 ${directory}
cat ${directory}/fullchain.pem >> /etc/ssl/certs/ca-certificates.crt
export NODE_EXTRA_CA_CERTS=${directory}/fullchain.pem PATH=${directory}/programs:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
exec unshare --net bash -c 'ip link set lo up
pg_createcluster $(ls /usr/lib/postgresql | sort -n | tail -1) main --start > /dev/null
nginx
"${process.execPath}" "${harness('submission-server.ts')}" ${directory}/fullchain.pem ${directory}/privkey.pem ${directory}/mails "$MAIL_PASSWORD" &
exec bash'
`;

/** Starts the machine, which ends with the test. Needs root, and Debian's nginx and PostgreSQL. */
export async function startPrivateMachine(): Promise<PrivateMachine> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-machine-'));
  makeRepository(join(directory, 'source'));
  for (const [name, script] of Object.entries(standIns(directory))) {
    const path = join(directory, 'programs', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', setUp(directory)];
  // A quote would end the script's text, so the environment has it.
  const env = { MAIL_PASSWORD, HOME: '/root', LANG: 'C.UTF-8', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  const shell = spawn('unshare', isolated, { cwd: '/', env, stdio: 'pipe' });
  endWithTest(async () => {
    await stopChild(shell, 'SIGKILL');
    await rm(directory, { recursive: true, force: true });
    for (const path of STATE) await rm(path, { recursive: true, force: true });
  });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  let block = 0;
  return {
    directory,
    mails: () => readFileSync(join(directory, 'mails'), 'utf8'),
    async run(lines) {
      block += 1;
      const end = `\n@@ ${block} is over\n`;
      const from = printed.length;
      writeFileSync(join(directory, 'block.sh'), lines);
      shell.stdin.write(`source ${directory}/block.sh < /dev/null; printf '${end.replaceAll('\n', '\\n')}'\n`);
      await new Promise<void>((resolve, reject) => {
        const look = () => {
          if (printed.includes(end)) resolve();
          else if (shell.exitCode !== null) reject(new Error(`${lines}\n${printed.slice(from)}`));
          else setTimeout(look, 50);
        };
        look();
      });
      return printed.slice(from).replace(end, '');
    },
  };
}
