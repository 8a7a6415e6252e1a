/** What a check found. `fault`: something does not work; `warning`: it works, and should not stay so. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'fault';
  found: string;
  /** What to do about it; null where nothing is to be done. */
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
