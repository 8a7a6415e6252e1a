import type { preValidationHookHandler } from 'fastify';
import type { TObject } from 'typebox';
import { closestOf } from '../base/closest.ts';
import { BestowError } from '../base/errors.ts';

/** Refuses a query parameter that the operation does not know: a misspelled filter would return everything. */
export function refuseUnknownParameters(query: TObject | undefined): preValidationHookHandler {
  const properties = Object.entries<{ type?: string }>(query?.properties ?? {});
  const plain = new Set(properties.flatMap(([name, { type }]) => (type === 'object' ? [] : name)));
  const maps = properties.flatMap(([name, { type }]) => (type === 'object' ? name : []));
  const isKnown = (name: string) =>
    name === '' || plain.has(name) || maps.some((map) => name.startsWith(`${map}[`) && name.endsWith(']'));
  const known = [...plain, ...maps.map((map) => `${map}[key]`)];
  return (request, _reply, done) => {
    const param = Object.keys(request.query as object).find((name) => !isKnown(name));
    if (param === undefined) done();
    else done(new BestowError('parameter_invalid', { param: shown(param), message: messageOf(shown(param), known) }));
  };
}

/** An answer repeats only the beginning of a long name. */
const shown = (param: string) => param.replace(/[\p{C}\p{Z}]/gu, ' ').slice(0, 64);

function messageOf(param: string, known: readonly string[]): string {
  if (known.length === 0) return `The parameter ${param} is not known here: this operation takes none.`;
  const [root = ''] = param.split(/[.[]/, 1);
  const meant = known.find((name) => name.startsWith(root) || root.startsWith(name)) ?? closestOf(root, known);
  const hint = meant === undefined || root === '' ? '' : ` Did you mean ${meant}?`;
  return `The parameter ${param} is not known here.${hint} Known are ${known.join(', ')}.`;
}
