export interface Form {
  [name: string]: string | Form | (string | Form)[];
}

/** Reads `a[b][0][c]=1` as Stripe does; repeated `a[]` and numbered `a[0]` are lists. */
export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [name.split('[')[0] ?? '', ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part = '']) => part)];
    put(form, path, value);
  }
  return toLists(form) as Form;
}

function put(form: Form, [first = '', ...rest]: string[], value: string): void {
  const name = first === '' ? String(Object.keys(form).length) : first;
  if (rest.length === 0) form[name] = value;
  else {
    const inner = form[name];
    const next: Form = typeof inner === 'object' ? (inner as Form) : {};
    form[name] = next;
    put(next, rest, value);
  }
}

function toLists(value: string | Form): string | Form | (string | Form)[] {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, toLists(inner as Form)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner as Form) : (Object.fromEntries(entries) as Form);
}
