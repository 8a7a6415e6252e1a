import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { isCategory } from '../catalog/is-category.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import * as queries from './queries.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** issuer */
    iss: true;
  }
}

/** An issuer that is or was chosen. */
export type IssuerRow = queries.IssuerRow;

type RecordDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;
type IssuerDeps = RecordDeps & Pick<Deps, 'cipher'>;

interface Choice {
  /** UUID. */
  organizationId: string;
  /** UUID. */
  issuerId: string;
  /** Undefined: all categories without an own issuer. */
  categoryId: string | undefined;
  kind: string;
  /** Valid for the kind. */
  settings: Readonly<Record<string, string>>;
  /** Of codes in stock, below which the admins are warned; null if there is no stock. */
  lowStock: number | null;
  actor: Actor;
}

/**
 * Chooses the issuer of an organization's live gifts. Gifts that are claimed keep theirs.
 *
 * @throws OperatorError if there is no such category, or it has an issuer
 */
export async function chooseIssuer(
  deps: IssuerDeps,
  { organizationId, issuerId, categoryId, kind, settings, lowStock, actor }: Choice,
): Promise<IssuerRow> {
  if (categoryId !== undefined && !(await isCategory(deps, categoryId)))
    throw new OperatorError(`There is no category ${categoryId}.`);
  const sealed = deps.cipher.encrypt(JSON.stringify(settings));
  return inOrganization(deps.database, organizationId, async (client) => {
    const now = new Date(deps.clock.now());
    const row = [organizationId, issuerId, categoryId ?? null, kind, sealed, lowStock, now] as const;
    const [added] = await queries.insertIssuer(client, [...row]);
    if (added === undefined)
      throw new OperatorError(
        `${categoryId === undefined ? 'The organization' : `The category ${categoryId}`} has an issuer already. Remove that one first.`,
      );
    await record(client, deps, actor, added, 'issuer.added');
    return added;
  });
}

/** Removes the choice; cards that exist keep their issuer. @throws OperatorError if there is no such issuer */
export async function removeIssuer(deps: RecordDeps, id: string, actor: Actor): Promise<IssuerRow> {
  const found = await findIssuer(deps, id);
  return inOrganization(deps.database, found.organization_id, async (client) => {
    const key = [found.organization_id, found.issuer_id, new Date(deps.clock.now())] as const;
    const [removed] = await queries.removeIssuer(client, [...key]);
    if (removed === undefined) throw new OperatorError(`${id} was removed before.`);
    await record(client, deps, actor, removed, 'issuer.removed');
    return removed;
  });
}

/** @param id `iss_…` @throws OperatorError */
export async function findIssuer({ database }: Pick<Deps, 'database'>, id: string): Promise<IssuerRow> {
  const issuerId = decodeId('iss', id);
  const found = issuerId === undefined ? undefined : await queries.selectIssuerOf.find(database.shards, [issuerId]);
  if (found === undefined) throw new OperatorError(`There is no issuer ${id}.`);
  return found;
}

/** Also removed ones, last. @param organizationId UUID */
export const listIssuers = ({ database }: Pick<Deps, 'database'>, organizationId: string): Promise<IssuerRow[]> =>
  queries.selectIssuers(database.read, [organizationId]);

const record = (
  client: PoolClient,
  deps: RecordDeps,
  actor: Actor,
  { organization_id: organizationId, issuer_id, kind, category_id }: IssuerRow,
  action: 'issuer.added' | 'issuer.removed',
) =>
  recordEvent(client, deps, actor, {
    organizationId,
    environment: 'live',
    action,
    target: encodeId('iss', issuer_id),
    details: { kind, category: category_id },
  });
