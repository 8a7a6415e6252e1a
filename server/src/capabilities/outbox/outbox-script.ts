import { readFileSync } from 'node:fs';
import { pageScript } from '../../platform/pages/page-script.ts';

export const outboxScript = pageScript('outbox', readFileSync(new URL('outbox.js', import.meta.url)));
