import type { Deps } from '../deps.ts';
import type { Card, Issuer } from '../issuer/port.ts';
import { replaceSealed } from './queries.ts';

/** How long a recipient waits for a new link. */
const WAIT_MS = 10_000;

/**
 * Returns the secret address of the issuer's page for a card that is a link. If the card has no link, or the holder wants a new
 * one, the issuer makes it, and it is kept.
 *
 * @param isNew whether the holder wants a new link
 * @returns undefined if the card has ended
 * @throws the issuer's error, or `AbortError`
 */
export async function openIssuerPage(
  { database }: Pick<Deps, 'database'>,
  issuer: Issuer,
  card: Card,
  isNew: boolean,
): Promise<string | undefined> {
  const known = isNew ? undefined : await addressOf(issuer, card);
  if (known !== undefined) return known;
  const { issued, organizationId, environment, giftId } = card;
  if (issuer.isLocal || issuer.reissue === undefined || issued === undefined)
    throw new Error('This issuer cannot make a new link.');
  const sealed = await issuer.reissue(card, AbortSignal.timeout(WAIT_MS));
  if (sealed === undefined) return undefined;
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
