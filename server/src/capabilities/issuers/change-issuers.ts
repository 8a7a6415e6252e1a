import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import type { Issuer } from '../../core/issuer/port.ts';
import { recordEvent } from '../../platform/audit/record-event.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Adapter, Adapters } from './adapter.ts';
import { adapters as every } from './adapters.ts';
import * as queries from './queries.ts';

type IssuerDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'cipher'>;

interface NewIssuer {
  /** UUID. */
  organizationId: string;
  /** Undefined: all categories without an own issuer. */
  categoryId?: string | undefined;
  kind: string;
  settings: Readonly<Record<string, string>>;
  actor: Actor;
}

/**
 * Chooses the issuer of an organization's live gifts. Gifts that are claimed keep theirs.
 *
 * @throws OperatorError if the settings are not valid, its cards have another currency, or the category has an issuer
 */
export async function addIssuer(
  deps: IssuerDeps,
  { organizationId, categoryId, kind, settings, actor }: NewIssuer,
  adapters: Adapters = every,
): Promise<queries.IssuerRow> {
  const issuerId = deps.ids.next();
  await checkSettings(deps, { organizationId, issuerId }, { kind, settings }, adapters);
  if (categoryId !== undefined) {
    const [category] = await queries.selectCategoryExists(deps.database.shared, [categoryId]);
    if (category === undefined) throw new OperatorError(`There is no category ${categoryId}.`);
  }
  const sealed = deps.cipher.encrypt(JSON.stringify(settings));
  const lowStock = settings['low_stock'] === undefined ? null : Number(settings['low_stock']);
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

async function checkSettings(
  deps: IssuerDeps,
  scope: { organizationId: string; issuerId: string },
  { kind, settings }: Pick<NewIssuer, 'kind' | 'settings'>,
  adapters: Adapters,
): Promise<void> {
  const chosen = adapters[kind];
  if (chosen === undefined)
    throw new OperatorError(
      `There is no issuer of the kind ${kind}. Kinds: ${Object.keys(adapters).sort().join(', ')}.`,
    );
  const names = Object.keys(chosen.settings);
  const strange = Object.keys(settings).find((name) => !names.includes(name));
  if (strange !== undefined)
    throw new OperatorError(`An issuer of the kind ${kind} has no setting ${strange}. Settings: ${names.join(', ')}.`);
  const missing = names.find((name) => !chosen.settings[name]?.isOptional && settings[name] === undefined);
  if (missing !== undefined)
    throw new OperatorError(`The setting ${missing} is missing: ${chosen.settings[missing]?.meaning}.`);
  if (settings['low_stock'] !== undefined && !/^[1-9]\d{0,6}$/.test(settings['low_stock']))
    throw new OperatorError('low_stock must be a whole number above zero.');
  const { currencies } = createOrExplain(await chosen.load(), settings, scope, deps).capabilities;
  const { currency } = deps.config;
  if (currencies !== undefined && !currencies.includes(currency))
    throw new OperatorError(`Its cards are in ${currencies.join(', ')}, but gifts are in ${currency} (CURRENCY).`);
}

function createOrExplain(adapter: Adapter, ...[settings, scope, deps]: Parameters<Adapter['create']>): Issuer {
  try {
    return adapter.create(settings, scope, deps);
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error));
  }
}

/** Removes the choice; cards that exist keep their issuer. @throws OperatorError if there is no such issuer */
export async function removeIssuer(deps: IssuerDeps, id: string, actor: Actor): Promise<queries.IssuerRow> {
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
export async function findIssuer({ database }: Pick<Deps, 'database'>, id: string): Promise<queries.IssuerRow> {
  const issuerId = decodeId('iss', id);
  const found = issuerId === undefined ? undefined : await queries.selectIssuerOf.find(database.shards, [issuerId]);
  if (found === undefined) throw new OperatorError(`There is no issuer ${id}.`);
  return found;
}

/** Also removed ones, last. @param organizationId UUID */
export const listIssuers = (
  { database }: Pick<Deps, 'database'>,
  organizationId: string,
): Promise<queries.IssuerRow[]> => queries.selectIssuers(database.read, [organizationId]);

const record = (
  client: PoolClient,
  deps: IssuerDeps,
  actor: Actor,
  { organization_id: organizationId, issuer_id, kind, category_id }: queries.IssuerRow,
  action: 'issuer.added' | 'issuer.removed',
) =>
  recordEvent(client, deps, actor, {
    organizationId,
    environment: 'live',
    action,
    target: encodeId('iss', issuer_id),
    details: { kind, category: category_id },
  });
