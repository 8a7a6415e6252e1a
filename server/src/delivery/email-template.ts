import { html } from 'ghtml';
import type { MessageContent } from './compose-message.ts';

/** Line breaks cannot stand in a name, so none can get into the header. */
export const emailSubject = ({ senderName }: MessageContent) => `${senderName} sent you a gift`;

export function emailText({ senderName, recipientName, amount, categoryName, link }: MessageContent): string {
  return `${recipientName ? `Dear ${recipientName},` : 'Hello,'}

${senderName} sent you a gift: ${amount} for ${categoryName}.

Open it here:
${link}
`;
}

export function emailHtml(content: MessageContent): string {
  return html`<!doctype html><html lang="en"><body><p>${content.senderName} sent you a gift.</p><p><a href="${content.link}">Open your gift</a></p></body></html>`;
}
