import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Operation } from './operations.ts';

interface Description {
  version: string;
  calls: Record<Operation, { request: object; answer: object }>;
  components: { schemas: Record<string, object> };
}

const description = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8')) as Description;

/** Shared definitions stay functions: a third of the time to compile. */
const options = { strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } };
/** The forms' values are text; `coerceTypes` reads numbers and booleans, as Stripe does. */
const formAjv = new Ajv({ ...options, coerceTypes: true });
const answerAjv = new Ajv({ ...options, allErrors: true });
for (const ajv of [formAjv, answerAjv]) ajv.addSchema(description, 'stripe');

const compiled = new Map<string, ValidateFunction>();

function validatorOf(ajv: Ajv, pointer: string): ValidateFunction {
  const known = compiled.get(pointer);
  if (known !== undefined) return known;
  // References begin at the document's root.
  const validate = ajv.compile({ $ref: `stripe#${pointer}` });
  compiled.set(pointer, validate);
  return validate;
}

const escapePointer = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Converts the values in place. @returns what Stripe refuses, and the parameter; undefined if the request is valid */
export function refusalOf(operation: Operation, form: object): { message: string; param: string } | undefined {
  const validate = validatorOf(formAjv, `/calls/${escapePointer(operation)}/request`);
  if (validate(form)) return undefined;
  const [error] = validate.errors ?? [];
  const { additionalProperty, missingProperty } = (error?.params ?? {}) as Record<string, string | undefined>;
  const path = [...(error?.instancePath.split('/').slice(1) ?? []), additionalProperty ?? missingProperty].filter(
    Boolean,
  );
  const param = path.map((part, index) => (index === 0 ? part : `[${part}]`)).join('');
  if (additionalProperty !== undefined) return { param, message: `Received unknown parameter: ${param}` };
  if (missingProperty !== undefined) return { param, message: `Missing required param: ${param}.` };
  return { param, message: `Invalid ${param}: ${error?.message}` };
}

/** @throws if the fake's answer is not what Stripe publishes */
export const checkAnswer = (operation: Operation, answer: unknown): void =>
  check(`/calls/${escapePointer(operation)}/answer`, answer);

/** @throws if an object of this name, such as `checkout.session`, is not what Stripe publishes */
export const checkObject = (name: string, object: unknown): void => check(`/components/schemas/${name}`, object);

function check(pointer: string, value: unknown): void {
  const validate = validatorOf(answerAjv, pointer);
  if (validate(value)) return;
  const errors = (validate.errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  throw new Error(`The fake of Stripe answered against ${pointer}: ${errors.join('; ')}`);
}

export const apiVersion = description.version;
