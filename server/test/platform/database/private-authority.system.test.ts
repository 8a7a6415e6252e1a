import assert from 'node:assert/strict';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createCertificate } from '../../harness/certificate.ts';
import { programPath } from '../../harness/debian-programs.ts';
import { createPostgresServer, UNPRIVILEGED } from '../../harness/postgres-server.ts';
import { bestow, freePort, until } from '../../harness/server-process.ts';

test('a certificate of a private authority is refused with its own remedies, which work', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-tls-'));
  const files = await mkdtemp(join(tmpdir(), 'bestow-tls-'));
  t.after(async () => {
    for (const path of [directory, files]) await rm(path, { recursive: true, force: true });
  });
  const [key, certificate] = [join(files, 'server.key'), join(files, 'server.crt')];
  const { privateKey, pem } = createCertificate('localhost');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(certificate, pem);
  if (process.getuid?.() === 0)
    for (const path of [files, key, certificate]) await chown(path, UNPRIVILEGED, UNPRIVILEGED);
  const port = await freePort();
  const settings = [`port=${port}`, 'ssl=on', `ssl_key_file=${key}`, `ssl_cert_file=${certificate}`];
  const postgres = await createPostgresServer(dirname(programPath('pg_dump')), directory, settings);
  postgres.start();
  const variables = (host: string, more = '') => ({
    DATABASE_URL: `postgres://bestow@${host}:${port}/postgres?sslmode=require${more}`,
    LINK_SECRET: 'a secret of thirty-two characters',
  });
  const migrate = (...given: Parameters<typeof variables>) =>
    bestow(['migrate', '--wait', '5m'], variables(...given)).ended;

  const unknown =
    /^The database of DATABASE_URL \(.*\) has a certificate of an authority that is not known here; name the file of its certificate by sslrootcert= in the address, or in NODE_EXTRA_CA_CERTS\.\n$/;
  await until(async () => unknown.test((await migrate('localhost')).stderr), 'the certificate is refused');
  const byAddress = await migrate('localhost', `&sslrootcert=${certificate}`);
  assert.deepEqual([byAddress.code, byAddress.stderr], [0, '']);
  const bySetting = await bestow(['migrate'], { ...variables('localhost'), NODE_EXTRA_CA_CERTS: certificate }).ended;
  assert.deepEqual([bySetting.code, bySetting.stderr], [0, '']);
  assert.match(
    (await migrate('127.0.0.1', `&sslrootcert=${certificate}`)).stderr,
    /has a certificate for another name/,
  );

  const doctor = await bestow(['doctor', '--json'], variables('localhost')).ended;
  const { found, advice } = JSON.parse(doctor.stdout).find(({ check }: { check: string }) => check === 'PostgreSQL');
  assert.match(found, /sslrootcert=/);
  assert.equal(advice, 'Do that first. The other checks of data need it.');
  assert.doesNotMatch(doctor.stdout + doctor.stderr, /DATA_DIR|SECURITY WARNING/);
});
