import { exportLinks } from '../../src/capabilities/gift-batches/export-links.ts';
import { cancelBatch, resumeBatch, startBatch } from '../../src/capabilities/gift-batches/start-batch.ts';
import { createBatch, storeRows } from '../../src/capabilities/gift-batches/store-rows.ts';
import { setStopped } from '../../src/capabilities/gift-batches/work-queries.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import type { TestOrganization } from './test-service.ts';

type MemberActor = Extract<Actor, { kind: 'member' }>;

const scopeOf = ({ organizationUuid: organizationId }: TestOrganization) =>
  ({ organizationId, environment: 'sandbox' }) as const;
const uuid = (id: string) => decodeId('batch', id) ?? '';

const asAdmin = ({ memberId }: TestOrganization): MemberActor => ({
  kind: 'member',
  email: 'admin@example.com',
  address: '::1',
  memberId: decodeId('mem', memberId) ?? '',
});

/** Stores a draft of one gift. */
async function draft(deps: AllDeps, organization: TestOrganization): Promise<string> {
  const scope = scopeOf(organization);
  const actor = asAdmin(organization);
  const id = await createBatch(deps, scope, { formId: deps.ids.next(), name: 'people.csv', rows: 1, actor });
  const gifts = [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } } as const];
  await storeRows(deps, scope, uuid(id), { firstRow: 1, gifts });
  return id;
}

const start = (deps: AllDeps, organization: TestOrganization, actor: Actor, id: string) =>
  startBatch(deps, scopeOf(organization), {
    batchId: uuid(id),
    amountCents: 2500,
    acceptsDuplicates: false,
    actor: actor as MemberActor,
  });

/** Batches. */
export const auditedBatchActs: Record<
  'batch.started' | 'batch.resumed' | 'batch.canceled' | 'batch.links_exported',
  AuditedAct
> = {
  'batch.started': {
    prepare: draft,
    act: start,
    target: 'prepared',
    only: 'member',
    environment: 'sandbox',
    sentence: 'Started to send 1 gift from a file for 25.00 USD',
  },
  'batch.resumed': {
    async prepare(deps, organization) {
      const id = await draft(deps, organization);
      await start(deps, organization, asAdmin(organization), id);
      await setStopped(deps.database.pool, [organization.organizationUuid, 'sandbox', uuid(id), 'x', 'x', new Date(0)]);
      return id;
    },
    act: (deps, organization, actor, id) =>
      resumeBatch(deps, scopeOf(organization), { batchId: uuid(id), actor: actor as MemberActor }),
    target: 'prepared',
    only: 'member',
    environment: 'sandbox',
    sentence: 'Resumed to send 1 gift from a file for 25.00 USD',
  },
  'batch.canceled': {
    async prepare(deps, organization) {
      const id = await draft(deps, organization);
      await start(deps, organization, asAdmin(organization), id);
      return id;
    },
    act: (deps, organization, actor, id) =>
      cancelBatch(deps, scopeOf(organization), {
        batchId: uuid(id),
        reason: 'Wrong file',
        actor: actor as MemberActor,
      }),
    target: 'prepared',
    only: 'member',
    environment: 'sandbox',
    sentence: 'Canceled the unclaimed gifts of a file (Wrong file)',
  },
  'batch.links_exported': {
    prepare: draft,
    act: (deps, organization, actor, id) => exportLinks(deps, scopeOf(organization), { batchId: uuid(id), actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Exported the results of a file with the links of 0 gifts',
    isRepeatable: true,
  },
};
