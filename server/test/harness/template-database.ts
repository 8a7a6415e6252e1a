import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { createServiceRole, grantService } from '../../src/platform/database/service-role.ts';
import { SERVICE_USER_NAME } from '../../src/platform/embedded-postgres/cluster.ts';
import { createQueues } from '../../src/platform/jobs/create-queues.ts';
import { TestClock } from './test-clock.ts';
import { TEMPLATE_DATABASE, withTestClock } from './test-database.ts';

/** Owns the tables without being a superuser, as on a managed PostgreSQL. */
export const PLAIN_OWNER = 'plain_owner';

/** Makes the database that tests copy. */
export async function createTemplate(server: ConnectionTarget): Promise<void> {
  const admin = new Client({ ...server });
  await admin.connect();
  await admin.query(`create role ${PLAIN_OWNER} login`);
  await admin.query(`create database ${TEMPLATE_DATABASE} owner ${PLAIN_OWNER}`);
  await admin.end();
  const template = { ...server, database: TEMPLATE_DATABASE };
  const asOwner = { ...template, user: PLAIN_OWNER };
  await migrate(asOwner);
  // A test's clock must not be behind the time of the schedules, so the template's clock is in the past.
  await createQueues(withTestClock(asOwner), new TestClock('2026-01-01T00:00:00Z'));
  await createServiceRole(template, SERVICE_USER_NAME);
  await grantService(asOwner, SERVICE_USER_NAME);
  await letServiceUseMore(template);
}

/** A `TestClock` replaces pg-boss's clock in the database, and tests make tables and sequences for the service. */
async function letServiceUseMore(template: ConnectionTarget): Promise<void> {
  const owner = new Client({ ...template });
  await owner.connect();
  await owner.query(`
    alter function pgboss.job_now() owner to ${SERVICE_USER_NAME};
    grant create on schema pgboss to ${SERVICE_USER_NAME};
    alter default privileges grant select, insert, update, delete on tables to ${SERVICE_USER_NAME};
    alter default privileges grant usage on sequences to ${SERVICE_USER_NAME}`);
  await owner.end();
}
