import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { SelectField } from '../../../ui/field.tsx';
import { MoneyField, moneyText, parseMoney } from '../../../ui/money-field.tsx';
import { operatorApi } from '../../api/client.ts';
import { useSession } from '../../api/use-session.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import type { Organization } from './organization-query.ts';

const MOST_CENTS = Number.MAX_SAFE_INTEGER;
/** The choice of a field that stands for no key. */
const ALL = '';

type OneEnvironment = Organization['environments'][number];

interface CapsDialogProps {
  organization: Organization;
  of: OneEnvironment;
  onClose: () => void;
}

/** Sets what orders may cost in an hour and a day, of all keys together or of one. */
export function CapsDialog({ organization, of, onClose }: CapsDialogProps) {
  const { currency } = useSession().service;
  const { key, choose, hour, setHour, day, setDay } = useFields(of);
  const { organization_id } = organization;
  const { environment } = of;
  const amounts = { hour: readCap(hour, currency), day: readCap(day, currency) };
  const keys = organization.keys.filter((one) => one.environment === environment && one.revoked_at === null);
  return (
    <ActDialog
      onClose={onClose}
      title={`Spending caps of “${organization.name}” in ${environment}`}
      description="Orders above a cap are refused until the hour or the day, in UTC, is over. If you raise a cap, all admins get a mail."
      action="Set caps"
      readBy="organization"
      command={`bestow cap set --org ${organization_id} --environment ${environment}${key === ALL ? '' : ` --key ${key}`} --hour ${amounts.hour ?? 'off'} --day ${amounts.day ?? 'off'} --yes`}
      isIncomplete={amounts.hour === undefined || amounts.day === undefined}
      send={(reason) =>
        unwrap(
          operatorApi.PUT('/operator/api/organizations/{organization_id}/{environment}/spending-caps', {
            params: { path: { organization_id, environment } },
            body: {
              key_id: key === ALL ? null : key,
              hour: amounts.hour ?? null,
              day: amounts.day ?? null,
              reason,
            },
          }),
        )
      }
      done="The caps are set."
    >
      <SelectField
        label="Orders"
        value={key}
        onChange={choose}
        options={[
          { value: ALL, label: 'All orders' },
          ...keys.map(({ key_id, name, hint }) => ({ value: key_id, label: `Key “${name}” (${hint})` })),
        ]}
      />
      <MoneyField
        label="In an hour"
        hint="Empty: no cap."
        currency={currency}
        value={hour}
        onChange={setHour}
        mostCents={MOST_CENTS}
        isOptional
      />
      <MoneyField
        label="In a day"
        hint="Empty: no cap."
        currency={currency}
        value={day}
        onChange={setDay}
        mostCents={MOST_CENTS}
        isOptional
      />
    </ActDialog>
  );
}

function useFields({ caps }: OneEnvironment) {
  const textsOf = (key: string) => {
    const found = caps.find(({ key_id }) => (key_id ?? ALL) === key);
    return { hour: textOf(found?.hour), day: textOf(found?.day) };
  };
  const [key, setKey] = useState(ALL);
  const [texts, setTexts] = useState(() => textsOf(ALL));
  return {
    key,
    choose: (next: string) => {
      setKey(next);
      setTexts(textsOf(next));
    },
    ...texts,
    setHour: (hour: string) => setTexts({ ...texts, hour }),
    setDay: (day: string) => setTexts({ ...texts, day }),
  };
}

const textOf = (cap: { cap: number } | null | undefined) => (cap ? moneyText(cap.cap) : '');

/** Returns null for no cap, and undefined for a text that is no amount. */
const readCap = (text: string, currency: string) =>
  text.trim() === '' ? null : parseMoney(text, currency, MOST_CENTS);
