import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { CapFields, capTexts, readCaps } from '../../../ui/cap-fields.tsx';
import { SelectField } from '../../../ui/field.tsx';

import { operatorApi } from '../../api/client.ts';
import { useSession } from '../../api/use-session.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import type { Organization } from './organization-query.ts';

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
  const [key, setKey] = useState(ALL);
  const capsOf = (keyId: string) => of.caps.find(({ key_id }) => (key_id ?? ALL) === keyId);
  const [texts, setTexts] = useState(() => capTexts(capsOf(ALL)));
  const { organization_id } = organization;
  const { environment } = of;
  const amounts = readCaps(texts, currency);
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
        onChange={(next) => {
          setKey(next);
          setTexts(capTexts(capsOf(next)));
        }}
        options={[
          { value: ALL, label: 'All orders' },
          ...keys.map(({ key_id, name, hint }) => ({ value: key_id, label: `Key “${name}” (${hint})` })),
        ]}
      />
      <CapFields currency={currency} texts={texts} onChange={setTexts} />
    </ActDialog>
  );
}
