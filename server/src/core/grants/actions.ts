import { plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';
import { type Limits, limitsText } from '../caps/limits-text.ts';

/** What is recorded of agents’ grants. */
interface GrantActions {
  'grant.created': GrantDetails & ({ hint: string } | { client: string });
  'grant.revoked': { name: string; reason?: 'signed_out' | 'used_twice' | undefined };
  'grant.token_replaced': { name: string; hint: string; overlap_hours: number };
  'grant.limits_set': { name: string; limits: Limits };
}

interface GrantDetails {
  name: string;
  permissions: readonly string[];
  reach: 'own' | 'all';
  recipient_domains: readonly string[] | null;
  members_only: boolean;
  categories: readonly string[] | null;
  limits: Limits;
}

const endings = { signed_out: ', which signed out', used_twice: ', whose sign-in was used twice' };

export const grantSentences: Sentences<GrantActions> = {
  'grant.created': ({ name, permissions, reach, limits, ...made }, money) =>
    `Granted the agent “${name}”${'client' in made ? `, which signs in as “${made.client}”,` : ''} reading${permissions.map((one) => `, ${one}`).join('')} (${reach === 'all' ? 'everything' : 'its own orders'}), ${limitsText(limits, money)}`,
  'grant.revoked': ({ name, reason }) =>
    `Revoked the grant of the agent “${name}”${reason === undefined ? '' : endings[reason]}`,
  'grant.token_replaced': ({ name, overlap_hours }) =>
    `Replaced the token of the agent “${name}” with an overlap of ${plural(overlap_hours, 'hour')}`,
  'grant.limits_set': ({ name, limits }, money) => `Limited the agent “${name}”: ${limitsText(limits, money)}`,
};

export const recordEvent: RecordEvent<GrantActions> = recordAction;
