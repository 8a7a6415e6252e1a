import type { Deps } from '../deps.ts';
import { findNotice, listNotices, type PresentedNotice } from '../notices/find-notices.ts';
import type { OutgoingMessage } from './channel.ts';
import { type ComposeDeps, composeMessage, messageLink } from './compose-message.ts';
import { type MessageRow, selectLatestMessages, selectMessage } from './queries.ts';
import { decodeReference } from './reference.ts';

/** A message about a gift as it goes out, or would, and what became of it. */
export interface OutboxGiftMessage {
  kind: 'gift';
  message: OutgoingMessage;
  row: MessageRow;
  /** The redemption link that the message carries: it is worth money. */
  link: string;
}

/** A mail to one of an organization's people, likewise. A sign-in code in it is readable here, and nowhere else. */
type OutboxNotice = PresentedNotice & { kind: 'notice' };

export type OutboxMessage = OutboxGiftMessage | OutboxNotice;

type OutboxDeps = ComposeDeps & Pick<Deps, 'seal'> & { database: Pick<Deps['database'], 'read'> };

/**
 * The latest messages of all organizations and both environments, newest first.
 *
 * @param options `failed`: only those that were meant to leave, and were refused or are being tried again
 */
export async function listOutbox(
  deps: OutboxDeps,
  limit: number,
  { failed = false }: { failed?: boolean } = {},
): Promise<OutboxMessage[]> {
  const [messages, notices] = await Promise.all([
    selectLatestMessages(deps.database.read, [limit, failed]),
    listNotices(deps, limit, failed),
  ]);
  return [...messages.map((row) => presentGiftMessage(deps, row)), ...notices.map(asNotice)]
    .sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1))
    .slice(0, limit);
}

/** The message of a reference, or undefined where there is none. */
export async function findOutboxMessage(deps: OutboxDeps, reference: string): Promise<OutboxMessage | undefined> {
  const one = decodeReference(reference);
  if (one === undefined) {
    const notice = await findNotice(deps, reference);
    return notice && asNotice(notice);
  }
  const { organizationId, environment, giftId, deliveryId } = one;
  const [row] = await selectMessage(deps.database.read, [organizationId, environment, giftId, deliveryId]);
  return row && presentGiftMessage(deps, row);
}

const presentGiftMessage = (deps: OutboxDeps, row: MessageRow): OutboxGiftMessage => ({
  kind: 'gift',
  message: composeMessage(deps, row),
  row,
  link: messageLink(deps, row),
});

const asNotice = (notice: PresentedNotice): OutboxNotice => ({ kind: 'notice', ...notice });

/** Ids are made of the time, so those of both kinds together have one order. */
const idOf = (found: OutboxMessage) => (found.kind === 'gift' ? found.row.delivery_id : found.row.notice_id);

/** One line that says what the message is. */
export const titleOf = ({ subject, senderName }: OutgoingMessage) =>
  subject === '' ? `Text message from ${senderName}` : subject;
