import { readFileSync } from 'node:fs';
import { pageScript } from './page-script.ts';

/** Also a part of the documentation's script. */
export const portalLink = readFileSync(new URL('portal-link.js', import.meta.url));
export const portalLinkScript = pageScript('portal-link', portalLink);
