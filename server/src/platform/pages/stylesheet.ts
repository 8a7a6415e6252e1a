import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export const stylesheet = readFileSync(new URL('style.css', import.meta.url));

/** The path contains a hash, so that browsers can cache the file forever. */
export const stylesheetPath = `/assets/style-${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`;
