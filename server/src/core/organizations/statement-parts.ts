import { idAt } from '../../platform/database/id-at.ts';

/**
 * SQL: whether an event of `audit_events` added or raised a member since the day before something was asked for. Whom the person
 * who asked made a member so late could be that person's second mailbox.
 *
 * @param event the row's alias
 * @param askedAt SQL of a `timestamptz`
 */
export const raisesMember = (event: string, organizationId: string, askedAt: string): string => {
  const since = `(${askedAt} - interval '1 day')`;
  return `${event}.organization_id = ${organizationId} and ${event}.event_id > ${idAt(since)} and ${event}.created_at >= ${since}
         and ${event}.action in ('member.added', 'member.invited', 'member.activated', 'member.role_changed')`;
};
