import type { Deps } from '../deps.ts';
import type { OutgoingMessage } from './channel.ts';
import { emailHtml, emailSubject, emailText } from './email-template.ts';
import type { MessageRow } from './queries.ts';
import { encodeReference } from './reference.ts';
import { textMessage } from './text-template.ts';

/** What a message's templates may say. */
export interface MessageContent {
  senderName: string;
  recipientName: string | undefined;
  /** Such as `$25.00`. */
  amount: string;
  categoryName: string;
  /** Absolute; null where the category has none. */
  artworkUrl: string | null;
  /** The redemption link. */
  link: string;
}

type ComposeDeps = Pick<Deps, 'config' | 'links' | 'publicUrl'>;

/** Renders a message. The same row gives the same message at every try, and in the outbox. */
export function composeMessage(deps: ComposeDeps, row: MessageRow): OutgoingMessage {
  const content = messageContent(deps, row);
  return {
    reference: encodeReference({
      organizationId: row.organization_id,
      environment: row.environment,
      giftId: row.gift_id,
      deliveryId: row.delivery_id,
    }),
    to: row.address,
    senderName: content.senderName,
    subject: row.channel === 'email' ? emailSubject(content) : '',
    html: row.channel === 'email' ? emailHtml(content) : undefined,
    text: row.channel === 'email' ? emailText(content) : textMessage(content),
  };
}

function messageContent(deps: ComposeDeps, row: MessageRow): MessageContent {
  const publicUrl = deps.publicUrl();
  return {
    senderName: row.sender_name,
    recipientName: row.recipient_name ?? undefined,
    amount: formatAmount(row.amount_cents, deps.config.currency),
    categoryName: row.category_name,
    artworkUrl: row.artwork?.startsWith('/') ? publicUrl + row.artwork : row.artwork,
    link: deps.links.url({
      organizationId: row.organization_id,
      environment: row.environment,
      giftId: row.gift_id,
      version: row.link_version,
      expiresAtMs: row.link_expires_at.getTime(),
    }),
  };
}

/** Cents as people write money: `$25.00`. */
export function formatAmount(cents: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100);
}
