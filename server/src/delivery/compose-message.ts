import { formatAmount } from '../base/format-money.ts';
import { mailArtworkUrl } from '../catalog/artwork.ts';
import type { Deps } from '../deps.ts';
import type { OutgoingMessage } from '../messaging/channel.ts';
import { plainName, shorten } from '../messaging/plain-name.ts';
import { encodeReference } from '../messaging/reference.ts';
import { emailHtml, emailSubject } from './email-template.ts';
import { emailText } from './email-text.ts';
import type { MessageRow } from './queries.ts';
import { textMessage } from './text-template.ts';

/** The data of a message. Names are cleaned (`plain-name.ts`), but still untrusted text. */
export interface MessageContent {
  senderName: string;
  recipientName: string | undefined;
  /** Such as `$25.00`. */
  amount: string;
  categoryName: string;
  /** An absolute URL of a format that mail programs show; null if the category has no picture. */
  artworkUrl: string | null;
  /** The redemption link. */
  link: string;
}

const LONGEST_NAME_IN_FROM = 80;

export type ComposeDeps = Pick<Deps, 'config' | 'links' | 'publicUrl'>;

/** Renders a message. The same row always gives the same message. */
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
    fromName: `${shorten(content.senderName, LONGEST_NAME_IN_FROM)} via Bestow`,
    subject: row.channel === 'email' ? emailSubject(content) : '',
    html: row.channel === 'email' ? emailHtml(content) : undefined,
    text: row.channel === 'email' ? emailText(content) : textMessage(content),
  };
}

function messageContent(deps: ComposeDeps, row: MessageRow): MessageContent {
  return {
    senderName: plainName(row.sender_name),
    recipientName: row.recipient_name === null ? undefined : plainName(row.recipient_name),
    amount: formatAmount(row.amount_cents, deps.config.currency),
    categoryName: plainName(row.category_name),
    artworkUrl: mailArtworkUrl(row.artwork, deps.publicUrl()),
    link: messageLink(deps, row),
  };
}

/** Returns the redemption link of a message, the same on every attempt. */
export function messageLink({ links }: Pick<Deps, 'links'>, row: MessageRow): string {
  return links.url({
    organizationId: row.organization_id,
    environment: row.environment,
    giftId: row.gift_id,
    version: row.link_version,
    expiresAtMs: row.link_expires_at.getTime(),
  });
}
