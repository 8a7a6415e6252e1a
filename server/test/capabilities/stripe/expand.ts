import type { Account, Json } from './account.ts';

/** Replaces ids by their objects along paths such as `data.latest_charge.balance_transaction`. */
export function expand(account: Account, answer: Json, paths: string[] = []): Json {
  for (const path of paths) expandPath(account, answer, path.split('.'));
  return answer;
}

function expandPath(account: Account, node: Json, [name = '', ...rest]: string[]): void {
  if (Array.isArray(node)) {
    for (const one of node) expandPath(account, one, [name, ...rest]);
    return;
  }
  const value = node?.[name];
  if (value === undefined || value === null) return;
  if (typeof value === 'string') node[name] = structuredClone(account.objects.get(value) ?? value);
  if (rest.length > 0) expandPath(account, node[name], rest);
}
