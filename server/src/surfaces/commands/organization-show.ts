import type { Command } from 'commander';
import { addCommand, organizationArgument } from '../../faces/command-line/add-command.ts';
import { type OutputOptions, printMany, printOne, printText } from '../../faces/command-line/print.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { type ShownEnvironment, type ShownOrganization, showOrganization } from './show-organization.ts';

export function showCommand(group: Command): void {
  addCommand(group, 'show', 'show an organization, its members, keys, money and issuers', 'org show "Acme"')
    .addArgument(organizationArgument().argOptional())
    .action(async (org: string | undefined, options: OutputOptions) => {
      const { currency, nowMs, shown } = await withOrganization(org, async (deps, id) => ({
        currency: deps.config.currency,
        nowMs: deps.clock.now(),
        shown: await showOrganization(deps, id),
      }));
      printOne(options, shown, ({ organization_id, name, created_at, ...state }) => ({
        organization: organization_id,
        name,
        created: created_at,
        suspended: state.suspended_at,
        'gifts on hold': state.gifts_held_at,
        'billing contact': state.billing_contact_member_id,
      }));
      if (!options.json) printLists(shown, currency, nowMs);
    });
}

function printLists({ environments, members, keys, issuers }: ShownOrganization, currency: string, nowMs: number) {
  const isUsable = ({ revoked_at, expires_at }: (typeof keys)[number]) =>
    revoked_at === null && (expires_at === null || expires_at.getTime() > nowMs);
  const activeIn = (environment: string) => keys.filter((key) => key.environment === environment && isUsable(key));
  printText('\n');
  printMany({}, environments, ({ environment, balance, owed, last_order, failed_messages, caps }) => ({
    environment,
    balance: showMoney(balance, currency),
    owed: showMoney(owed, currency),
    keys: activeIn(environment).length,
    'last order': last_order?.created_at ?? null,
    'failed messages': failed_messages.has_more ? `over ${failed_messages.count}` : failed_messages.count,
    caps: capsText(caps, currency),
  }));
  printText('\n');
  printMany({}, members, ({ member_id, email, role, deactivated_at }) => ({
    member: member_id,
    email,
    role,
    active: deactivated_at === null,
  }));
  if (issuers.length === 0) return;
  printText('\n');
  printMany({}, issuers, ({ issuer_id, kind, category, state, cards, stock }) => ({
    issuer: issuer_id,
    kind,
    category: category ?? 'all others',
    state,
    cards,
    codes: stock?.codes ?? null,
  }));
}

/** The caps that are set, such as `all: 500.00 USD a day`. */
function capsText(caps: ShownEnvironment['caps'], currency: string): string | null {
  const texts = caps.flatMap(({ key_id, hour, day }) => [
    ...(hour === null ? [] : [`${key_id ?? 'all'}: ${formatMoney(hour.cap, currency)} an hour`]),
    ...(day === null ? [] : [`${key_id ?? 'all'}: ${formatMoney(day.cap, currency)} a day`]),
  ]);
  return texts.join(', ') || null;
}
