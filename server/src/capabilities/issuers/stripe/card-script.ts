import { readFileSync } from 'node:fs';
import { pageScript } from '../../../platform/pages/page-script.ts';

/** The script that lets Stripe show a card. */
export const cardScript = pageScript('stripe-card', readFileSync(new URL('show-card.js', import.meta.url)));
