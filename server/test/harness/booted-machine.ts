import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endWithTest } from './end-with-test.ts';
import { stopChild, until } from './server-process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** A machine of this machine's files and programs, booted by systemd, with private changes, processes and network. */
export interface BootedMachine {
  /** Runs lines as root in a shell; returns what they printed, or how they failed. */
  run(lines: string): Promise<string>;
}

/** Own control group, so that systemd finds none of this machine's; then all namespaces, and systemd as process 1. */
const boot = (directory: string) => `set -eu
mount --make-rprivate /
mount -t tmpfs tmpfs ${directory}
mkdir ${directory}/changes ${directory}/work ${directory}/root ${directory}/groups
mount -t cgroup2 none ${directory}/groups
group=${directory}/groups$(sed -n 's/^0:://p' /proc/self/cgroup | sed 's,^/$,,')/bestow-$$
mkdir $group
echo 0 > $group/cgroup.procs
exec unshare --pid --fork --kill-child --cgroup --net --uts --ipc bash -eu -c '
  mount -t overlay overlay -o lowerdir=/,upperdir=${directory}/changes,workdir=${directory}/work ${directory}/root
  cd ${directory}/root
  mount -t proc proc proc
  mount -t sysfs sysfs sys
  mount -t cgroup2 none sys/fs/cgroup
  mount --rbind /dev dev
  # RemoveIPC= deletes there what its user has, and these changes may be there.
  mount -t tmpfs tmpfs dev/shm
  for path in run tmp var/log var/lib/postgresql opt; do mount -t tmpfs tmpfs $path; done
  mkdir opt/bestow
  mount --bind ${root} opt/bestow
  # Only what services need: no devices, no clock, no units of this machine.
  mount -t tmpfs tmpfs lib/systemd/system/sysinit.target.wants
  rm -rf etc/systemd/system/* etc/postgresql/*
  printf "[Unit]\\nRequires=basic.target\\nAfter=basic.target\\nWants=systemd-journald.service\\n" > etc/systemd/system/test.target
  ip link set lo up
  mkdir run/outside
  pivot_root . run/outside
  umount --lazy /run/outside
  exec env --ignore-environment container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=test.target --show-status=no
'
`;

/** The groups outlive their processes, and a group that has others is removed after them. */
const removeGroups = (directory: string, name: string) => `mount -t cgroup2 none ${directory}
find ${directory} -depth -type d -path '*/${name}*' -exec rmdir {} ';'`;

/** As docs/install.md has it, without a mail server and a proxy; after a trial. */
const INSTALL = `set -eu
# What a trial by npm start as root leaves.
getent passwd bestow > /dev/null || useradd --system --user-group --no-create-home bestow
install --directory --owner bestow /var/lib/bestow
version=$(ls /usr/lib/postgresql | sort -n | tail -1)
mkdir -p /var/log/postgresql
chown postgres /var/log/postgresql /var/lib/postgresql
pg_createcluster $version main > /dev/null
systemctl start postgresql@$version-main
ln -s /lib/systemd/system/postgresql@.service /etc/systemd/system/postgresql@$version-main.service
cd /
runuser -u postgres -- psql --quiet --set ON_ERROR_STOP=1 <<END
create role bestow login password 'owner';
create role bestow_service login password 'service';
create database bestow owner bestow encoding 'UTF8' template template0;
END
install --directory --mode 700 /etc/bestow
install --mode 600 /opt/bestow/deploy/systemd/bestow.env /opt/bestow/deploy/systemd/migrate.env /etc/bestow
sed --in-place "s|:PASSWORD@127|:service@127|; s|^LINK_SECRET=.*|LINK_SECRET=$(openssl rand -hex 32)|; s|^SMTP_URL=.*||; s|^MAIL_FROM=.*||" /etc/bestow/bestow.env
sed --in-place "s|PASSWORD=PASSWORD|PASSWORD=owner|" /etc/bestow/migrate.env
ln -s /opt/bestow/server/bin/bestow.js /usr/local/bin/bestow
cp /opt/bestow/deploy/systemd/*.service /opt/bestow/deploy/systemd/*.timer /etc/systemd/system/
systemctl daemon-reload
`;

/** Boots the machine, which ends with the test. Needs root, and Debian's systemd. */
async function startBootedMachine(): Promise<BootedMachine> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-booted-'));
  const shell = spawn('unshare', ['--mount', 'bash', '-c', boot(directory)], { stdio: 'pipe' });
  endWithTest(async () => {
    await stopChild(shell, 'SIGKILL');
    spawnSync('unshare', ['--mount', 'bash', '-c', removeGroups(directory, `bestow-${shell.pid}`)]);
    await rm(directory, { recursive: true, force: true });
  });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const inMachine = async (lines: string) => {
    // `exec` keeps the process of unshare, whose only child is systemd.
    const systemd = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8').trim();
    const args = [
      '--target',
      systemd,
      '--mount',
      '--pid',
      '--net',
      '--cgroup',
      '--uts',
      '--ipc',
      'bash',
      '--norc',
      '-c',
      lines,
    ];
    return await promisify(execFile)('nsenter', args, {
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    });
  };
  const run = (lines: string) =>
    inMachine(lines).then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: Error & { stdout?: string }) => `${error.message}\n${error.stdout}`,
    );
  await until(async () => {
    if (shell.exitCode !== null) throw new Error(`It did not boot: ${printed}`);
    return (await run('systemctl is-active test.target')).startsWith('active');
  }, 'systemd has booted');
  return { run };
}

/** Boots a machine that has PostgreSQL, which runs, and the units, which do not. */
export async function startInstalledMachine(): Promise<BootedMachine> {
  const machine = await startBootedMachine();
  assert.equal(await machine.run(INSTALL), '');
  return machine;
}
