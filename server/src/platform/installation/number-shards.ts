import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { encodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { type ConnectionTarget, clientConfig } from '../database/connections.ts';
import { SEES_ALL } from '../database/name-organizations.ts';
import { sessionOptions } from '../database/session-settings.ts';
import { shardOf } from '../database/shard-of.ts';
import { statementOfNone, statementOnEachShard } from '../database/statement.ts';
import { withConnection } from '../database/with-connection.ts';
import { insertKept, selectKept } from './queries.ts';

/** The row of `installation` that says which shard a database is: of which installation, its number from 1, and of how many. */
const NAME = 'shard';
const UNDEFINED_TABLE = '42P01';
/** `shards` in ASCII. */
const LOCK = 0x736861726473;

const lockNumbers = statementOfNone<[lock: number]>('installation.lock_shards', 'select pg_advisory_lock($1)');

const selectLatestOrganization = statementOnEachShard<[], { organization_id: string }>(
  'installation.select_latest_organization',
  'any organization of the database shows its shard',
  'select organization_id from organizations order by organization_id desc limit 1',
);

/** A database server. */
interface Server {
  target: ConnectionTarget;
  /** `The database of DATABASE_SHARDS, number 2 (db:5432/bestow)`. */
  name: string;
}

interface Numbered extends Server {
  kept: string[] | undefined;
  /** Any of its organizations. */
  organizationId: string | undefined;
}

/**
 * Checks that each server is the shard that its place says, so that no organization is looked for, or created, where it is
 * not. The first start numbers them.
 *
 * @param servers undefined in the place of one that does not answer
 * @param mayWrite whether missing numbers are written
 * @throws OperatorError if a server has another number, has an organization of another shard, is of another installation or
 * is missing
 */
export async function numberShards(servers: readonly (Server | undefined)[], mayWrite: boolean): Promise<void> {
  const found = await Promise.all(servers.map((server) => server && read(server)));
  if (refuseOthers(found) || !mayWrite) return;
  const [first] = servers;
  if (first === undefined || servers.includes(undefined)) return;
  await withConnection(clientConfig(first.target, 0), async (client) => {
    await lockNumbers(client, [LOCK]);
    // Another process may have been first.
    const now = await Promise.all(servers.map((server) => server && read(server)));
    if (refuseOthers(now)) return;
    const installation = now.find((server) => server?.kept)?.kept?.[0] ?? randomUUID();
    for (const [index, server] of now.entries())
      if (server !== undefined) await write(server, [installation, `${index + 1}`, `${now.length}`]);
  });
}

const read = ({ target, name }: Server): Promise<Numbered> =>
  withConnection({ ...clientConfig(target, 0), options: sessionOptions(target, SEES_ALL) }, async (client) => {
    const rows = await selectKept(client, []).catch(ifUnmigrated);
    if (rows === undefined) return { target, name, kept: undefined, organizationId: undefined };
    const kept = rows.find((row) => row.name === NAME)?.value;
    const [organization] = await selectLatestOrganization([client], []);
    return { target, name, kept, organizationId: organization?.organization_id };
  });

function ifUnmigrated(error: unknown): undefined {
  if (errorCode(error) !== UNDEFINED_TABLE) throw error;
}

const write = ({ target }: Server, value: string[]) =>
  withConnection(clientConfig(target, 0), (client: Client) =>
    insertKept(client, [JSON.stringify([{ name: NAME, value }])]),
  );

/** Returns whether all that answer have their numbers. */
function refuseOthers(servers: readonly (Numbered | undefined)[]): boolean {
  const present = servers.filter((server) => server !== undefined);
  const known = present.find(({ kept }) => kept !== undefined);
  const isUsed = present.some(({ organizationId }) => organizationId !== undefined);
  for (const [index, server] of servers.entries()) {
    if (server === undefined) continue;
    const wrong = server.kept ? wrongNumber(server.kept, known?.kept, [index + 1, servers.length]) : undefined;
    if (wrong !== undefined) throw new OperatorError(`${server.name} ${wrong}.`);
    // A first start that was interrupted numbered some of them, and nothing was created.
    if (server.kept === undefined && known !== undefined && isUsed)
      throw new OperatorError(
        `${server.name} is not shard ${index + 1} of this installation: it has no number, and the others have. Name the right server.`,
      );
    if (server.organizationId !== undefined) refuseForeign(server.name, server.organizationId, index, servers.length);
  }
  return present.every(({ kept }) => kept !== undefined);
}

function refuseForeign(name: string, organizationId: string, index: number, shards: number): void {
  const shard = shardOf(organizationId, shards);
  if (shard === index) return;
  throw new OperatorError(
    `${name} has ${encodeId('org', organizationId)}, which belongs to shard ${shard + 1} of ${shards}; name the servers in their order, or follow docs/scale.md to the end.`,
  );
}

/** What is wrong with the number that a server keeps, as the end of a sentence. */
function wrongNumber(
  [installation, number = '', count = '']: readonly string[],
  known: readonly string[] | undefined,
  [place, places]: [place: number, places: number],
): string | undefined {
  if (installation !== known?.[0]) return 'is of another installation; name the right server';
  if (count !== `${places}`)
    return places === 1
      ? `is shard ${number} of ${count}; name all of them in DATABASE_SHARDS, in their order`
      : `is shard ${number} of ${count}, and DATABASE_SHARDS names ${places}; docs/scale.md says how one becomes several`;
  if (number !== `${place}`) return `is shard ${number} of ${count}; name the servers in their order`;
  return undefined;
}
