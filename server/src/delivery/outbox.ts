import type { Deps } from '../deps.ts';
import type { OutgoingMessage } from './channel.ts';
import { type ComposeDeps, composeMessage, messageLink } from './compose-message.ts';
import { type MessageRow, selectLatestMessages, selectMessage } from './queries.ts';
import { decodeReference } from './reference.ts';

/** A message as it goes out, or would, and what became of it. */
export interface OutboxMessage {
  message: OutgoingMessage;
  row: MessageRow;
  /** The redemption link that the message carries: it is worth money. */
  link: string;
}

type OutboxDeps = ComposeDeps & { database: Pick<Deps['database'], 'read'> };

/** The latest messages of all organizations and both environments, newest first. */
export async function listOutbox(deps: OutboxDeps, limit: number): Promise<OutboxMessage[]> {
  return (await selectLatestMessages(deps.database.read, [limit])).map((row) => present(deps, row));
}

/** The message of a reference, or undefined where there is none. */
export async function findOutboxMessage(deps: OutboxDeps, reference: string): Promise<OutboxMessage | undefined> {
  const one = decodeReference(reference);
  if (one === undefined) return undefined;
  const { organizationId, environment, giftId, deliveryId } = one;
  const [row] = await selectMessage(deps.database.read, [organizationId, environment, giftId, deliveryId]);
  return row && present(deps, row);
}

const present = (deps: OutboxDeps, row: MessageRow): OutboxMessage => ({
  message: composeMessage(deps, row),
  row,
  link: messageLink(deps, row),
});

/** One line that says what the message is. */
export const titleOf = ({ subject, senderName }: OutgoingMessage) =>
  subject === '' ? `Text message from ${senderName}` : subject;
