import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { alertAdmins } from '../../core/organizations/alert-admins.ts';
import { type Member, requireFreshSignIn } from '../../faces/portal-access/access.ts';
import type { Session } from '../../faces/portal-access/session.ts';
import { lackOfRole } from '../../platform/authentication/permissions.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { type SendingRule, selectSendingRules } from './queries.ts';
import type { Occasion } from './schema.ts';

/** The member who changes what rules of yearly gifts send. */
export interface Changer {
  maySend: boolean;
  /** Whether the member sends gifts to other addresses, cancels them, and decides requests. */
  mayManage: boolean;
  mayCancel: boolean;
  mayApprove: boolean;
  /** @throws BestowError `sign_in_again` */
  requireFresh(): void;
}

export const changerOf = (deps: Pick<Deps, 'clock'>, { membership }: Member, session: Session): Changer => ({
  maySend: membership.permissions.includes('order'),
  mayManage: membership.permissions.includes('manage'),
  mayCancel: membership.permissions.includes('cancel'),
  mayApprove: membership.permissions.includes('approve'),
  requireFresh: () => requireFreshSignIn(deps, session),
});

/** What a rule looks at, to find whom to send a gift and where. */
interface Person extends Partial<Record<Occasion, string | null>> {
  address: string;
  tags: readonly string[];
}

/**
 * Rules that send by themselves; the transaction has locked the organization, so that no other one is saved meanwhile. Paused
 * ones count, because someone else may let them go on.
 */
export const findSendingRules = (client: PoolClient, { organizationId, environment }: Scope): Promise<SendingRule[]> =>
  selectSendingRules(client, [organizationId, environment]);

/**
 * Whether a change of a contact needs `order`: a rule that sends by itself has sent to them, or will. Who changes what such
 * rules look at needs a fresh sign-in.
 *
 * @param before undefined: the contact is new
 * @throws BestowError `sign_in_again`
 */
export function isSentTo(
  rules: readonly SendingRule[],
  changer: Changer,
  before: Person | undefined,
  after: Person,
): boolean {
  if (rules.length === 0 || (before !== undefined && isSame(before, after))) return false;
  changer.requireFresh();
  return rules.some((rule) => isMeant(rule, after) || (before !== undefined && isMeant(rule, before)));
}

const isMeant = ({ tag, occasion }: SendingRule, person: Person) =>
  (tag === null || person.tags.includes(tag)) && person[occasion] != null;

const lookedAt = ({ address, tags, birthday = null, work_anniversary = null }: Person) =>
  JSON.stringify([address, [...tags].sort(), birthday, work_anniversary]);

const isSame = (one: Person, other: Person) => lookedAt(one) === lookedAt(other);

/** @throws BestowError `admin_required` if a rule sends gifts of the template by itself, and the member may not send gifts */
export async function requireMayChangeTemplate(
  client: PoolClient,
  scope: Scope,
  { maySend }: Changer,
  templateId: string,
): Promise<void> {
  if (maySend) return;
  const rule = (await findSendingRules(client, scope)).find(({ template_id }) => template_id === templateId);
  if (rule !== undefined) throw sendsByItself(rule.name);
}

/** @param rule its name */
const sendsByItself = (rule: string) =>
  new BestowError('admin_required', {
    message: `The rule “${rule}” sends these gifts by itself. ${lackOfRole(['order'])}`,
  });

/** Emails all admins that rules which send by themselves send other gifts. */
export async function alertOfTemplate(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  scope: Scope,
  { templateId, actor }: { templateId: string; actor: Actor },
): Promise<void> {
  const organization = { organization_id: scope.organizationId };
  for (const { name, template_id } of await findSendingRules(client, scope))
    if (template_id === templateId)
      await alertAdmins(client, deps, { organization, change: 'yearly_rule_changed', about: name, actor });
}
