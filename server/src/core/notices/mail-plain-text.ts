import type { Mail } from './mail.ts';

/** Renders a mail as plain text. */
export function noticeText({ title, lead, code, figure, facts, action, notes, reason }: Mail): string {
  const parts = [title.text, lead.text];
  if (code !== undefined) parts.push(code);
  if (figure !== undefined) parts.push(`${figure.amount} ${figure.words}`);
  if (facts !== undefined) parts.push(facts.map(([label, value]) => `${label}: ${value.text}`).join('\n'));
  if (action !== undefined) parts.push(`${action.label}:\n${action.link}`);
  parts.push(notes.title, ...notes.points.map(({ text }) => text), reason.text);
  return `${parts.join('\n\n')}\n`;
}
