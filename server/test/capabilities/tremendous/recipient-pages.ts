import { redeem } from './acts.ts';
import { Refusal } from './refusal.ts';
import type { Redemption, State } from './state.ts';

export interface Page {
  status: number;
  html: string;
}

/** Answers a recipient who opens a link or, with a form, redeems. */
export function recipientPage(state: State, token: string, form: URLSearchParams | undefined): Page {
  const [rewardId, redemption] = [...state.redemptions].find(([, one]) => one.token === token) ?? [];
  if (rewardId === undefined || redemption === undefined) return pageOf(404, '<p>This link is not valid.</p>');
  if (redemption.status === 'canceled' || redemption.status === 'expired')
    return pageOf(410, `<p>This reward is ${redemption.status}.</p>`);
  if (form === undefined)
    return pageOf(200, redemption.status === 'delivered' ? choice(redemption) : outcome(redemption));
  try {
    return pageOf(200, outcome(redeem(state, rewardId, form.get('product') ?? '')));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return pageOf(error.status, `<p>${escaped(error.message)}</p>`);
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const pageOf = (status: number, main: string): Page => ({
  status,
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Your reward</title></head><body><main><h1>Your reward</h1>${main}</main></body></html>`,
});

const choice = ({ products }: Redemption) =>
  `<form method="post">${products
    .map(
      ({ id, name }) =>
        `<p><label><input type="radio" name="product" value="${escaped(id)}" required> ${escaped(name)}</label></p>`,
    )
    .join('')}<button>Redeem</button></form>`;

const outcome = ({ status, product, code = '' }: Redemption) =>
  status === 'flagged'
    ? '<p>This reward is being reviewed.</p>'
    : `<p>${escaped(product?.name ?? '')}</p><p>Code: <output>${escaped(code)}</output></p>`;
