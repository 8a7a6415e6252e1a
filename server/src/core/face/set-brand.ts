import { refuseLostLetters } from '../../platform/api/lost-letters.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { contrast, LEAST_CONTRAST } from './contrast.ts';
import { type Brand, logoOf, type ShownLogo } from './face.ts';
import { findFace } from './find-face.ts';
import { upsertBrand } from './queries.ts';

const COLOR = /^#[0-9a-f]{6}$/;
const LINE = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u;
const LINES = /^(?:\n|[^\p{Cc}\p{Cs}\u2028\u2029])*$/u;
const LONGEST = { footer: 300, sender_name: 80, subject: 120 } as const;
const MOST_FOOTER_LINES = 6;

interface ShownBrand extends Brand {
  /** Of the two colours, rounded down to a tenth. */
  contrast: number | null;
  logo: ShownLogo | null;
}

type BrandDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/**
 * Sets how an organization looks to its recipients. Setting the same again changes nothing.
 *
 * @param organizationId UUID
 * @throws OperatorError if a value is refused, BestowError `parameter_invalid` if a text lost letters
 */
export async function setBrand(
  deps: BrandDeps,
  { organizationId, brand, actor }: { organizationId: string; brand: Brand; actor: Actor },
): Promise<ShownBrand> {
  const checked = checkBrand(brand);
  const { color, text_color, footer, sender_name, reply_to, subject } = checked;
  await inOrganization(deps.database, organizationId, async (client) => {
    const values = [color, text_color, footer, sender_name, reply_to, subject] as const;
    const [changed] = await upsertBrand(client, [organizationId, ...values]);
    if (changed !== undefined)
      await recordEvent(client, deps, actor, { organizationId, action: 'brand.set', details: changed });
  });
  return await showBrand(deps, organizationId);
}

export async function showBrand(deps: Pick<Deps, 'database'>, organizationId: string): Promise<ShownBrand> {
  const { organization_id, logo_hash, logo_width, logo_height, ...brand } = await findFace(deps, organizationId);
  const logo = logoOf({ organization_id, logo_hash, logo_width, logo_height });
  return { ...brand, contrast: ratioOf(brand), logo: logo ?? null };
}

/** Rounded down, so that a pair below the least contrast never seems to have it. */
const ratioOf = ({ color, text_color }: Pick<Brand, 'color' | 'text_color'>): number | null =>
  color === null || text_color === null ? null : Math.floor(contrast(color, text_color) * 10) / 10;

/** @throws OperatorError, or BestowError `parameter_invalid` if a text lost letters */
export function checkBrand(given: Brand): Brand {
  refuseLostLetters(given);
  const brand = withoutBlanks(given);
  const { color, text_color, footer, subject } = brand;
  for (const value of [color, text_color])
    if (value !== null && !COLOR.test(value))
      throw new OperatorError('A color must be six digits after #, such as #1f5fa8.');
  if ((color === null) !== (text_color === null)) throw new OperatorError('Choose both colors or neither.');
  if (color !== null && text_color !== null && contrast(color, text_color) < LEAST_CONTRAST)
    throw new OperatorError(
      `Text in ${text_color} on ${color} is hard to read: its contrast is ${ratioOf(brand)} : 1, and ${LEAST_CONTRAST} : 1 is needed.`,
    );
  for (const name of ['footer', 'sender_name', 'subject'] as const) {
    const pattern = name === 'footer' ? LINES : LINE;
    const value = brand[name] ?? '';
    if ([...value].length > LONGEST[name] || !pattern.test(value))
      throw new OperatorError(
        `The ${names[name]} must have at most ${LONGEST[name]} characters${name === 'footer' ? '' : ' and no line breaks'}.`,
      );
  }
  if ((footer?.split('\n').length ?? 0) > MOST_FOOTER_LINES)
    throw new OperatorError(`The footer must have at most ${MOST_FOOTER_LINES} lines.`);
  if (/[{}]/.test((subject ?? '').replaceAll('{sender}', '')))
    throw new OperatorError('The subject line can have {sender} for the sender’s name, and no other braces.');
  return brand;
}

const names = { footer: 'footer', sender_name: 'sender’s name', subject: 'subject line' } as const;

/** An empty text counts as null. Colours are compared in lower case. */
function withoutBlanks({ color, text_color, footer, sender_name, reply_to, subject }: Brand): Brand {
  const plain = (text: string | null) => text?.replaceAll('\r\n', '\n').trim() || null;
  return {
    color: plain(color)?.toLowerCase() ?? null,
    text_color: plain(text_color)?.toLowerCase() ?? null,
    footer: plain(footer),
    sender_name: plain(sender_name),
    reply_to: plain(reply_to),
    subject: plain(subject),
  };
}
