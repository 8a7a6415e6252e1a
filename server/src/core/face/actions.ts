import type { Nothing } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of how an organization looks. */
interface FaceActions {
  'brand.set': {
    color: string | null;
    text_color: string | null;
    footer: string | null;
    sender_name: string | null;
    reply_to: string | null;
    subject: string | null;
  };
  'brand.logo_set': { width: number; height: number };
  'brand.logo_removed': Nothing;
  'sender_domain.added': { address: string };
  'sender_domain.verified': { domain: string };
  'sender_domain.removed': { domain: string };
}

export const faceSentences: Sentences<FaceActions> = {
  'brand.set': ({ color, text_color, footer, sender_name, reply_to, subject }) => {
    const set = { color, text_color, footer, sender_name, reply_to, subject };
    const texts = Object.entries(set).flatMap(([name, value]) => (value === null ? [] : [`${name} “${value}”`]));
    return `Set how the organization looks: ${texts.join(', ').replaceAll('_', ' ') || 'as the service does'}`;
  },
  'brand.logo_set': ({ width, height }) => `Set a logo of ${width} × ${height} pixels`,
  'brand.logo_removed': () => 'Removed the logo',
  'sender_domain.added': ({ address }) => `Added the sender ${address}`,
  'sender_domain.verified': ({ domain }) => `Verified the sender domain ${domain}`,
  'sender_domain.removed': ({ domain }) => `Removed the sender domain ${domain}`,
};

export const recordEvent: RecordEvent<FaceActions> = recordAction;
