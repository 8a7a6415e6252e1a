import { type ComposeDeps, composeMessage, messageLink } from '../../core/delivery/compose-message.ts';
import { findMessage, listLatestMessages } from '../../core/delivery/find-messages.ts';
import type { MessageRow } from '../../core/delivery/queries.ts';
import type { Deps } from '../../core/deps.ts';
import { findNotice, listNotices, type PresentedNotice } from '../../core/notices/find-notices.ts';
import type { OutgoingMessage } from '../../platform/messaging/channel.ts';
import { decodeReference } from '../../platform/messaging/reference.ts';

/** A message about a gift, with its content and its status. */
export interface OutboxGiftMessage {
  kind: 'gift';
  message: OutgoingMessage;
  row: MessageRow;
  /** The redemption link, which is worth money. */
  link: string;
}

/** A mail to a member. Only the outbox shows the sign-in code in it. */
type OutboxNotice = PresentedNotice & { kind: 'notice' };

export type OutboxMessage = OutboxGiftMessage | OutboxNotice;

type OutboxDeps = ComposeDeps & Pick<Deps, 'cipher'> & { database: Pick<Deps['database'], 'read' | 'shards' | 'home'> };

/**
 * Lists the latest messages of all organizations and both environments, newest first.
 *
 * @param options `failed`: only messages that a provider refused or that are being retried
 */
export async function listOutbox(
  deps: OutboxDeps,
  limit: number,
  { failed = false }: { failed?: boolean } = {},
): Promise<OutboxMessage[]> {
  const [messages, notices] = await Promise.all([
    listLatestMessages(deps, limit, failed),
    listNotices(deps, limit, failed),
  ]);
  return [...messages.map((row) => presentGiftMessage(deps, row)), ...notices.map(asNotice)]
    .sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1))
    .slice(0, limit);
}

/** Returns the message of a reference, or undefined. */
export async function findOutboxMessage(deps: OutboxDeps, reference: string): Promise<OutboxMessage | undefined> {
  const one = decodeReference(reference);
  if (one === undefined) {
    const notice = await findNotice(deps, reference);
    return notice && asNotice(notice);
  }
  const row = await findMessage(deps, one);
  return row && presentGiftMessage(deps, row);
}

const presentGiftMessage = (deps: OutboxDeps, row: MessageRow): OutboxGiftMessage => ({
  kind: 'gift',
  message: composeMessage(deps, row),
  row,
  link: messageLink(deps, row),
});

const asNotice = (notice: PresentedNotice): OutboxNotice => ({ kind: 'notice', ...notice });

/** Ids contain the time, so that both kinds sort together. */
const idOf = (found: OutboxMessage) => (found.kind === 'gift' ? found.row.delivery_id : found.row.notice_id);

/** The subject, or a title for a text message. */
export const titleOf = ({ subject, senderName }: OutgoingMessage) =>
  subject === '' ? `Text message from ${senderName}` : subject;
