import type { TSchema } from 'typebox';

// What a field of a gift or an order is, said once: who reads, shows, exports and searches it takes it from a list of these.

/** What a column has, in a row and in PostgreSQL. */
export const column = <Value>(sql: string) => ({ sql }) as { sql: string; value: Value };

export const id = column<string>('uuid');
export const idIfAny = column<string | null>('uuid');
export const cents = column<number>('integer');
export const number = column<number>('smallint');
export const text = column<string>('text');
export const textIfAny = column<string | null>('text');
export const time = column<Date>('timestamptz');
export const timeIfAny = column<Date | null>('timestamptz');

export interface Field<Reader extends string = string> {
  /** The column of its table; absent if the value is made of others. */
  of?: { sql: string; value: unknown };
  /** The column's name, if it is another one. */
  column?: string;
  readBy?: readonly Reader[];
  /** Whether a person's export has it: also of a gift that was sent to another person since, or only of one that is theirs. */
  person?: 'sent' | 'theirs';
  /** Written when a usual order is placed, or any order; or how far the gift came by then. */
  placed?: 'usual' | 'any' | 'state';
  /** In an answer of `/v1`. An optional one is left out while it is null. */
  api?: TSchema;
  /** Columns of the CSV file of `/v1`. */
  csv?: readonly string[];
  /** In the portal's lists and page; or only in its page. */
  portal?: TSchema;
  portalPage?: TSchema;
  /** Columns of the portal's file. */
  file?: readonly FileColumn[];
  /** The portal's search looks inside it. */
  isSearched?: true;
  /** Erased with the recipient, also of a gift that they are sent no more. */
  isErased?: true;
}

interface FileColumn {
  key: string;
  header: string;
  isMoney?: true;
}

type Fields = Record<string, Field>;
type ColumnOf<F, K extends keyof F> = F[K] extends { column: infer Name extends string } ? Name : K;
type ValueOf<F, K extends keyof F> = F[K] extends { of: { value: infer Value } } ? Value : never;
type IfReadBy<F, K extends keyof F, Reader> = F[K] extends { readBy: readonly (infer Each)[] }
  ? [Extract<Each, Reader>] extends [never]
    ? never
    : ColumnOf<F, K>
  : never;

/** A row with the columns of a reader. */
export type ColumnsReadBy<F, Reader> = { [K in keyof F as IfReadBy<F, K, Reader>]: ValueOf<F, K> };
/** A row with the columns of fields that have a part. */
export type ColumnsWith<F, Part extends keyof Field> = {
  [K in keyof F as F[K] extends Record<Part, unknown> ? ColumnOf<F, K> : never]: ValueOf<F, K>;
};

type Shape = 'api' | 'portal' | 'portalPage';
type Shapes<F, S extends Shape> = {
  [K in keyof F as F[K] extends Record<S, TSchema> ? K : never]: F[K] extends Record<S, infer Schema extends TSchema>
    ? Schema
    : never;
};

/** A field with its names. */
interface ListedField extends Field {
  name: string;
  column: string;
}

export const listFields = (fields: Fields): readonly ListedField[] =>
  Object.entries(fields).map(([name, field]) => ({ ...field, name, column: field.column ?? name }));

/** The schemas of an answer, by name. */
export const shapesOf = <F extends Fields, S extends Shape>(fields: F, shape: S) =>
  Object.fromEntries(
    listFields(fields).flatMap(({ name, [shape]: schema }) => (schema === undefined ? [] : [[name, schema]])),
  ) as Shapes<F, S>;

/** How each field of an answer is made of a row: as `made` says, else it is the column as it is. */
export const showsOf = <Show>(
  fields: readonly ListedField[],
  shape: Shape,
  made: Readonly<Record<string, Show>>,
  showColumn: (column: string) => Show,
): readonly { name: string; show: Show }[] =>
  fields
    .filter(({ [shape]: schema }) => schema !== undefined)
    .map(({ name, column }) => ({ name, show: made[name] ?? showColumn(column) }));

/** The columns of the fields that have a part. */
export const columnsOf = (fields: readonly ListedField[], part: keyof Field): string[] =>
  fields.filter(({ [part]: value }) => value !== undefined).map((field) => field.column);

/** The columns that a reader takes. */
export const columnsReadBy = (fields: readonly ListedField[], reader: string): string[] =>
  fields.filter(({ readBy }) => readBy?.includes(reader)).map((field) => field.column);

/** SQL of the texts that the portal's search looks inside. */
export const searchedTexts = (fields: readonly ListedField[]) =>
  fields.flatMap(({ column, of, isSearched }) => (isSearched ? [of?.sql === 'text' ? column : `${column}::text`] : []));
