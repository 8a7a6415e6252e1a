import { html } from 'ghtml';
import {
  button,
  figure,
  linkInFull,
  mailHtml,
  name,
  note,
  noteTitle,
  paragraph,
  strong,
  title,
} from '../messaging/email-frame.ts';
import { light } from '../messaging/email-palette.ts';
import { shorten } from '../messaging/plain-name.ts';
import type { MessageContent } from './compose-message.ts';

const LONGEST_NAME_IN_SUBJECT = 80;

/** Names contain no line breaks, so the subject cannot add a header. */
export const emailSubject = ({ senderName }: MessageContent) =>
  `${shorten(senderName, LONGEST_NAME_IN_SUBJECT)} sent you a gift`;

const greeting = ({ recipientName }: MessageContent) =>
  recipientName === undefined ? 'A gift for you' : html`A gift for !${name(recipientName)}`;

/** The category's picture, or wrapping paper and a ribbon made of table cells. */
const picture = ({ artworkUrl }: MessageContent) =>
  artworkUrl === null
    ? html`<tr><td style="font-size:0;line-height:0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr height="120"><td width="34%" bgcolor="#e2bba8" style="height:120px;background:#e2bba8">&nbsp;</td><td width="10%" bgcolor="#9c2544" style="background:#9c2544">&nbsp;</td><td bgcolor="#f1d9cb" style="background:#f1d9cb">&nbsp;</td></tr></table></td></tr>`
    : html`<tr><td class="sunken" style="background:${light.sunken};line-height:0"><img src="${artworkUrl}" width="560" alt="" style="display:block;width:100%;max-width:560px;height:auto;border:0"></td></tr>`;

const reassurance = ({ senderName, link }: MessageContent) =>
  [
    noteTitle('Is this real?'),
    note(html`Yes. It was sent with Bestow on behalf of !${name(senderName)} and is already paid for.`),
    note('Opening it is free. No one will ask you for a password, a payment or your card number.'),
    note(
      html`The button leads to !${strong(new URL(link).host)}: check that your browser shows this name. If you did not expect a gift, contact !${name(senderName)} before you open it, in a way that you trust.`,
    ),
    note('Anyone with this message can open the gift, so don’t forward it.'),
  ].join('\n');

/** Renders a gift's email. */
export function emailHtml(content: MessageContent): string {
  const { senderName, amount, categoryName, link } = content;
  return mailHtml({
    subject: emailSubject(content),
    preheader: `${amount} for ${categoryName}. Open it whenever you like.`,
    picture: picture(content),
    body: [
      title(greeting(content), 8),
      paragraph(html`from <strong style="font-weight:600">!${name(senderName)}</strong>`),
      figure(amount, html`for !${name(categoryName)}`),
      button(link, 'Open your gift'),
    ].join('\n'),
    notes: reassurance(content),
    foot: linkInFull(link),
  });
}
