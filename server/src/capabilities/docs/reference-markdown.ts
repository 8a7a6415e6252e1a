import { catalogue } from '../../platform/base/errors.ts';
import { homeOf, type Operation, type Placed, type ResourceEntry, successesOf } from './reference-document.ts';
import { MARKDOWN } from './reference-format.ts';
import { type OperationPlace, parameterLists, samplesOf } from './reference-operation.ts';
import { briefOf, INTRODUCTION, type ReferenceOptions } from './reference-page.ts';
import { resourceMarkdownPath } from './reference-path.ts';
import { fields, nameOf, type Place } from './reference-schema.ts';
import { writeJson } from './write-value.ts';

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

const routeOf = ({ method, path = 'your address' }: Placed) => `\`${method} ${path}\``;

/** Renders the first page of the reference: every resource with its operations. */
export function overviewMarkdown(resources: readonly ResourceEntry[]): string {
  const parts = resources.map((resource) => {
    const rows = resource.operations.map((placed) => `- ${routeOf(placed)}: ${placed.operation.summary}`);
    const link = `[${resource.name}](${resourceMarkdownPath(resource.name)})`;
    return `## ${link}\n\n${briefOf(resource)}\n\n${rows.join('\n')}`;
  });
  return `${['# API reference', INTRODUCTION, ...parts].join('\n\n')}\n`;
}

const samples = (placed: Placed, place: OperationPlace): string[] =>
  placed.path === undefined
    ? []
    : Object.entries(samplesOf(placed, place)).map(([language, text]) => block(language, text));

function bodyPart({ requestBody }: Operation, place: Place): string[] {
  if (requestBody === undefined) return [];
  const need = requestBody.required === true ? '' : ' (optional)';
  return [`### Body${need}`, fields(requestBody.content['application/json'].schema, place)];
}

const answers = (operation: Operation, place: Place): string[] =>
  successesOf(operation).flatMap(([status, { description, content }]) => {
    const media = content?.['application/json'];
    const $ref = media?.schema.$ref;
    const object = $ref === undefined ? '' : `${MARKDOWN.link(nameOf($ref), place.addressOf(nameOf($ref)))} `;
    const example = media?.example === undefined ? [] : [block('json', writeJson(media.example))];
    return [`**${status}** ${object}${description}`, ...example];
  });

function errors({ 'x-errors': codes = {} }: Operation): string[] {
  const rows = Object.entries(codes).flatMap(([status, some]) =>
    some.map((code) => `- ${status} \`${code}\`: ${catalogue[code].message}`),
  );
  return rows.length === 0 ? [] : ['### Errors', rows.join('\n')];
}

function operationParts(placed: Placed, place: OperationPlace): string[] {
  const { operation } = placed;
  const request = { ...place, isRequest: true };
  return [
    `## ${operation.summary}`,
    routeOf(placed),
    operation.description,
    ...samples(placed, place),
    ...parameterLists(operation, request).flatMap(({ heading, list }) => [`### ${heading}`, list]),
    ...bodyPart(operation, request),
    '### Answer',
    ...answers(operation, { ...place, isRequest: false }),
    ...errors(operation),
  ];
}

/** Renders the page of a resource as Markdown. */
export function resourceMarkdown(
  resource: ResourceEntry,
  { document, resources, publicUrl }: ReferenceOptions,
): string {
  const { schemas } = document.components;
  const addressOf = (name: string) => {
    const path = resourceMarkdownPath((homeOf(name, resources) ?? resource).name);
    return `${path}#${name.toLowerCase()}`;
  };
  const place: OperationPlace = { document, publicUrl, schemas, format: MARKDOWN, addressOf };
  const objects = resource.objects.flatMap((name) => [
    `### ${name}`,
    schemas[name]?.description ?? '',
    fields({ $ref: name }, { ...place, isRequest: false }),
  ]);
  const parts = [
    `# ${resource.name}`,
    resource.description,
    ...resource.operations.flatMap((placed) => operationParts(placed, place)),
    ...(objects.length === 0 ? [] : ['## Objects', ...objects]),
  ];
  return `${parts
    .map((part) => part.trimEnd())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}
