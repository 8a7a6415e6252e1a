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
