import { type ClientModel, type ClientOperation, pascal, reached, singular, snake } from './client-model.ts';
import { serviceLines } from './go-methods.ts';
import { aligned, structLines } from './go-structs.ts';

const HEADER = '// Code generated from openapi.json by npm run generate. DO NOT EDIT.';
const MOST_LINES = 300;
const PACKAGES = { context: 'context.', 'encoding/json': 'json.', iter: 'iter.', 'net/http': 'http.', time: 'time.' };

/** The resource whose first word a schema's name begins with, otherwise the first one that uses the schema. */
function homeOf(model: ClientModel, schema: string): string | undefined {
  const resources = model.operations.map(({ resource }) => resource);
  const named = resources.find((one) => schema.startsWith(pascal(singular(one.split(/(?=[A-Z])/)[0] ?? ''))));
  const user = model.operations.find(({ body, answer }) =>
    [body, answer].some((one) => reached(model.schemas, one).has(schema)),
  );
  return named ?? user?.resource;
}

function fileOf(lines: string[]): string {
  const body = lines.join('\n').trimEnd();
  const code = body.replaceAll(/^\s*\/\/.*$/gm, '');
  const imports = Object.entries(PACKAGES).flatMap(([name, use]) => (code.includes(use) ? [`\t"${name}"`] : []));
  const [only] = imports;
  const imported =
    imports.length === 0
      ? []
      : imports.length === 1
        ? [`import ${only?.trim()}`, '']
        : ['import (', ...imports, ')', ''];
  return [HEADER, '', 'package bestow', '', ...imported, body, ''].join('\n');
}

function markOf({ mark }: ClientOperation): string {
  // The document of another version may have any members but this one.
  if (mark === undefined) return 'textMark("openapi")';
  if (mark.member === 'object') return `objectMark("${mark.value}")`;
  if (mark.value !== undefined) return `wordMark("${mark.member}", "${mark.value}")`;
  return `${mark.type === 'string' ? 'textMark' : 'memberMark'}("${mark.member}")`;
}

function operationRow(operation: ClientOperation): string {
  const { method, path, takesKey, takesExpand, isSentOnce, takesLong } = operation;
  const more = { takesKey, takesExpand, isSentOnce };
  const set = Object.entries(more).flatMap(([name, isSet]) => (isSet ? [`${name}: true`] : []));
  const limit = takesLong ? ['attemptTimeout: unlimited'] : [];
  const members = [`method: "${method}", path: "${path}", isOurs: ${markOf(operation)}`, ...set, ...limit];
  return `= operation{${members.join(', ')}}`;
}

/** The files of the Go client that follow from the document, by path. */
export function goClient(model: ClientModel): Map<string, string> {
  const files = new Map<string, string>();
  const write = (name: string, lines: string[]) => files.set(`sdk/go/${name}.go`, fileOf(lines));
  const rows = model.operations.map((one) => ({ comment: '', cells: [one.id, operationRow(one)] }));
  const about = '// The operations of the service, as the document has them.';
  write('operations', [about, 'var (', ...aligned(rows), ')']);
  const isChange = (schema: string) => model.operations.some((one) => one.isChange && one.body === schema);
  for (const resource of new Set(model.operations.map((one) => one.resource))) {
    const names = Object.keys(model.schemas).filter((schema) => homeOf(model, schema) === resource);
    const structs = names.flatMap((name) => structLines(model, name, isChange(name)));
    const service = serviceLines(model, resource);
    if (service.length + structs.length === 0) continue;
    const name = snake(resource);
    if (service.length + structs.length < MOST_LINES - 20) write(name, [...service, ...structs]);
    else {
      write(name, service);
      write(`${singular(name)}_structs`, structs);
    }
  }
  return files;
}
