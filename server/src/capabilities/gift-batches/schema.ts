import { type Static, Type } from 'typebox';
import { GiftToSend } from '../../core/gifts/gift/portal-schema.ts';
import { GiftInput, type GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { GiftMethod, shownStateIfAny } from '../../core/gifts/gift/shown-state.ts';
import { ADDRESS_OF_PERSON, TEXT_OF_PERSON } from '../../platform/api/mask-people.ts';
import { Cents, nullable, oneOf, Time } from '../../platform/api/schema.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** gifts of a file */
    batch: true;
  }
}

/** A row of a file: a gift as in `/v1`, without metadata. */
export const BatchGift = Type.Object(
  {
    ...GiftToSend.properties,
    external_id: GiftInput.properties.external_id,
    send_at: GiftInput.properties.send_at,
  },
  { $id: 'BatchGift', additionalProperties: false },
);

/** A row as it came: the act checks it, so that an error can name the row and the column. */
const Row = Type.Unsafe<GiftInputBody>({ type: 'object', additionalProperties: true, description: 'A `BatchGift`.' });

export const MAX_ROWS = 10_000;
/** A row has at most 5 kB, a body a megabyte. */
const MAX_ROWS_PER_CALL = 200;

export const Rows = Type.Array(Row, {
  minItems: 1,
  maxItems: MAX_ROWS_PER_CALL,
  'x-rule': `must be a list of 1 to ${MAX_ROWS_PER_CALL} rows`,
});

export const CheckedRow = Type.Object(
  {
    row: Type.Integer({ description: 'As numbered in the request.' }),
    address: nullable(Type.String({ description: 'As gifts have it, to compare; null for a link or an error.' })),
    errors: Type.Array(Type.Object({ column: Type.String(), message: Type.String() }), {
      description: 'The first error of the row, or none.',
    }),
    recent: nullable(
      Type.Object(
        { gift_id: Type.String(), sent_at: Time },
        { description: 'The latest gift to the address within 30 days.' },
      ),
    ),
  },
  { $id: 'CheckedRow' },
);
export type CheckedRow = Static<typeof CheckedRow>;

export const Batch = Type.Object(
  {
    batch_id: Type.String(),
    name: Type.String(),
    state: Type.Union(
      [
        Type.Literal('draft'),
        Type.Literal('running'),
        Type.Literal('stopped'),
        Type.Literal('canceling'),
        Type.Literal('ended'),
      ],
      { description: '`stopped`: an admin can resume it, once what `stop` says is settled.' },
    ),
    rows: Type.Integer(),
    amount: Cents,
    placed: Type.Integer({ description: 'Rows whose gift was bought.' }),
    refused: Type.Integer({ description: 'Rows that will not be bought.' }),
    member: Type.String({ description: 'The email address of the admin who started, resumed or canceled it last.' }),
    stop: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    created_at: Time,
    started_at: nullable(Time),
    ended_at: nullable(Time),
  },
  { $id: 'Batch' },
);
export type Batch = Static<typeof Batch>;

export const ShownBatch = Type.Object(
  {
    ...Batch.properties,
    has_links: Type.Boolean({ description: 'Whether an unclaimed gift has a link; false until its job is done.' }),
  },
  { $id: 'ShownBatch' },
);
export type ShownBatch = Static<typeof ShownBatch>;

export const BatchResult = Type.Object(
  {
    row: Type.Integer(),
    result: oneOf('waiting', 'placed', 'refused'),
    gift_id: nullable(Type.String({ description: 'Null until the gift exists.' })),
    order_id: nullable(Type.String()),
    ...shownStateIfAny,
    amount: Cents,
    category: nullable(Type.String()),
    method: nullable(GiftMethod),
    address: nullable(Type.String(ADDRESS_OF_PERSON)),
    recipient_name: nullable(Type.String(TEXT_OF_PERSON)),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'BatchResult' },
);
export type BatchResult = Static<typeof BatchResult>;
