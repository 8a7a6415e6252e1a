import { type Static, Type } from 'typebox';
import { openText } from '../../platform/api/schema.ts';

const Base64Hash = Type.String({
  description: '32 bytes in Base64.',
  examples: ['nlWjS5yfVfW7aHP0Hg8m5ZJVuVb6XMsLMMexTyLBsjI='],
});
const Origin = Type.String({
  description: 'Names the tree. A sandbox has another one after each reset.',
  examples: ['bestow/ledger/org_01k0fxw4mze6hv3tqx4d5s8r2m/live'],
});
const Size = Type.Integer({ format: 'int64', description: 'Sealed entries.', examples: [12] });
const Note = Type.String({
  description: 'Origin, size and root, one a line, and the signature (C2SP tlog-checkpoint and signed-note). Keep it.',
});

export const LedgerCheckpoint = Type.Object(
  {
    object: Type.Literal('ledger_checkpoint'),
    origin: Origin,
    size: Size,
    root: Base64Hash,
    key_id: Type.String({ description: 'Of the key that signed it.', examples: ['5f3a91c2'] }),
    note: Note,
  },
  { $id: 'LedgerCheckpoint', description: 'The signed root of the ledger’s Merkle tree (RFC 6962).' },
);
export type CheckpointBody = Static<typeof LedgerCheckpoint>;

export const LedgerProof = Type.Object(
  {
    object: Type.Literal('ledger_proof'),
    type: openText(
      ['inclusion', 'consistency'],
      '`inclusion`: an entry is in the tree. `consistency`: the tree continues an earlier one.',
    ),
    entry_id: Type.Optional(Type.String({ description: 'Of an inclusion: the entry.' })),
    entry: Type.Optional(Type.String({ description: 'Of an inclusion: the text that is hashed as the leaf.' })),
    index: Type.Optional(Type.Integer({ format: 'int64', description: 'Of an inclusion: the leaf, from 0.' })),
    from_size: Type.Optional(Type.Integer({ format: 'int64', description: 'Of a consistency: the earlier size.' })),
    size: Size,
    hashes: Type.Array(Base64Hash, { description: 'The proof, from the leaves upwards.' }),
    checkpoint: Note,
  },
  { $id: 'LedgerProof', description: 'A proof after RFC 6962, with the signed checkpoint that it leads to.' },
);
export type ProofBody = Static<typeof LedgerProof>;
