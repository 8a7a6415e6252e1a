import { disclosure } from '../../platform/languages/disclosure.ts';
import { chooseLanguage } from '../../platform/languages/languages.ts';
import { type Words, wordsOf } from '../../platform/languages/words.ts';
import type { OutgoingMessage } from '../../platform/messaging/channel.ts';
import { plainMessage, plainName, shorten } from '../../platform/messaging/plain-name.ts';
import { encodeReference } from '../../platform/messaging/reference.ts';
import { wrappedGiftPath } from '../../platform/pages/wrapped-gift.ts';
import { mailArtworkUrl } from '../catalog/artwork.ts';
import { type NamedCategory, nameIn } from '../catalog/category-names.ts';
import type { Deps } from '../deps.ts';
import { footerOf, mailLook, shownSender, subjectOf } from '../face/face.ts';
import type { GiftColumns } from '../gifts/gift/gift-fields.ts';
import { emailHtml, emailSubject } from './email-template.ts';
import { emailText } from './email-text.ts';
import type { MessageContent } from './message-content.ts';
import type { MessageRow } from './queries.ts';
import { textMessage } from './text-template.ts';

const LONGEST_NAME_IN_FROM = 80;

/** What a message is made of. */
export type MessageData = Pick<
  MessageRow,
  | 'organization_id'
  | 'environment'
  | 'gift_id'
  | 'delivery_id'
  | 'channel'
  | 'address'
  | 'link_version'
  | 'link_expires_at'
  | 'reminder_day'
  | Exclude<keyof GiftColumns<'message'>, 'language'>
  | 'program'
  | 'organization_name'
  | 'messages_show_value'
  | keyof NamedCategory
  | 'artwork'
  | 'brand'
  | 'sender'
> &
  Partial<Pick<MessageRow, 'language' | 'organization_language'>>;

export type ComposeDeps = Pick<Deps, 'config' | 'links' | 'publicUrl'>;

/** Renders a message. The same row always gives the same message. */
export function composeMessage(deps: ComposeDeps, row: MessageData): OutgoingMessage {
  const words = wordsOf(chooseLanguage([row.language, row.organization_language], undefined));
  const content = messageContent(deps, row, words);
  const sender = shorten(content.senderName, LONGEST_NAME_IN_FROM);
  return {
    reference: encodeReference({
      organizationId: row.organization_id,
      environment: row.environment,
      giftId: row.gift_id,
      deliveryId: row.delivery_id,
    }),
    to: row.address,
    senderName: content.senderName,
    fromName: hasOwnDomain(deps, row) ? sender : words.say('mail.via', { sender }),
    subject: row.channel === 'email' ? emailSubject(content) : '',
    html: row.channel === 'email' ? emailHtml(content) : undefined,
    text: row.channel === 'email' ? emailText(content) : textMessage(content),
    ...(row.brand === null || row.brand.reply_to === null ? {} : { replyTo: row.brand.reply_to }),
    ...(content.stopLink !== undefined && row.channel === 'email' ? { stopLink: content.stopLink } : {}),
  };
}

/** Whether the message comes from a domain of the organization. */
const hasOwnDomain = ({ config }: Pick<Deps, 'config'>, { channel, sender }: MessageData) =>
  channel === 'email' && sender != null && config.senderDomainSpf !== undefined && config.smtp !== undefined;

/** The sender and its key; undefined if the message comes from the service's address. */
export function signatureOf(
  deps: Pick<Deps, 'config' | 'cipher'>,
  row: MessageData,
): Pick<OutgoingMessage, 'signature'> {
  const privateKey = hasOwnDomain(deps, row) ? deps.cipher.decrypt(row.sender?.private_key ?? '') : undefined;
  if (privateKey === undefined || row.sender == null) return {};
  const { local_part, domain, selector } = row.sender;
  return { signature: { address: `${local_part}@${domain}`, domain, selector, privateKey } };
}

function messageContent(deps: ComposeDeps, row: MessageData, words: Words): MessageContent {
  const lastDay = row.expires_at === null ? undefined : words.lastDay(row.expires_at);
  const plain = (name: string) => plainName(name, words.say('someone'));
  const organizationName = plain(row.organization_name);
  const senderName = plain(shownSender(row.sender_name, row.organization_name, row.brand));
  return {
    words,
    senderName,
    recipientName: row.recipient_name === null ? undefined : plain(row.recipient_name),
    organizationName: organizationName === senderName ? undefined : organizationName,
    note: row.message === null ? undefined : plainMessage(row.message),
    ...valueContent(deps, row, words),
    lastDay,
    disclosure: disclosure(words, row.program, lastDay),
    link: messageLink(deps, row),
    stopLink: row.reminder_day === null ? undefined : `${messageLink(deps, row)}/stop`,
    subject: subjectOf(row.brand, senderName),
    look: mailLook(row.brand, row.organization_name, deps.publicUrl()),
    footer: footerOf(row.brand),
  };
}

function valueContent(
  { config, publicUrl }: ComposeDeps,
  row: MessageData,
  words: Words,
): Pick<MessageContent, 'value' | 'pictureUrl'> {
  if (!row.messages_show_value) return { value: undefined, pictureUrl: publicUrl() + wrappedGiftPath };
  const amount = words.amount(row.amount_cents, config.currency);
  return {
    value: { amount, categoryName: plainName(nameIn(words.language, row)) },
    pictureUrl: mailArtworkUrl(row.artwork, publicUrl()),
  };
}

/** Returns the redemption link of a message, the same on every attempt. */
export function messageLink({ links }: Pick<Deps, 'links'>, row: MessageData): string {
  return links.url({
    organizationId: row.organization_id,
    environment: row.environment,
    giftId: row.gift_id,
    version: row.link_version,
    expiresAtMs: row.link_expires_at.getTime(),
  });
}
