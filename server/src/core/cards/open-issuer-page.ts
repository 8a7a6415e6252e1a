import type { Deps } from '../deps.ts';
import type { Card, Issuer } from '../issuer/port.ts';
import { replaceSealed } from './queries.ts';

/** How long a recipient waits for a new link. */
const WAIT_MS = 10_000;

/**
 * Returns the secret address of the issuer's page for a card that is a link. A link that is missing, or is asked for anew, is
 * made by the issuer and kept.
 *
 * @throws the issuer's error, or `AbortError`
 */
export async function openIssuerPage(
  { database }: Pick<Deps, 'database'>,
  issuer: Issuer,
  card: Card,
  isAnew: boolean,
): Promise<string> {
  const known = isAnew ? undefined : await addressOf(issuer, card);
  if (known !== undefined) return known;
  const { issued, organizationId, environment, giftId } = card;
  if (issuer.isLocal || issuer.reissue === undefined || issued === undefined)
    throw new Error('The issuer makes no links anew.');
  const sealed = await issuer.reissue(card, AbortSignal.timeout(WAIT_MS));
  await replaceSealed(database.change, [
    organizationId,
    environment,
    giftId,
    issued.issuerId,
    issued.providerId,
    sealed,
  ]);
  const address = await addressOf(issuer, { ...card, issued: { ...issued, sealed } });
  if (address === undefined) throw new Error('The issuer’s new link cannot be opened.');
  return address;
}

async function addressOf(issuer: Issuer, card: Card): Promise<string | undefined> {
  const shown = await issuer.present(card, true);
  if (shown.kind !== 'redirect') throw new Error('The card is not a link.');
  return shown.url;
}
