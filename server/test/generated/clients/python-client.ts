import type { ClientModel, ClientOperation } from './client-model.ts';
import { pythonParameters, pythonResources } from './python-methods.ts';
import { HEADER, pythonTypes } from './python-types.ts';

const SYNC_HEADER = '# Made by scripts/make_sync.py from ../_async. Do not change it here.\n';

function operationRow(operation: ClientOperation): string {
  const { id, method, path, item, mark, takesKey, takesExpand, isSentOnce, takesLong } = operation;
  // The document of another version may have any members but this one.
  const { member, value, type } = mark ?? { member: 'openapi', type: 'string' };
  const kind = { string: [], integer: ['int'], boolean: ['bool'] }[type] ?? [];
  const expected = value === undefined ? kind : [JSON.stringify(value)];
  const more = {
    takes_key: takesKey,
    // A list takes it as a parameter.
    takes_expand: takesExpand && item === undefined,
    is_sent_once: isSentOnce,
    may_use_all_time: takesLong,
  };
  const set = Object.entries(more).flatMap(([name, isSet]) => (isSet ? [`${name}=True`] : []));
  const values = [...[method, path, member].map((text) => JSON.stringify(text)), ...expected, ...set].join(', ');
  const row = `    "${id}": Operation(${values}),`;
  return row.length <= 120 ? row : `    "${id}": Operation(\n        ${values}\n    ),`;
}

function operationTable({ operations }: ClientModel): string {
  return `${HEADER}
"""The operations of the service, as the document has them."""

from __future__ import annotations

from collections.abc import Mapping

from ._operation import Operation

OPERATIONS: Mapping[str, Operation] = {
${operations.map(operationRow).join('\n')}
}
`;
}

/** What scripts/make_sync.py makes of the resources; a test of the client compares them. */
const synchronous = (text: string) =>
  SYNC_HEADER +
  text
    .replaceAll(/\basync (?=def\b)/g, '')
    .replaceAll(/\bawait /g, '')
    .replaceAll(/\bAsync(?=[A-Z])/g, '');

/** The files of the Python client that follow from the document, by path. */
export function pythonClient(model: ClientModel): Map<string, string> {
  const resources = pythonResources(model);
  const files = [
    ...pythonTypes(model),
    ['_operations.py', operationTable(model)],
    ['_params.py', pythonParameters(model)],
    ...resources.map(([name, text]) => [`_async/${name}`, text] as const),
    ...resources.map(([name, text]) => [`_sync/${name}`, synchronous(text)] as const),
  ] as const;
  return new Map(files.map(([name, text]) => [`sdk/python/src/bestow_sdk/${name}`, text]));
}
