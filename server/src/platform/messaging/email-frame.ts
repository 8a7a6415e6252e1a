import { html } from 'ghtml';
import { directionOf, isolated } from '../languages/isolated.ts';
import { englishWords, type Words } from '../languages/words.ts';
import { light, type MailLook, plainLook, SANS, SERIF } from './email-palette.ts';
import { unlinkable } from './plain-name.ts';

/** The parts of a mail; all except subject and preheader are markup. */
interface MailParts {
  subject: string;
  /** The preview that mail programs show beside the subject. */
  preheader: string;
  /** Full width, above the body; may be empty. */
  picture: string;
  body: string;
  /** Below the body, on a darker background. */
  notes: string;
  /** Below the card. */
  foot: string;
  /** English if absent. */
  words?: Words | undefined;
  look?: MailLook;
}

/** Styles that cannot be inline: dark mode and phone widths. */
const styleOf = ({ dark }: MailLook) => `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%}
table{border-spacing:0}
a{text-decoration-thickness:1px}
@media (max-width:520px){.inside{padding-left:24px!important;padding-right:24px!important}.outside{padding:0!important}.card{border-radius:0!important;border-left:0!important;border-right:0!important}.title{font-size:28px!important}.action{width:100%!important}.action a{display:block!important;padding-left:0!important;padding-right:0!important;text-align:center!important}}
@media (prefers-color-scheme:dark){.paper{background:${dark.paper}!important}.card{background:${dark.surface}!important;border-color:${dark.line}!important}.sunken{background:${dark.sunken}!important}.ink{color:${dark.ink}!important}.soft{color:${dark.inkSoft}!important}.rule{border-color:${dark.line}!important}.link{color:${dark.link}!important}.button{background:${dark.accent}!important}.button a{color:${dark.onAccent}!important;border-color:${dark.edge}!important}.ribbon{background:${dark.ribbon}!important}.mark{border-color:${dark.ribbon}!important}}`;

const PREHEADER_STYLE =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
/** Keeps the body out of the preview. */
const PREHEADER_END = '&#847;&zwnj;&nbsp;'.repeat(60);

/** A name or address from a user: never a link, and isolated from the text direction around it. */
export const name = (text: string) => isolated(unlinkable(text));

/** @param words markup, as below */
export const title = (words: string, marginBottomPx: number) =>
  html`<h1 class="ink title" style="margin:0 0 ${String(marginBottomPx)}px;font:600 34px/1.15 ${SERIF};letter-spacing:-0.012em;color:${light.ink};overflow-wrap:anywhere">!${words}</h1>`;

export const paragraph = (words: string) =>
  html`<p class="ink" style="margin:0 0 22px;font:400 18px/27px ${SANS};color:${light.ink};overflow-wrap:anywhere">!${words}</p>`;

/** A large amount and what it is for. */
export const figure = (amount: string, words: string) =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 26px"><tr><td class="rule" style="padding:16px 0;border-top:1px solid ${light.line};border-bottom:1px solid ${light.line}"><span class="ink" style="font:600 30px/36px ${SERIF};color:${light.ink}">${amount}</span><span class="soft" style="font:400 18px/36px ${SANS};color:${light.inkSoft}">&ensp;!${words}</span></td></tr></table>`;

/** A text of another person, in its lines and its own direction, with a bar where it begins. Addresses in it do not become links. */
export function quotation(text: string, words = englishWords, look = plainLook): string {
  const direction = directionOf(text) ?? words.direction;
  const bar = direction === 'rtl' ? '4px 18px 4px 0;border-right' : '4px 0 4px 18px;border-left';
  const lines = text.split('\n').map((line) => html`${unlinkable(line)}`);
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 26px"><tr><td class="ink mark" dir="${direction}" align="${direction === 'rtl' ? 'right' : 'left'}" style="padding:!${bar}:4px solid ${look.light.ribbon};font:400 18px/28px ${SERIF};color:${light.ink};overflow-wrap:anywhere">!${lines.join('<br>\n')}</td></tr></table>`;
}

/** Outlook’s Word engine knows no padding of a link, and gives the cell’s instead. */
export const button = (link: string, label: string, { light } = plainLook) =>
  html`<table role="presentation" class="action" cellpadding="0" cellspacing="0" style="margin:0"><tr><td class="button" bgcolor="${light.accent}" style="background:${light.accent};border-radius:999px;mso-padding-alt:16px 34px"><a href="${link}" style="display:inline-block;padding:16px 34px;border:1px solid ${light.edge};border-radius:999px;font:600 18px/24px ${SANS};color:${light.onAccent};text-decoration:none">${label}</a></td></tr></table>`;

export const noteTitle = (text: string) =>
  html`<h2 class="ink" style="margin:0 0 10px;font:600 16px/24px ${SANS};color:${light.ink}">${text}</h2>`;

export const note = (words: string) =>
  html`<p class="soft" style="margin:0 0 10px;font:400 15px/23px ${SANS};color:${light.inkSoft}">!${words}</p>`;

/** For notes and feet. */
export const strong = (text: string) =>
  html`<strong class="ink" style="font-weight:600;color:${light.ink}">${text}</strong>`;

export const linkInFull = (link: string, { say, direction } = englishWords, { light } = plainLook) =>
  html`${say('mail.copyLink')}<br><a class="link" href="${link}"!${direction === 'rtl' ? ' dir="ltr"' : ''} style="color:${light.link};word-break:break-all">${link}</a>`;

const MAX_LOGO_WIDTH = 200;
const MAX_LOGO_HEIGHT = 56;

/** The logo, drawn with twice as many pixels, or the service's name. */
function masthead({ logo }: MailLook): string {
  if (logo === undefined) return 'Bestow';
  const scale = Math.min(1, MAX_LOGO_WIDTH / logo.width, MAX_LOGO_HEIGHT / logo.height);
  const [width, height] = [logo.width, logo.height].map((size) => String(Math.round(size * scale)));
  return html`<img src="${logo.url}" width="${width}" height="${height}" alt="${logo.name}" style="display:block;border:0;border-radius:8px">`;
}

const WIDTH = '562';

/** Markup that only the Word engine of classic Outlook reads, which knows no `max-width`. */
const forWord = (markup: string) => `<!--[if mso]>${markup}<![endif]-->`;

/** Renders a mail with tables and inline styles, the subset that mail programs support. */
export function mailHtml(parts: MailParts): string {
  const { subject, preheader, picture, body, notes, foot, words = englishWords, look = plainLook } = parts;
  const { language, direction } = words;
  const { light } = look;
  // Mail programs drop the attributes of the document.
  const turned = direction === 'rtl' ? ' dir="rtl"' : '';
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${subject}</title>
<style>!${styleOf(look)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${light.paper}">
<div style="${PREHEADER_STYLE}">${preheader}!${PREHEADER_END}</div>
<table role="presentation" class="paper"!${turned} width="100%" cellpadding="0" cellspacing="0" bgcolor="${light.paper}" style="background:${light.paper}"><tr><td class="ribbon" height="5" style="height:5px;font-size:0;line-height:0;background:${light.ribbon}">&nbsp;</td></tr><tr><td class="outside" align="center" style="padding:0 16px">
!${forWord(`<table role="presentation" align="center" width="${WIDTH}" cellpadding="0" cellspacing="0"><tr><td>`)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:${WIDTH}px;margin:0 auto">
<tr><td class="inside ink" style="padding:26px 8px 20px;font:600 24px/28px ${SERIF};letter-spacing:-0.01em;color:${light.ink}">!${masthead(look)}</td></tr>
<tr><td class="card" bgcolor="${light.surface}" style="background:${light.surface};border:1px solid ${light.line};border-radius:16px;overflow:hidden">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
!${picture}
<tr><td class="inside" style="padding:34px 40px 36px">
!${body}
</td></tr>
<tr><td class="inside sunken rule" bgcolor="${light.sunken}" style="padding:26px 40px 18px;background:${light.sunken};border-top:1px solid ${light.line};overflow-wrap:anywhere">
!${notes}
</td></tr>
</table>
</td></tr>
<tr><td class="inside soft" style="padding:22px 8px 40px;font:400 13px/20px ${SANS};color:${light.inkSoft};overflow-wrap:anywhere">!${foot}</td></tr>
</table>
!${forWord('</td></tr></table>')}
</td></tr></table>
</body>
</html>
`;
}
