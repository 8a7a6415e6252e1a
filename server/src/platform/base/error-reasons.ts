/** Finer reasons than the code, for `error.reason`, with what each means (`/docs/errors`). A code says what to do. */
export const errorReasons = {
  gift_on_hold: 'An admin or the operator can release the gift.',
  gift_canceled: 'The gift was canceled or expired.',
  gift_scheduled: 'The gift is not sent yet.',
  gifts_on_hold: 'All gifts of the organization are on hold.',
  organization_cap_reached: 'Its spending cap.',
  key_cap_reached: 'The API key’s cap.',
  agent_cap_reached: 'A limit of the agent.',
  member_cap_reached: 'A limit of the member.',
  team_cap_reached: 'A limit of the team.',
  recipient_cap_reached: 'The most for one recipient in a day.',
} as const;

export type ErrorReason = keyof typeof errorReasons;
