import { deriveKey } from '../base/derive-key.ts';
import type { Config } from '../configuration/config.ts';
import type { Queryable } from '../database/statement.ts';
import { secretsFor } from './link-secret.ts';
import { selectKept } from './queries.ts';

/** The choices of `bestow settings accept`, and what each keeps in the database. */
export const acceptable = {
  currency: { name: 'currency', names: ['currency'], effect: 'relabels every balance and gift' },
  'link-secret': {
    name: 'link secret',
    names: ['gifts', 'codes', 'sessions'],
    effect: 'ends every link that was sent, signs everyone out, and leaves encrypted settings unreadable',
  },
} as const;

export type Acceptable = keyof typeof acceptable;

/** A setting that is not the one with which the database was filled. */
export interface Disagreement {
  accept: Acceptable;
  found: string;
}

const FINGERPRINT_BYTES = 12;
const fingerprint = (secret: string) =>
  deriveKey(secret, 'bestow fingerprint').toString('base64url', 0, FINGERPRINT_BYTES);

type SecretSettings = Pick<Config, 'currency' | 'purposeSecrets'>;
type ComparedSettings = SecretSettings & Pick<Config, 'databaseUrls'>;

/** Returns what the database keeps of the settings: never a secret. */
export function valuesOf(config: SecretSettings, linkSecrets: readonly string[]): Map<string, string[]> {
  const purposes = ['gifts', 'codes', 'sessions'] as const;
  return new Map([
    ['currency', [config.currency]],
    ...purposes.map((purpose): [string, string[]] => [
      purpose,
      secretsFor(purpose, config, linkSecrets).map(fingerprint).sort(),
    ]),
  ]);
}

/**
 * Compares the settings with what the database keeps. A secret agrees if it shares one of a list, as in each step of its
 * replacement.
 *
 * @param linkSecrets undefined if the file in `DATA_DIR` is missing
 */
export const findDisagreements = async (
  database: Queryable,
  ...settings: [config: ComparedSettings, linkSecrets: readonly string[] | undefined]
): Promise<Disagreement[]> => compareKept(await selectKept(database, []), ...settings);

/** @param kept what the database keeps */
export function compareKept(
  kept: readonly { name: string; value: string[] }[],
  config: ComparedSettings,
  linkSecrets: readonly string[] | undefined,
): Disagreement[] {
  const values = valuesOf(config, linkSecrets ?? []);
  const different = kept.filter(({ name, value }) => !value.some((one) => values.get(name)?.includes(one)));
  return (Object.keys(acceptable) as Acceptable[]).flatMap((accept) => {
    const names: readonly string[] = acceptable[accept].names;
    const row = different.find(({ name }) => names.includes(name));
    if (row === undefined) return [];
    return [{ accept, found: accept === 'currency' ? currencyOf(row.value, config) : secretOf(config, linkSecrets) }];
  });
}

const currencyOf = ([before]: readonly string[], { currency }: Pick<Config, 'currency'>) =>
  `CURRENCY is ${currency}, but the amounts of this database are in ${before}`;

function secretOf({ databaseUrls }: Pick<Config, 'databaseUrls'>, linkSecrets: readonly string[] | undefined): string {
  if (linkSecrets === undefined)
    return 'the file link-secret, which signed the links of this database, is missing in DATA_DIR';
  return databaseUrls.length === 0
    ? 'the file link-secret in DATA_DIR or LINK_SECRET is not the one that signed the links of this database'
    : 'LINK_SECRET is not the one that signed the links of this database';
}

/** One sentence with the way out. */
export const adviceFor = ({ accept }: Disagreement): string =>
  `Put the earlier one back, or run: bestow settings accept ${accept}, which ${acceptable[accept].effect}.`;
