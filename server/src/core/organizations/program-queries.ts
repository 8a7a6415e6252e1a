import type { Program } from '../../platform/base/program.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Language } from '../../platform/languages/languages.ts';

export interface ProgramRow {
  program: Program;
  /** Null: gifts do not expire. */
  unclaimed_after_days: number | null;
  /** Days after the order; empty: recipients are not reminded. */
  reminder_days: number[];
  /** Whether messages to recipients name amount and category before the gift is opened. */
  messages_show_value: boolean;
  /** Of pages and messages whose gift has none; null: no wish. */
  language: Language | null;
}

const columns = 'program, unclaimed_after_days, reminder_days, messages_show_value, language';

export const selectProgram = statement<[organizationId: string], ProgramRow>(
  'organizations.select_program',
  `select ${columns} from organizations where organization_id = $1`,
);

/** Returns no row if nothing changes. @param messagesShowValue null: as before */
export const updateProgram = statement<
  [
    organizationId: string,
    program: Program,
    unclaimedAfterDays: number | null,
    reminderDays: readonly number[],
    messagesShowValue: boolean | null,
    setsLanguage: boolean,
    language: Language | null,
  ],
  ProgramRow
>(
  'organizations.update_program',
  `update organizations set program = $2, unclaimed_after_days = $3, reminder_days = $4,
     messages_show_value = coalesce($5, messages_show_value), language = case when $6 then $7 else language end
   where organization_id = $1 and (${columns})
     is distinct from ($2, $3::smallint, $4::smallint[], coalesce($5, messages_show_value),
       case when $6 then $7 else language end)
   returning ${columns}`,
);

/** Returns no row if nothing changes. */
export const updateRequestPolicy = statement<[organizationId: string, isAllowed: boolean], { organization_id: string }>(
  'organizations.update_request_policy',
  `update organizations set members_may_request = $2
   where organization_id = $1 and members_may_request <> $2
   returning organization_id`,
);

/** Returns no row if another process has claimed the announcement. */
export const claimExpiryAnnouncement = statement<
  [organizationId: string, announcedBefore: Date, now: Date],
  { name: string; billing_contact_email: string | null }
>(
  'organizations.claim_expiry_announcement',
  `update organizations o set expiry_announced_at = $3
   from organizations same
   left join members m on m.organization_id = $1 and m.member_id = same.billing_contact_member_id and m.deactivated_at is null
   where o.organization_id = $1 and same.organization_id = $1
     and (o.expiry_announced_at is null or o.expiry_announced_at <= $2)
   returning o.name, m.email as billing_contact_email`,
);
