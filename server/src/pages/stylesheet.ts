import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export const stylesheet = readFileSync(new URL('style.css', import.meta.url));

/** Its address holds its hash, so that a browser may keep it for ever and still gets every change. */
export const stylesheetPath = `/assets/style-${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`;
