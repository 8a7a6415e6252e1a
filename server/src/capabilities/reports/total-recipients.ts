import type { Deps } from '../../core/deps.ts';
import { recordExport } from '../../core/gifts/find/record-export.ts';
import { ERASED_ADDRESS } from '../../core/gifts/gift/address.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import { selectRecipientTotals } from './queries.ts';

interface Sum {
  gifts: number;
  /** Whole cents. */
  amount: number;
}

interface RecipientTotal extends Sum {
  /** An email address in lower case, or a number in E.164. */
  recipient: string;
  /** The latest; null if no name is held. */
  recipient_name: string | null;
}

interface RecipientTotals {
  year: number;
  from_amount: number;
  /** Largest first. */
  recipients: RecipientTotal[];
  /** Of link gifts, which have no address, and of recipients who were erased. */
  without_address: Sum;
}

interface TotalsRequest {
  /** `org_…` */
  organizationId: string;
  year: number;
  /** Recipients of less are left out. */
  fromCents: number;
  actor: Actor;
}

/**
 * Sums the values of the live gifts that each address claimed in a year in UTC, and records that addresses were exported.
 *
 * @throws OperatorError if the organization does not exist
 */
export async function totalRecipients(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { organizationId, year, fromCents, actor }: TotalsRequest,
): Promise<RecipientTotals> {
  const { organization_id } = await findOrganization(deps, organizationId);
  await recordExport(deps, { organizationId: organization_id, environment: 'live' }, actor);
  const [from, to] = [new Date(Date.UTC(year)), new Date(Date.UTC(year + 1))];
  const rows = await inOrganization(
    deps.database,
    organization_id,
    async (client) => {
      await allowStatements(client, UNTIL_IT_IS_DONE);
      return await selectRecipientTotals(client, [organization_id, from, to, fromCents, ERASED_ADDRESS]);
    },
    { isSnapshot: true, withinMs: UNTIL_IT_IS_DONE },
  );
  const recipients: RecipientTotal[] = [];
  const without_address = { gifts: 0, amount: 0 };
  for (const { recipient, recipient_name, gifts, amount_cents: amount } of rows)
    if (recipient === null || recipient === ERASED_ADDRESS) {
      without_address.gifts += gifts;
      without_address.amount += amount;
    } else recipients.push({ recipient, recipient_name, gifts, amount });
  return { year, from_amount: fromCents, recipients, without_address };
}
