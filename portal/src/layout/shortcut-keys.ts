/** Whether single keys act. People who dictate text turn them off (WCAG 2.1.4). */
export const KEYS_STORED = 'bestow.keys';

export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(KEYS_STORED) !== 'off';
  } catch {
    return true;
  }
}
