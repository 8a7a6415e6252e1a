import { html } from 'ghtml';
import { renderInline } from './render-markdown.ts';

/** How the fields of the reference are written. Texts are Markdown; the other arguments are written already. */
export interface Format {
  plain: (text: string) => string;
  code: (text: string) => string;
  strong: (text: string) => string;
  link: (text: string, address: string) => string;
  item: (name: string, facts: string, text: string | undefined, inner: string) => string;
  list: (items: readonly string[]) => string;
  /** Between objects of which one is sent. */
  or: string;
}

export const HTML: Format = {
  plain: (text) => html`${text}`,
  code: (text) => html`<code>${text}</code>`,
  strong: (text) => html`<strong>${text}</strong>`,
  link: (text, address) => html`<a href="${address}">${text}</a>`,
  item: (name, facts, text, inner) =>
    html`<li><code>${name}</code> <small>!${facts}</small>!${text === undefined ? '' : html`<p>!${renderInline(text)}</p>`}!${inner}</li>`,
  list: (items) => html`<ul class="fields">!${items}</ul>`,
  or: '<p class="or">or</p>',
};

export const MARKDOWN: Format = {
  plain: (text) => text,
  code: (text) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``),
  strong: (text) => `**${text}**`,
  link: (text, address) => `[${text}](${address})`,
  item: (name, facts, text, inner) =>
    `- \`${name}\` ${facts}${text === undefined ? '' : `: ${text}`}\n${inner.replaceAll(/^(?=.)/gm, '  ')}`,
  list: (items) => items.join(''),
  or: '\nor\n\n',
};
