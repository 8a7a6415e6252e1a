import { html } from 'ghtml';
import type { MessageContent } from './compose-message.ts';
import { dark, light, SANS, SERIF } from './email-palette.ts';
import { shorten, unlinkable } from './plain-name.ts';

const LONGEST_NAME_IN_SUBJECT = 80;

/** Line breaks cannot stand in a name, so none can get into the header. */
export const emailSubject = ({ senderName }: MessageContent) =>
  `${shorten(senderName, LONGEST_NAME_IN_SUBJECT)} sent you a gift`;

/** Mail programs keep no stylesheet but this: what is dark where the person's device is, and the phone's measures. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%}
table{border-spacing:0}
a{text-decoration-thickness:1px}
@media (max-width:520px){.inside{padding-left:24px!important;padding-right:24px!important}.outside{padding:0!important}.card{border-radius:0!important;border-left:0!important;border-right:0!important}.title{font-size:28px!important}.action{width:100%!important}.action a{display:block!important;padding-left:0!important;padding-right:0!important;text-align:center!important}}
@media (prefers-color-scheme:dark){.paper{background:${dark.paper}!important}.card{background:${dark.surface}!important;border-color:${dark.line}!important}.sunken{background:${dark.sunken}!important}.ink{color:${dark.ink}!important}.soft{color:${dark.inkSoft}!important}.rule{border-color:${dark.line}!important}.link{color:${dark.accent}!important}.button{background:${dark.accent}!important}.button a{color:${dark.onAccent}!important;border-color:${dark.accent}!important}.ribbon{background:${dark.ribbon}!important}}`;

const PREHEADER_STYLE =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
/** Keeps the next words of the letter out of the preview beside the subject. */
const PREHEADER_END = '&#847;&zwnj;&nbsp;'.repeat(60);

const name = (text: string) => html`<bdi>${unlinkable(text)}</bdi>`;

/** For the name of whoever sent it where it begins a sentence, and whom it is for, where that was said. */
const greeting = ({ recipientName }: MessageContent) =>
  recipientName === undefined ? 'A gift for you' : html`A gift for !${name(recipientName)}`;

/** The category's picture, or wrapping paper with a ribbon, which needs no picture. */
const picture = ({ artworkUrl }: MessageContent) =>
  artworkUrl === null
    ? html`<tr><td style="font-size:0;line-height:0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr height="120"><td width="34%" bgcolor="#e2bba8" style="height:120px;background:#e2bba8">&nbsp;</td><td width="10%" bgcolor="#9c2544" style="background:#9c2544">&nbsp;</td><td bgcolor="#f1d9cb" style="background:#f1d9cb">&nbsp;</td></tr></table></td></tr>`
    : html`<tr><td class="sunken" style="background:${light.sunken};line-height:0"><img src="${artworkUrl}" width="560" alt="" style="display:block;width:100%;max-width:560px;height:auto;border:0"></td></tr>`;

const button = ({ link }: MessageContent) =>
  html`<table role="presentation" class="action" cellpadding="0" cellspacing="0" style="margin:0"><tr><td class="button" bgcolor="${light.accent}" style="background:${light.accent};border-radius:999px"><a href="${link}" style="display:inline-block;padding:16px 34px;border:1px solid ${light.accent};border-radius:999px;font:600 18px/24px ${SANS};color:${light.onAccent};text-decoration:none">Open your gift</a></td></tr></table>`;

function reassurance({ senderName, link }: MessageContent): string {
  const { host } = new URL(link);
  const point = (text: string) =>
    html`<p class="soft" style="margin:0 0 10px;font:400 15px/23px ${SANS};color:${light.inkSoft}">!${text}</p>`;
  return html`<h2 class="ink" style="margin:0 0 10px;font:600 16px/24px ${SANS};color:${light.ink}">Is this real?</h2>
!${point(html`Yes. It was bought with Bestow in the name of !${name(senderName)}, and it is paid for.`)}
!${point(html`Opening it is free. Nobody will ask you for a password, a payment or the number of a card of yours.`)}
!${point(html`The button leads to <strong class="ink" style="font-weight:600;color:${light.ink}">${host}</strong>: see that your browser shows this name. If you did not expect a gift, ask !${name(senderName)} before you open it, in a way that you know.`)}
!${point(html`Whoever has this message can open the gift, so keep it to yourself.`)}`;
}

/** The letter: tables and styles at each element, because mail programs know little else. Nothing in it runs. */
export function emailHtml(content: MessageContent): string {
  const { senderName, amount, categoryName, link } = content;
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${emailSubject(content)}</title>
<style>!${STYLE}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${light.paper}">
<div style="${PREHEADER_STYLE}">${amount} for ${categoryName}. Open it whenever you like.!${PREHEADER_END}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" bgcolor="${light.paper}" style="background:${light.paper}"><tr><td class="ribbon" height="5" style="height:5px;font-size:0;line-height:0;background:${light.ribbon}">&nbsp;</td></tr><tr><td class="outside" align="center" style="padding:0 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:562px;margin:0 auto">
<tr><td class="inside ink" style="padding:26px 8px 20px;font:600 24px/28px ${SERIF};letter-spacing:-0.01em;color:${light.ink}">Bestow</td></tr>
<tr><td class="card" bgcolor="${light.surface}" style="background:${light.surface};border:1px solid ${light.line};border-radius:16px;overflow:hidden">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
!${picture(content)}
<tr><td class="inside" style="padding:34px 40px 36px">
<h1 class="ink title" style="margin:0 0 8px;font:600 34px/1.15 ${SERIF};letter-spacing:-0.012em;color:${light.ink};overflow-wrap:anywhere">!${greeting(content)}</h1>
<p class="ink" style="margin:0 0 22px;font:400 18px/27px ${SANS};color:${light.ink};overflow-wrap:anywhere">from <strong style="font-weight:600">!${name(senderName)}</strong></p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 26px"><tr><td class="rule" style="padding:16px 0;border-top:1px solid ${light.line};border-bottom:1px solid ${light.line}"><span class="ink" style="font:600 30px/36px ${SERIF};color:${light.ink}">${amount}</span><span class="soft" style="font:400 18px/36px ${SANS};color:${light.inkSoft}">&ensp;for !${name(categoryName)}</span></td></tr></table>
!${button(content)}
</td></tr>
<tr><td class="inside sunken rule" bgcolor="${light.sunken}" style="padding:26px 40px 18px;background:${light.sunken};border-top:1px solid ${light.line};overflow-wrap:anywhere">
!${reassurance(content)}
</td></tr>
</table>
</td></tr>
<tr><td class="inside soft" style="padding:22px 8px 40px;font:400 13px/20px ${SANS};color:${light.inkSoft};overflow-wrap:anywhere">If the button does not work, copy this address into your browser:<br><a class="link" href="${link}" style="color:${light.accent};word-break:break-all">${link}</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
