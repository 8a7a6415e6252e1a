import { plainHeading } from 'bestow-readers/table.ts';
import type { ReadDay } from './read-contacts.ts';

/** What HR systems write as the status of a person who left, in the ten languages. */
const LEFT = new Set(
  'terminated, inactive, left, former, former employee, resigned, retired, dismissed, deceased, separated, ausgeschieden, inaktiv, gekündigt, ehemalig, parti, sorti, inactif, ancien, inactivo, de baja, baja, cesado, cessato, inattivo, dimesso, desligado, inativo, demitido, uit dienst, inactief, zwolniony, nieaktywny, 退職, 退社, 退職済み, غير نشط, مستقيل'
    .split(', ')
    .map(plainHeading),
);

/**
 * Whether a row says that the person has left: by the status, or by a last day that is over.
 *
 * @returns undefined if the last day cannot be read, or has no year
 */
export function hasLeft(
  { status, last_day }: { status?: string; last_day?: string },
  readDay: ReadDay,
  today = new Date().toISOString().slice(0, 10),
): boolean | undefined {
  const day = last_day === undefined ? null : readDay(last_day);
  if (day === undefined || day?.length === 'MM-DD'.length) return undefined;
  return (status !== undefined && LEFT.has(plainHeading(status))) || (day !== null && day < today);
}
