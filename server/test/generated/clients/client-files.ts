import { clientModel } from './client-model.ts';
import { goClient } from './go-client.ts';
import { pythonClient } from './python-client.ts';

/** The files of the clients that follow from the document, by path. */
export function clientFiles(openapi: string): Map<string, string> {
  const model = clientModel(openapi);
  return new Map([...goClient(model), ...pythonClient(model)]);
}
