import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { composeMessage } from './compose-message.ts';
import { selectDeliveryId } from './message-queries.ts';
import { selectMessage } from './queries.ts';

/** A message to a recipient as it was sent, but for its link. */
interface ShownMessage {
  channel: 'email' | 'phone';
  to: string;
  sender_name: string;
  /** Empty for a text message. */
  subject: string;
  /** Null for a text message. */
  html: string | null;
  text: string;
}

/** As many characters as a link's token has, so that a text message is cut where the real one was. */
const PLACEHOLDER = '-'.repeat(76);
const SHOWN_TOKEN = '…';

/**
 * The message of this number about a gift, as its recipient got it. Whoever holds its link can take the gift, and that is
 * the recipient alone: the message is composed with a placeholder, so the link is never made here.
 *
 * @param giftId UUID
 * @throws BestowError `resource_missing`
 */
export async function showMessage(
  deps: Pick<Deps, 'config' | 'database' | 'publicUrl'>,
  { organizationId, environment }: Scope,
  giftId: string,
  number: number,
): Promise<ShownMessage> {
  const { pool } = deps.database;
  const one = [organizationId, environment, giftId] as const;
  const [delivery] = await selectDeliveryId(pool, [...one, number]);
  const [row] = delivery === undefined ? [] : await selectMessage(pool, [...one, delivery.delivery_id]);
  if (row === undefined) throw new BestowError('resource_missing');
  const links = { url: () => `${deps.publicUrl()}/g/${PLACEHOLDER}`, read: () => undefined };
  const { to, senderName, subject, html, text } = composeMessage({ ...deps, links }, row);
  const show = (content: string) => content.replaceAll(PLACEHOLDER, SHOWN_TOKEN);
  return {
    channel: row.channel,
    to,
    sender_name: senderName,
    subject,
    html: html === undefined ? null : show(html),
    text: show(text),
  };
}
