import { readFileSync } from 'node:fs';
import { pageScript } from '../../platform/pages/page-script.ts';

/** The script of the buttons that copy a card's number. */
export const copyScript = pageScript('copy', readFileSync(new URL('copy.js', import.meta.url)));
