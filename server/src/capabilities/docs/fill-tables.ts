import { steeringTable } from '../../core/sandbox/steering-table.ts';
import { moneyActsTable } from '../../platform/authentication/money-acts.ts';
import { type PermissionEntry, permissions } from '../../platform/authentication/permissions.ts';
import { type BuiltInRole, builtInRoles, roles } from '../../platform/authentication/roles.ts';
import { settingRow, settings } from '../../platform/configuration/settings.ts';
import { eventTypes } from '../../platform/events/event-types.ts';

const MARKED = /<!-- (steering|settings|events|roles|money) -->\n[\s\S]*?<!-- \/\1 -->/g;

/** Returns the settings table in Markdown. */
function settingsTable(): string {
  const rows = (Object.keys(settings) as (keyof typeof settings)[]).map(settingRow);
  return ['| Variable | Default | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Returns the table of event types in Markdown. */
function eventsTable(): string {
  const rows = Object.entries(eventTypes).map(([type, description]) => `| \`${type}\` | ${description} |`);
  return ['| Type | What happened |', '| --- | --- |', ...rows].join('\n');
}

/** Returns the table of what roles and grants include in Markdown. */
function rolesTable(): string {
  const granted = {
    read: 'always',
    all: '`all`',
    links: '`links`',
    order: '`order`',
    manage: '`manage`',
    events: '`events`',
  };
  const names = builtInRoles.map((role) => roles[role].name);
  const rows = Object.entries<PermissionEntry>(permissions).map(([permission, { says, ofAgents }]) => {
    const marks = builtInRoles.map((role) => (includesOf(role).includes(permission) ? '✓' : ''));
    return `| ${says} | ${marks.join(' | ')} | ${ofAgents === undefined ? '' : granted[ofAgents]} |`;
  });
  const head = `| What it includes | ${names.join(' | ')} | Agent’s grant |`;
  return [head, `| --- |${' :-: |'.repeat(names.length + 1)}`, ...rows].join('\n');
}

const includesOf = (role: BuiltInRole): readonly string[] => roles[role].permissions;

/** Fills in the generated tables of a page, between marks such as `<!-- steering -->`. */
export function fillTables(markdown: string, mailDomain: string): string {
  const tables: Record<string, string> = {
    steering: steeringTable(mailDomain),
    settings: settingsTable(),
    events: eventsTable(),
    roles: rolesTable(),
    money: moneyActsTable(),
  };
  return markdown.replace(MARKED, (_, name: string) => `<!-- ${name} -->\n${tables[name]}\n<!-- /${name} -->`);
}

/** Removes the marks of the tables. */
export const withoutMarks = (markdown: string): string => markdown.replaceAll(/<!-- \/?[a-z ]+ -->\n/g, '');
