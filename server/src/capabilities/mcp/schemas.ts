import type { JSONObject } from '@modelcontextprotocol/server';
import type { TSchema } from 'typebox';
import { resolveRef } from '../../platform/api/schema.ts';
import { added } from './answers.ts';
import type { ObjectSchema } from './tool.ts';

interface Schema {
  $id?: string;
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string };
  const?: unknown;
  enum?: unknown[];
  [keyword: string]: unknown;
}

/** Makes schemas that strict clients take as they are: without references, combiners, patterns and maps. */
export interface SchemaMaker {
  /** @param words descriptions in place of the operation's, by field */
  input(
    properties: Record<string, TSchema>,
    required: readonly string[],
    words: Readonly<Record<string, string>>,
  ): ObjectSchema;
  output(answer: TSchema): ObjectSchema;
}

/** Keywords that every client reads. The service checks the rest, and its error names the rule. */
const KEPT = ['minimum', 'maximum', 'minItems', 'maxItems', 'enum'] as const;

const text = (description: string): Schema => ({ type: 'string', description });
/** In place of a map: strict clients take no object without fields, and Gemini refuses one. */
const PAIRS: Schema = {
  type: 'object',
  properties: { key: text('The key, once in the list.'), value: text('Its text.') },
  required: ['key', 'value'],
};

export function createSchemaMaker(): SchemaMaker {
  function resolve(schema: Schema): Schema {
    const { $ref: _, ...rest } = schema;
    return { ...resolveRef(schema), ...rest };
  }

  function inputOf(unresolved: Schema, words: Readonly<Record<string, string>>, isOptional: boolean): JSONObject {
    const schema = listed(flat(resolve(unresolved), resolve));
    const { type = 'string', properties, required = [], items } = schema;
    const kept = Object.fromEntries(KEPT.flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]]] : [])));
    const described = {
      type: isOptional && typeof type === 'string' ? [type, 'null'] : type,
      ...(describe(schema, isOptional) === '' ? {} : { description: describe(schema, isOptional) }),
      // A closed list would refuse null, and not every client takes null in a list.
      ...(isOptional ? { ...kept, enum: undefined } : kept),
    };
    return JSON.parse(
      JSON.stringify({
        ...described,
        ...(properties && { properties: inputsOf(properties, required, words), required }),
        ...(items && { items: inputOf(items, words, false) }),
      }),
    );
  }

  const inputsOf = (
    properties: Record<string, Schema>,
    required: readonly string[],
    words: Readonly<Record<string, string>>,
  ) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const worded = words[name] === undefined ? property : { ...resolve(property), description: words[name] };
        return [name, inputOf(worded, words, !required.includes(name))];
      }),
    );

  /** Without descriptions: the API reference has them, and they would make up half of the list of tools. */
  function outputOf(unresolved: Schema): JSONObject {
    const schema = withAdded(resolve(unresolved));
    const forms = schema.anyOf?.map(resolve);
    const types = forms?.map(({ type }) => type as string) ?? schema.type ?? 'object';
    const { properties, required = [], items } = forms?.find((form) => form.properties !== undefined) ?? schema;
    return {
      type: types as string,
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, outputOf(one)])),
        required,
      }),
      ...(items && { items: outputOf(items) }),
    };
  }

  return {
    input: (properties, required, words) => ({
      type: 'object',
      properties: inputsOf(properties as Record<string, Schema>, required, words),
      required: [...required],
    }),
    output: (answer) => outputOf(answer as Schema) as ObjectSchema,
  };
}

/** Turns a map of texts into a list of pairs. */
function listed(schema: Schema): Schema {
  if (schema.type !== 'object' || schema.properties !== undefined) return schema;
  return { type: 'array', description: schema.description ?? '', items: PAIRS };
}

function withAdded(schema: Schema): Schema {
  const more: object | undefined = added[schema.$id as keyof typeof added];
  return more === undefined ? schema : { ...schema, properties: { ...schema.properties, ...more } };
}

/** Joins the forms of a union into one object: its tag is a list of words, and the fields of each form are optional. */
function flat(schema: Schema, resolve: (schema: Schema) => Schema): Schema {
  const { oneOf, discriminator, ...rest } = schema;
  if (oneOf === undefined || discriminator === undefined) return schema;
  const tag = discriminator.propertyName;
  const forms = oneOf.map((one) => resolve(one).properties ?? {});
  const fields = forms.flatMap((form) =>
    Object.entries(form)
      .filter(([name]) => name !== tag)
      .map(([name, field]): [string, Schema] => {
        const description = `${field.description} Only with the ${tag} \`${form[tag]?.const}\`.`;
        return [name, { ...field, description }];
      }),
  );
  const tags = { type: 'string', enum: forms.map((form) => form[tag]?.const) };
  return { ...rest, required: [tag], properties: { [tag]: tags, ...Object.fromEntries(fields) } };
}

function describe({ description = '', 'x-rule': rule, enum: values, default: usual }: Schema, isOptional: boolean) {
  const sentences = [
    description,
    rule === undefined ? '' : `It ${rule}.`,
    isOptional && rule === undefined && values !== undefined ? `One of ${values.join(', ')}.` : '',
    usual === undefined ? '' : `${usual} without it.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
