import { html } from 'ghtml';
import { englishWords } from '../../platform/languages/words.ts';
import {
  button,
  figure,
  linkInFull,
  mailHtml,
  note,
  noteTitle,
  paragraph,
  title,
} from '../../platform/messaging/email-frame.ts';
import { light, SANS } from '../../platform/messaging/email-palette.ts';
import type { Mail } from './mail.ts';

// Georgia's digits have different heights, so the code uses the sans-serif font.
const digits = (code: string, { direction } = englishWords) =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="sunken" align="center" bgcolor="${light.sunken}" style="padding:22px 8px;background:${light.sunken};border-radius:12px"><span class="ink"!${direction === 'rtl' ? ' dir="ltr"' : ''} style="font:600 40px/48px ${SANS};letter-spacing:0.16em;margin-right:-0.16em;color:${light.ink}">${code}</span></td></tr></table>`;

const fact = ([label, value]: NonNullable<Mail['facts']>[number]) =>
  html`<tr><th class="soft rule" scope="row" width="116" align="left" valign="top" style="padding:10px 16px 10px 0;border-top:1px solid ${light.line};font:400 15px/23px ${SANS};color:${light.inkSoft}">${label}</th><td class="ink rule" valign="top" style="padding:10px 0;border-top:1px solid ${light.line};font:400 15px/23px ${SANS};color:${light.ink};overflow-wrap:anywhere">!${value.html}</td></tr>`;

const factTable = (facts: NonNullable<Mail['facts']>) =>
  html`<table class="rule" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 26px;border-bottom:1px solid ${light.line}">!${facts.map(fact)}</table>`;

/** Renders a mail in the same frame as gift emails. */
export function noticeHtml(mail: Mail): string {
  const { subject, preheader, code, facts, action, notes, reason } = mail;
  const body = [title(mail.title.html, 12), paragraph(mail.lead.html)];
  if (code !== undefined) body.push(digits(code, mail.words));
  if (mail.figure !== undefined) body.push(figure(mail.figure.amount, mail.figure.words));
  if (facts !== undefined) body.push(factTable(facts));
  if (action !== undefined) body.push(button(action.link, action.label));
  return mailHtml({
    subject,
    preheader,
    picture: '',
    body: body.join('\n'),
    notes: [noteTitle(notes.title), ...notes.points.map((point) => note(point.html))].join('\n'),
    words: mail.words,
    foot: action === undefined ? reason.html : `${reason.html}<br><br>${linkInFull(action.link)}`,
  });
}
