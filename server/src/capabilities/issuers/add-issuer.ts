import type { Deps } from '../../core/deps.ts';
import { chooseIssuer, type IssuerRow } from '../../core/issuer/choose-issuer.ts';
import type { Issuer } from '../../core/issuer/port.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Adapter, Adapters } from './adapter.ts';
import { adapters as every } from './adapters.ts';

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
 * Adds an issuer of one of the kinds, and chooses it as `chooseIssuer` says.
 *
 * @throws OperatorError if the settings are not valid or its cards have another currency; as `chooseIssuer`
 */
export async function addIssuer(
  deps: IssuerDeps,
  { organizationId, categoryId, kind, settings, actor }: NewIssuer,
  adapters: Adapters = every,
): Promise<IssuerRow> {
  const issuerId = deps.ids.next();
  await checkSettings(deps, { organizationId, issuerId }, { kind, settings }, adapters);
  const lowStock = settings['low_stock'] === undefined ? null : Number(settings['low_stock']);
  return chooseIssuer(deps, { organizationId, issuerId, categoryId, kind, settings, lowStock, actor });
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
