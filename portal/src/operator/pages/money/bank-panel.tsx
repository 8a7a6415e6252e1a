import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { TextField } from '../../../ui/field.tsx';
import { formatChange, formatDay, formatMoney } from '../../../ui/formats.ts';
import { MoneyField, parseMoney } from '../../../ui/money-field.tsx';
import { Facts, Panel } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import { useSession } from '../../api/use-session.ts';
import { ActButton, ActDialog } from '../../layout/act-dialog.tsx';
import type { Money } from './money-report.ts';

const MOST_CENTS = Number.MAX_SAFE_INTEGER;

/** What the bank holds, as an operator entered it, beside what organizations and recipients have. */
export function BankPanel({ money: { live, bank, at, issuers } }: { money: Money }) {
  const { currency } = useSession().service;
  const held = live.balances + live.unclaimed + live.on_cards;
  const atIssuers = issuers.reduce((sum, { available }) => sum + available, 0);
  return (
    <Panel
      title="Bank"
      description="The service does not ask the bank. Enter what your statement says."
      actions={
        <ActButton label="Enter a balance">
          {(onClose) => <BankDialog day={at.slice(0, 10)} onClose={onClose} />}
        </ActButton>
      }
    >
      <Facts
        facts={[
          ['Held for others', formatMoney(held, currency)],
          ...(bank === null
            ? [['At the bank', 'Not entered yet'] as const]
            : ([
                ['At the bank', `${formatMoney(bank.amount, currency)} on ${formatDay(bank.as_of)}`],
                ['At issuers', formatMoney(atIssuers, currency)],
                [
                  'Difference',
                  <span key="difference" className={bank.amount + atIssuers < held ? 'font-semibold text-bad' : ''}>
                    {formatChange(bank.amount + atIssuers - held, currency)}
                  </span>,
                ],
                [
                  'Entered',
                  <span key="entered">
                    <Time at={bank.created_at} /> by {bank.entered_by}
                  </span>,
                ],
              ] as const)),
        ]}
      />
    </Panel>
  );
}

function BankDialog({ day: shownDay, onClose }: { day: string; onClose: () => void }) {
  const { currency } = useSession().service;
  const [day, setDay] = useState(shownDay);
  const [text, setText] = useState('');
  const cents = parseMoney(text, currency, MOST_CENTS, 0);
  return (
    <ActDialog
      onClose={onClose}
      title="Enter what the bank held"
      description="It stands beside the books of that day. A later entry for the same day replaces it on this page."
      action="Enter balance"
      readBy="operators"
      command={`bestow report bank ${day || '…'} --amount ${cents ?? '…'}`}
      isIncomplete={day === '' || cents === undefined}
      send={(reason) =>
        unwrap(operatorApi.POST('/operator/api/bank-balances', { body: { as_of: day, amount: cents ?? 0, reason } }))
      }
      done="The bank’s balance is entered."
    >
      <TextField label="At the end of" hint="In UTC." type="date" value={day} onChange={setDay} required />
      <MoneyField
        label="Balance"
        currency={currency}
        value={text}
        onChange={setText}
        mostCents={MOST_CENTS}
        leastCents={0}
      />
    </ActDialog>
  );
}
