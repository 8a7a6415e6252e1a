import { clientModel } from './client-model.ts';
import { goClient } from './go-client.ts';
import { pythonClient } from './python-client.ts';
import { typescriptClient } from './typescript-client.ts';

/** The files of the clients that follow from the document, by path. */
export function clientFiles(openapi: string): Map<string, string> {
  const model = clientModel(openapi);
  return new Map([...typescriptClient(model), ...pythonClient(model), ...goClient(model)]);
}
