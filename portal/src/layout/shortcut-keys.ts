/** Whether single keys act. People who dictate text turn them off (WCAG 2.1.4). */
const STORED = 'bestow.keys';

export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(STORED) !== 'off';
  } catch {
    return true;
  }
}

export function turnKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, 'off');
  } catch {
    // Without storage the keys stay on.
  }
}
