import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { type ConnectionTarget, clientConfig } from './connections.ts';
import { statementOfNone } from './statement.ts';
import { withConnection } from './with-connection.ts';

/** `roles` in ASCII. */
const ROLES_LOCK = 0x726f6c6573;
/** The role exists, or another session's creation of it was committed during this one. */
const CREATED_MEANWHILE = ['42710', '23505'];

/** The service may only add rows to these. */
const ADDED_TO = ['ledger_entries', 'ledger_legs', 'audit_events', 'seals', 'seal_nodes'];
/** SQL: the tables and the views of their rows. */
const inBoth = (tables: readonly string[]) =>
  tables.flatMap((name) => [`public.${name}`, `limited.${name}`]).join(', ');

interface PrivilegeRow {
  table_name: string;
  privilege: string;
  /** Whether the service needs the privilege. */
  is_due: boolean;
  /** Whether the owner of Bestow's tables has the table, and a migration grants the privilege. */
  is_ours: boolean;
}

/**
 * Finds privileges that a role lacks for the service, and privileges that it should not have. It may only add rows to the
 * ledger, the audit log and their seals, changes no row of the other logs, reads the list of migrations, and owns nothing. A
 * superuser has every privilege.
 */
export const selectWrongPrivileges = statementOfNone<[role: string], PrivilegeRow>(
  'database.select_wrong_privileges',
  `select n.nspname || '.' || c.relname as table_name, p.privilege, due.is_due,
     c.relowner = (select relowner from pg_class where oid = to_regclass('public.schema_migrations')) as is_ours
   from pg_class c
   join pg_namespace n on n.oid = c.relnamespace
   cross join (values ('select'), ('insert'), ('update'), ('delete'), ('truncate'), ('references'), ('trigger'))
     as p (privilege)
   cross join lateral (
     select case
       when p.privilege in ('truncate', 'references', 'trigger') then false
       when p.privilege = 'select' then true
       -- Old rows of these logs are deleted.
       when p.privilege = 'update' and (n.nspname, c.relname) in (('public', 'request_log'), ('limited', 'request_log'), ('portal', 'events')) then false
       when n.nspname not in ('public', 'limited') then true
       when c.relname = 'schema_migrations' then false
       when c.relname in (${ADDED_TO.map((name) => `'${name}'`).join(', ')}) then p.privilege = 'insert'
       else true
     end as is_due
   ) due
   where (n.nspname in ('public', 'portal', 'pgboss') and c.relkind in ('r', 'p') or n.nspname = 'limited')
     and has_table_privilege($1, c.oid, p.privilege) <> due.is_due
   order by 1, 2`,
);

export const selectMayCreate = statementOfNone<[role: string], { may_create: boolean }>(
  'database.select_may_create',
  `select has_database_privilege($1, current_database(), 'create') or has_schema_privilege($1, 'public', 'create')
     as may_create`,
);

/** Creates the role if it is missing, without a password: for a server that asks the kernel for the user. */
export async function createServiceRole(owner: ConnectionTarget, role: string): Promise<void> {
  await withConnection(clientConfig(owner, 0), async (client) => {
    if (await hasRole(client, role)) return;
    await client.query(`create role ${escapeIdentifier(role)} login`).catch((error: unknown) => {
      // Another process was first.
      if (!CREATED_MEANWHILE.includes(errorCode(error) ?? '')) throw error;
    });
  });
}

async function hasRole(client: Client, role: string): Promise<boolean> {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
  return rows.length > 0;
}

/** Whether the owner's server has the role. */
export const isThereRole = (owner: ConnectionTarget, role: string): Promise<boolean> =>
  withConnection(clientConfig(owner, 0), (client) => hasRole(client, role));

/**
 * Grants the service's role exactly the privileges that it needs. Changes nothing if it has them.
 *
 * @param owner the owner of the tables
 */
export async function grantService(owner: ConnectionTarget, role: string): Promise<void> {
  await withConnection(clientConfig(owner, 0), async (client) => {
    if ((await selectWrongPrivileges(client, [role])).length === 0) return;
    const name = escapeIdentifier(role);
    const schemas = 'schema public, limited, portal, pgboss';
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [ROLES_LOCK]);
    await client.query(`
      grant usage on ${schemas} to ${name};
      grant select, insert, update, delete on all tables in ${schemas} to ${name};
      grant usage, select on all sequences in ${schemas} to ${name};
      grant execute on all functions in ${schemas} to ${name};
      revoke insert, update, delete on schema_migrations from ${name};
      revoke update, delete on ${inBoth(ADDED_TO)} from ${name};
      revoke update on ${inBoth(['request_log'])}, portal.events from ${name}`);
    await client.query('commit');
  });
}

/** Whether a migration ended before it granted the user of the target what the service needs. */
export async function lacksGrants(target: ConnectionTarget): Promise<boolean> {
  const wrong = await withConnection(clientConfig(target, 0), (client) =>
    selectWrongPrivileges(client, [target.user ?? '']),
  );
  return wrong.some(({ is_due, is_ours }) => is_due && is_ours);
}
