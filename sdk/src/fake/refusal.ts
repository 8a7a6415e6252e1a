/** An error of the interface. */
export class Refusal extends Error {
  readonly code: string;
  readonly details: { param?: string; reason?: string; message?: string; order_id?: string };

  constructor(code: string, details: Refusal['details'] = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

export const invalid = (param: string, rule: string): Refusal =>
  new Refusal('parameter_invalid', { param, message: `${param} ${rule}.` });

/** What the act refuses; undefined if it does not. */
export function refusalOf(act: () => void): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
