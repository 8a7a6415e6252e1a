import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { AddRoute } from '../../platform/api/operation.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import { invalid, readText, text } from '../../platform/paging/list-filters.ts';
import type { CheckpointDeps } from './checkpoint-keys.ts';
import { publishKeys } from './checkpoint-keys.ts';
import { proveConsistency, proveEntry, showCheckpoint } from './prove-ledger.ts';
import { LedgerCheckpoint, LedgerProof } from './schema.ts';

const origin = 'bestow/ledger/org_01k0fxw4mze6hv3tqx4d5s8r2m/live';
const root = 'nlWjS5yfVfW7aHP0Hg8m5ZJVuVb6XMsLMMexTyLBsjI=';
const note = `${origin}\n12\n${root}\n\n\u2014 ${origin} ${'A'.repeat(91)}=\n`;

/** The proofs of the ledger, and the keys that sign them. */
export function ledgerRoutes(app: FastifyInstance, addRoute: AddRoute, deps: CheckpointDeps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/ledger/checkpoint',
      operationId: 'retrieveLedgerCheckpoint',
      tag: 'Ledger',
      summary: 'Retrieve a signed checkpoint',
      description:
        'The size and root of the tree of all sealed entries, signed. Keep one: a later proof of consistency shows that nothing before it was rewritten.',
      access: 'key',
      response: refTo(LedgerCheckpoint),
      answers: {
        200: {
          description: 'The checkpoint.',
          example: { object: 'ledger_checkpoint', origin, size: 12, root, key_id: '5f3a91c2', note },
        },
      },
      errors: [],
    },
    ({ request }) => showCheckpoint(deps, callerOf(request)),
  );

  addProofRoute(addRoute, deps);

  const keys = publishKeys(deps.checkpointKeys);
  app.get('/.well-known/bestow-ledger-keys', async (_request, reply) =>
    reply.header('Cache-Control', 'public, max-age=300').send(keys),
  );
}

function addProofRoute(addRoute: AddRoute, deps: CheckpointDeps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/ledger/proof',
      operationId: 'retrieveLedgerProof',
      tag: 'Ledger',
      summary: 'Retrieve a proof',
      description:
        'With `entry_id`, proves that an entry is in the tree. With `from_size`, proves that the tree continues the one of an earlier checkpoint.',
      access: 'key',
      query: Type.Object({
        entry_id: text('The entry; not together with `from_size`.'),
        from_size: size('The size of the earlier checkpoint.'),
        size: size('The size of the tree that the proof is for; the latest by default.'),
      }),
      response: refTo(LedgerProof),
      answers: {
        200: {
          description: 'The proof.',
          example: {
            object: 'ledger_proof',
            type: 'consistency',
            from_size: 8,
            size: 12,
            hashes: [root],
            checkpoint: note,
          },
        },
      },
      errors: ['parameter_invalid', 'resource_missing'],
    },
    ({ request }) => {
      const query = request.query as Record<string, unknown>;
      const entryId = readText(query, 'entry_id');
      const fromSize = readSize(query, 'from_size');
      const proven = { size: readSize(query, 'size') };
      if (entryId !== undefined && fromSize === undefined)
        return proveEntry(deps, callerOf(request), { entryId, ...proven });
      if (entryId === undefined && fromSize !== undefined)
        return proveConsistency(deps, callerOf(request), { fromSize, ...proven });
      throw invalid('entry_id', 'Send entry_id for a proof of an entry, or from_size for a proof of consistency.');
    },
  );
}

const size = (description: string) =>
  Type.Optional(Type.Integer({ format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

const readSize = (query: Record<string, unknown>, param: string): number | undefined => {
  const isSize = (value: string) => /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value));
  const value = readText(query, param, 'must be a whole number from 0 on.', isSize);
  return value === undefined ? undefined : Number(value);
};
