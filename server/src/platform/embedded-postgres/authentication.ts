import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Cluster, runAsAccount } from './cluster.ts';

/** The name of the map in `pg_ident.conf`. */
const MAP = 'bestow';

/** Only the data's user and root may open sessions; PostgreSQL asks the kernel who connects. */
function filesFor(user: string): Record<string, string> {
  const written = '# Written by Bestow at each start.\n';
  return {
    'pg_hba.conf': `${written}local all all peer map=${MAP}\n`,
    'pg_ident.conf': `${written}${MAP} "${user}" all\n${MAP} root all\n`,
  };
}

/** Updates both files as the data's user: data of an earlier release may still trust every user. */
export async function writeAuthentication(cluster: Cluster): Promise<void> {
  const { name = userInfo().username } = cluster.account ?? {};
  for (const [file, text] of Object.entries(filesFor(name))) {
    if ((await readFile(join(cluster.directory, file), 'utf8').catch(() => '')) === text) continue;
    // The rename replaces a link instead of following it.
    const script = `umask 077 && rm -f ${file}.new && set -C && cat > ${file}.new && mv -f ${file}.new ${file}`;
    await runAsAccount(cluster, '/bin/sh', ['-c', script], text);
  }
}
