import type { Actor } from '../../platform/base/actor.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Program } from '../../platform/base/program.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Language } from '../../platform/languages/languages.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { findOrganization } from './find-organization.ts';
import { type ProgramRow, selectProgram, updateProgram } from './program-queries.ts';

/** Sold gifts are kept for at least five years, as laws on gift cards ask for. */
const LEAST_DAYS = { award: 30, sold: 1_826 } as const satisfies Record<Program, number>;
const MOST_DAYS = 3_650;
const MOST_REMINDERS = 5;
const LAST_REMINDER_DAY = 365;

interface ProgramChange {
  organizationId: string;
  program: Program;
  /** Null: gifts do not expire. */
  unclaimedAfterDays: number | null;
  /** Days after the order on which recipients are reminded. */
  reminderDays: readonly number[];
  /** Whether messages name amount and category before the gift is opened; as before if absent. */
  messagesShowValue?: boolean | undefined;
  /** Of pages and messages whose gift has none; null: no wish; as before if absent. */
  language?: Language | null | undefined;
  actor: Actor;
}

/**
 * Sets whether and when unclaimed gifts of later orders expire, when recipients are reminded, and what messages show. Gifts that
 * are ordered keep their last day. Setting the same again changes nothing.
 *
 * @throws OperatorError if the organization does not exist, or the days are out of range
 */
export async function setProgram(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  {
    organizationId,
    program,
    unclaimedAfterDays,
    reminderDays: given,
    messagesShowValue,
    language,
    actor,
  }: ProgramChange,
): Promise<ProgramRow> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const least = LEAST_DAYS[program];
  if (unclaimedAfterDays !== null && (unclaimedAfterDays < least || unclaimedAfterDays > MOST_DAYS))
    throw new OperatorError(`Gifts of the program ${program} can expire after ${least} to ${MOST_DAYS} days.`);
  const reminderDays = [...new Set(given)].sort((one, other) => one - other);
  if (reminderDays.length > MOST_REMINDERS || reminderDays.some((day) => day < 1 || day > LAST_REMINDER_DAY))
    throw new OperatorError(
      `Recipients can be reminded on up to ${MOST_REMINDERS} days from 1 to ${LAST_REMINDER_DAY}.`,
    );
  await inOrganization(deps.database, organization_id, async (client) => {
    const texts = [messagesShowValue ?? null, language !== undefined, language ?? null] as const;
    const values = [program, unclaimedAfterDays, reminderDays, ...texts] as const;
    const [changed] = await updateProgram(client, [organization_id, ...values]);
    if (changed === undefined) return;
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      action: 'program.set',
      details: { ...changed, language: changed.language ?? undefined },
    });
  });
  return showProgram(deps, organization_id);
}

/** @param organizationId UUID */
export async function showProgram(deps: Pick<Deps, 'database'>, organizationId: string): Promise<ProgramRow> {
  const [row] = await selectProgram(deps.database.pool, [organizationId]);
  if (row === undefined) throw new OperatorError('There is no such organization.');
  return row;
}
