/** `fault`: something does not work; `warning`: it works but should be fixed. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'fault';
  found: string;
  /** How to fix it; null if ok. */
  advice: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found, advice: null });

export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'warning',
  found,
  advice,
});

export const fault = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'fault',
  found,
  advice,
});
