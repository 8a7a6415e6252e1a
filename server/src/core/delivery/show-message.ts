import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { composeMessage, type MessageData } from './compose-message.ts';
import { selectDeliveryId } from './message-queries.ts';
import { selectMessage } from './queries.ts';

/** A message to a recipient, with a placeholder for its link. */
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

/** As long as a link's token, so that a text message is cut at the same character. */
const PLACEHOLDER = '-'.repeat(76);
const SHOWN_TOKEN = '…';

/**
 * Shows a gift's message by its number. The link is a placeholder: anyone with the real link can claim the gift.
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
  return presentMessage(deps, row);
}

/** Composes a message with a placeholder for its link. */
export function presentMessage(deps: Pick<Deps, 'config' | 'publicUrl'>, row: MessageData): ShownMessage {
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
