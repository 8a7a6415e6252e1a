import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { blocksOf } from '../../harness/document-samples.ts';
import { MAIL_PASSWORD, startPrivateMachine } from '../../harness/private-machine.ts';
import { until } from '../../harness/server-process.ts';

/** What this machine cannot do, and what the test does instead. Every other line of the page runs as it is written. */
const SUBSTITUTED = [
  [
    'the server',
    'private copies of its directories, a private network with the same ports, and npm’s registry outside',
  ],
  ['apt-get', 'looks every package up in Debian’s list; the machine has nginx, PostgreSQL and the others already'],
  ['Node of nodejs.org', 'the machine’s Node and npm, because nodejs.org is on the internet: the block is not run'],
  ['git clone ADDRESS…', 'a repository with the files of this checkout'],
  ['certbot', 'puts a certificate there that all programs of the test trust'],
  ['systemctl', 'verifies the units, and runs ExecStart with their settings as their user, without their other limits'],
  ['DNS and the mail server', 'names in /etc/hosts, and a server on port 587 with TLS, whose password has all symbols'],
] as const;

const page = readFileSync(new URL('../../../../docs/install.md', import.meta.url), 'utf8');
const blocks = blocksOf(page).map(({ language, text }) => {
  assert.equal(language, 'bash');
  return text;
});

/** What the reader copies from the output before. */
const FILLED: Record<string, RegExp> = { ORG: /org_\w{26}/g, KEY: /bestow-[0-9A-Za-z]{50}/g };

test('docs/install.md leads a Debian server from nothing to the first live gift', async (t) => {
  for (const [what, instead] of SUBSTITUTED) t.diagnostic(`${what}: ${instead}`);
  const machine = await startPrivateMachine();
  let printed = '';
  for (const block of blocks.filter((text) => !text.includes('nodejs.org'))) {
    let script = '';
    const run = async () => {
      printed += await machine.run(script);
      script = '';
    };
    for (const line of block.split('\n')) {
      const [, name = ''] = /^export (\w+)=.*…$/.exec(line) ?? [];
      if (name !== '') await run();
      const found = name === '' ? undefined : printed.match(FILLED[name] ?? assert.fail(name))?.at(-1);
      script += `${found === undefined ? line : `export ${name}=${found}`}\n`;
    }
    script = script.replace("'PASSWORD'", () => `'${MAIL_PASSWORD.replaceAll("'", "'\\''")}'`);
    script = script.replace('ADDRESS-OF-THIS-REPOSITORY', `${machine.directory}/source`);
    await run();
  }
  assert.match(printed, /\b\d+ checks, faults: 0, warnings: \d+\./);
  assert.match(printed, /"status":"processed"/);
  const inMail = /To ann@gifts\.example\.com\n.*?(https:\/\/gifts\.example\.com\/g\/[\w-]{70,})/s;
  await until(() => inMail.test(machine.mails()), 'the gift arrives by mail');
  const link = inMail.exec(machine.mails())?.[1] ?? '';
  const browser = `curl --silent --location --cookie-jar ${machine.directory}/cookies --header 'Origin: https://gifts.example.com'`;
  const claimed = await machine.run(`${browser} --data '' ${link}/claim`);
  assert.match(claimed, /<article class="gift claimed"/);
  const exposure = await machine.run(
    'systemd-analyze security --offline=true --threshold=20 bestow.service bestow-migrate.service | tail -1',
  );
  assert.match(exposure, /exposure level/);
});
