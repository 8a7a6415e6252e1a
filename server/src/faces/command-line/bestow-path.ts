import { fileURLToPath } from 'node:url';

/** The command, by its path, because a name could be another program's. */
export const BESTOW_PATH = fileURLToPath(new URL('../../../bin/bestow.js', import.meta.url));
