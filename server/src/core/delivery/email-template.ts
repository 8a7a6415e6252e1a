import { html } from 'ghtml';
import { englishWords, type Words } from '../../platform/languages/words.ts';
import {
  button,
  figure,
  linkInFull,
  mailHtml,
  name,
  note,
  noteTitle,
  paragraph,
  quotation,
  strong,
  title,
} from '../../platform/messaging/email-frame.ts';
import { light, type MailLook } from '../../platform/messaging/email-palette.ts';
import { shorten, unlinkable } from '../../platform/messaging/plain-name.ts';
import type { MessageContent } from './message-content.ts';

const LONGEST_NAME_IN_SUBJECT = 80;

/** Names contain no line breaks, so the subject cannot add a header. */
export const emailSubject = ({ senderName, stopLink, subject, words = englishWords }: MessageContent) => {
  if (subject !== undefined && stopLink === undefined) return subject;
  const sender = shorten(senderName, LONGEST_NAME_IN_SUBJECT);
  return words.say(stopLink === undefined ? 'mail.subject' : 'mail.reminderSubject', { sender });
};

const greeting = ({ recipientName, words = englishWords }: MessageContent) =>
  recipientName === undefined
    ? words.say('wrapped.forYou')
    : words.say('wrapped.for', { recipient: name(recipientName) });

/** A wrapped gift or the category's picture, or wrapping paper and a ribbon made of table cells. */
const picture = ({ pictureUrl }: MessageContent) =>
  pictureUrl === null
    ? html`<tr><td style="font-size:0;line-height:0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr height="120"><td width="34%" bgcolor="#e2bba8" style="height:120px;background:#e2bba8">&nbsp;</td><td width="10%" bgcolor="#9c2544" style="background:#9c2544">&nbsp;</td><td bgcolor="#f1d9cb" style="background:#f1d9cb">&nbsp;</td></tr></table></td></tr>`
    : html`<tr><td class="sunken" style="background:${light.sunken};line-height:0"><img src="${pictureUrl}" width="560" alt="" style="display:block;width:100%;max-width:560px;height:auto;border:0"></td></tr>`;

function reassurance({ senderName, organizationName, link, disclosure, words = englishWords }: MessageContent): string {
  const { say } = words;
  const sender = name(senderName);
  return [
    noteTitle(say('real.title')),
    note(
      organizationName === undefined
        ? say('real.yes', { sender })
        : say('real.yesFor', { organization: name(organizationName), sender }),
    ),
    note(say('real.free')),
    note(say('real.button', { host: isolatedHost(link, words), sender })),
    note(say('real.forward')),
    note(html`${disclosure}`),
  ].join('\n');
}

/** In a text of the other direction, the dots of a host would move its parts. */
function isolatedHost(link: string, { direction }: Words): string {
  const host = strong(new URL(link).host);
  return direction === 'rtl' ? html`<bdi dir="ltr">!${host}</bdi>` : host;
}

const stopReminders = (link: string, { join, say }: Words, look: MailLook) =>
  html`<br><br>!${join(say('mail.reminder'), html`<a class="link" href="${link}" style="color:${look.light.link}">${say('mail.stop')}</a>`)}`;

const footerLines = (footer: string) =>
  html`<br><br><span dir="auto">!${footer
    .split('\n')
    .map((line) => html`${unlinkable(line)}`)
    .join('<br>\n')}</span>`;

const bold = (text: string) => html`<strong style="font-weight:600">!${name(text)}</strong>`;

/** Renders a gift's email. */
export function emailHtml(content: MessageContent): string {
  const { words = englishWords, senderName, organizationName, note, value, lastDay, link, stopLink, look } = content;
  const { say } = words;
  return mailHtml({
    subject: emailSubject(content),
    words,
    preheader: words.join(
      value === undefined
        ? say('mail.stillWrapped')
        : say('mail.worth', { amount: value.amount, category: value.categoryName }),
      lastDay === undefined ? say('mail.anytime') : say('gift.claimBy', { day: lastDay }),
    ),
    picture: picture(content),
    body: [
      title(greeting(content), 8),
      paragraph(
        organizationName === undefined
          ? say('gift.from', { sender: bold(senderName) })
          : say('mail.fromThrough', { sender: bold(senderName), organization: bold(organizationName) }),
      ),
      ...(note === undefined ? [] : [quotation(note, words, look)]),
      ...(value === undefined
        ? []
        : [figure(value.amount, say('mail.category', { category: name(value.categoryName) }))]),
      ...(lastDay === undefined ? [] : [paragraph(html`${say('gift.claimBy', { day: lastDay })}`)]),
      button(link, say('mail.open'), look),
    ].join('\n'),
    notes: reassurance(content),
    foot: [
      linkInFull(link, words, look),
      stopLink === undefined ? '' : stopReminders(stopLink, words, look),
      content.footer === undefined ? '' : footerLines(content.footer),
    ].join(''),
    look,
  });
}
