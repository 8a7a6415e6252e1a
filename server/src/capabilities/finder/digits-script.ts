import { readFileSync } from 'node:fs';
import { pageScript } from '../../platform/pages/page-script.ts';

/** The script that sends a code at its last digit. */
export const digitsScript = pageScript('digits', readFileSync(new URL('digits.js', import.meta.url)));
