import type { Command } from 'commander';
import { createOrganization } from '../organizations/create-organization.ts';
import { listOrganizations } from '../organizations/list-organizations.ts';
import type { PresentedOrganization } from '../organizations/present-organization.ts';
import { reinstateOrganization } from '../organizations/reinstate-organization.ts';
import { setBillingContact } from '../organizations/set-billing-contact.ts';
import { suspendOrganization } from '../organizations/suspend-organization.ts';
import { addCommand, addGroup } from './add-command.ts';
import { operator } from './operator.ts';
import { parseEmail, parseName } from './parse-argument.ts';
import { type OutputOptions, printMany, printOne } from './print.ts';
import { withDatabase } from './with-database.ts';

export function organizationCommands(program: Command): void {
  const group = addGroup(program, 'org', 'organizations that buy gifts', 'org list');

  addCommand(
    group,
    'create',
    'create an organization with its first admin',
    'org create --name "Acme" --admin-email ann@acme.example',
  )
    .requiredOption('--name <name>', 'the name, shown as the sender of gifts', parseName)
    .requiredOption('--admin-email <email>', 'the first admin’s email address', parseEmail)
    .action(async (options: OutputOptions & { name: string; adminEmail: string }) => {
      const created = await withDatabase((deps) => createOrganization(deps, { ...options, actor: operator() }));
      printOne(options, created, ({ organization_id, name, member_id }) => ({
        organization: organization_id,
        name,
        admin: member_id,
      }));
    });

  addCommand(group, 'list', 'list all organizations', 'org list').action(async (options: OutputOptions) => {
    const organizations = await withDatabase(listOrganizations);
    printMany(options, organizations, (organization) => ({
      organization: organization.organization_id,
      name: organization.name,
      members: organization.active_members,
      keys: organization.active_keys,
      sandbox: organization.has_sandbox,
      suspended: organization.suspended_at,
    }));
  });

  changeCommand(
    group,
    'suspend',
    'refuse all keys of an organization and make its portal read-only',
    suspendOrganization,
  );
  changeCommand(group, 'reinstate', 'end a suspension', reinstateOrganization);

  addCommand(
    group,
    'billing-contact',
    'set the member to whom orders are attributed',
    'org billing-contact org_01h455vb4pex5vsknk084sn02q --member mem_01h455vb4pex5vsknk084sn02q',
  )
    .argument('<id>', 'the organization (org_…)')
    .requiredOption('--member <id>', 'an active member (mem_…)')
    .action(async (id: string, options: OutputOptions & { member: string }) => {
      const input = { organizationId: id, memberId: options.member, actor: operator() };
      printOne(options, await withDatabase((deps) => setBillingContact(deps, input)), present);
    });
}

function changeCommand(group: Command, name: string, description: string, act: typeof suspendOrganization): void {
  addCommand(group, name, description, `org ${name} org_01h455vb4pex5vsknk084sn02q`)
    .argument('<id>', 'the organization (org_…)')
    .action(async (organizationId: string, options: OutputOptions) => {
      const input = { organizationId, actor: operator() };
      printOne(options, await withDatabase((deps) => act(deps, input)), present);
    });
}

function present(organization: PresentedOrganization) {
  return {
    organization: organization.organization_id,
    name: organization.name,
    'billing contact': organization.billing_contact_member_id,
    suspended: organization.suspended_at,
  };
}
