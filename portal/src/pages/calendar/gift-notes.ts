import type { components } from '../../api/schema.d.ts';

type YearlyGift = components['schemas']['YearlyGift'];
type Words = Readonly<Record<string, string>>;

const waiting: Words = {
  insufficient_balance: 'The balance is too low.',
  organization_cap_reached: 'A spending cap does not allow it.',
  member_cap_reached: 'A limit of the admin does not allow it.',
  team_cap_reached: 'A limit of the team does not allow it.',
  recipient_cap_reached: 'The recipient has got the most for a day.',
  yearly_limit: 'The rule has spent its limit.',
  admin_required: 'Another admin must save the rule.',
  gifts_on_hold: 'All gifts are on hold.',
  mark_without_word: 'The contact lacks what a mark of the message needs: a name, or the year of its day.',
  message_too_long: 'The filled message is too long.',
  organization_suspended: 'The organization is suspended.',
};

const missed: Words = {
  insufficient_balance: 'The balance was too low.',
  organization_cap_reached: 'A spending cap did not allow it.',
  member_cap_reached: 'A limit of the admin did not allow it.',
  team_cap_reached: 'A limit of the team did not allow it.',
  recipient_cap_reached: 'The recipient had got the most for a day.',
  yearly_limit: 'The rule had spent its limit.',
  admin_required: 'No other admin saved the rule.',
  gifts_on_hold: 'All gifts were on hold.',
  mark_without_word: 'The contact lacked what a mark of the message needs, such as a name.',
  message_too_long: 'The filled message was too long.',
  organization_suspended: 'The organization was suspended.',
  late: 'The service was down.',
  paused: 'The rule was paused.',
};

/** Of a gift that a person kept, also after its contact was added again or its rule runs again. */
const kept: Words = {
  removed: 'It was kept when the contact was deleted.',
  changed: 'It was kept when the contact was changed.',
  not_meant: 'It was kept, although the rule no longer meant the contact.',
  paused: 'It was kept when the rule was paused.',
};

const ended: Words = {
  removed: 'The contact was deleted.',
  changed: 'The contact was changed.',
  not_meant: 'The contact does not get it any more.',
  paused: 'The rule was paused.',
};

/** What is said below the state of a yearly gift; null: the state says it all. */
export function noteOf({ state, reason, mode }: Pick<YearlyGift, 'state' | 'reason' | 'mode'>): string | null {
  if (state === 'coming') return mode === 'approval' ? 'With approval' : null;
  if (reason === null || state === 'declined') return null;
  if (state === 'waiting') return waiting[reason] ?? 'It was refused.';
  if (state === 'missed') return missed[reason] ?? 'It was refused.';
  return (state === 'skipped' || state === 'canceled' ? ended : kept)[reason] ?? null;
}
