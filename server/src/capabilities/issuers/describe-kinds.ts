import { adapters } from './adapters.ts';

/** Lists the kinds of issuers with their settings, for a form. */
export const listKinds = () =>
  Object.entries(adapters).map(([kind, { description, settings }]) => ({
    kind,
    description,
    settings: Object.entries(settings).map(([name, { meaning, example, isSecret = false, isOptional = false }]) => ({
      name,
      meaning,
      example,
      is_secret: isSecret,
      is_optional: isOptional,
    })),
  }));

/** The help about one kind's settings, or about all kinds if there is no such kind. Ends without a newline. */
export function describeKinds(kind: string | undefined): string {
  const chosen = kind !== undefined && Object.hasOwn(adapters, kind) ? adapters[kind] : undefined;
  if (kind === undefined || chosen === undefined) {
    const width = Math.max(...Object.keys(adapters).map(({ length }) => length));
    const rows = Object.entries(adapters).map(([name, { description }]) => `  ${name.padEnd(width)} ${description}`);
    return ['Kinds:', ...rows, 'The settings of a kind: bestow issuer add KIND --help'].join('\n');
  }
  const settings = Object.entries(chosen.settings);
  const lines = settings.flatMap(([name, { meaning, example, isOptional, isSecret }]) => [
    `  ${name} (${isOptional ? 'optional' : 'needed'}${isSecret ? ', secret' : ''})`,
    `      ${meaning}`,
    `      ${name}=${example}`,
  ]);
  const secrets = settings.some(([, { isSecret }]) => isSecret);
  const way = secrets
    ? 'With --secrets, standard input has lines such as these; secrets belong only there. --set takes the others.'
    : 'Each with --set.';
  return [`Settings of ${kind}, ${chosen.description}:`, ...lines, way].join('\n');
}
