import { useState } from 'react';
import { ApiError, unwrap } from '../../../api/client.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { MoneyField, parseMoney } from '../../../ui/money-field.tsx';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useSession } from '../../api/use-session.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import { shellWord } from '../../layout/shell-word.ts';
import { type Environment, environmentNames, type Organization } from './organization-query.ts';

type Kind = 'funding' | 'adjustment';
type Change = components['schemas']['OperatedChange'];
type Direction = 'add' | 'take';

const MOST_CENTS = Number.MAX_SAFE_INTEGER;

interface BalanceDialogProps {
  kind: Kind;
  organization: Organization;
  environment: Environment;
  onClose: () => void;
}

const words = {
  funding: {
    title: 'Add funds to',
    description: 'The organization can spend the amount at once, and all members see the entry with your reason.',
    action: 'Add funds',
    command: 'add',
  },
  adjustment: {
    title: 'Correct',
    description: 'For an entry that was wrong. The ledger keeps both entries, and all members see your reason.',
    action: 'Correct balance',
    command: 'adjust',
  },
} as const;

/** Adds funds or corrects a balance. An unusual amount is asked for once more. */
export function BalanceDialog({ kind, organization, environment, onClose }: BalanceDialogProps) {
  const { currency } = useSession().service;
  const { text, setText, direction, setDirection, reference, setReference, cents } = useFields(currency);
  const [isAsked, setIsAsked] = useState(false);
  const { title, description, action, command } = words[kind];
  const { organization_id } = organization;
  const send = async (reason: string): Promise<Change> => {
    const body = { kind, amount: cents ?? 0, reference: reference.trim(), reason, ...(isAsked && { is_sure: true }) };
    return unwrap(
      operatorApi.POST('/operator/api/organizations/{organization_id}/{environment}/balance', {
        params: { path: { organization_id, environment } },
        body,
      }),
    ).catch((error: unknown) => {
      if (error instanceof ApiError && error.param === 'is_sure') setIsAsked(true);
      throw error;
    });
  };
  return (
    <ActDialog
      onClose={onClose}
      title={`${title} the ${environment} balance of “${organization.name}”`}
      description={description}
      action={isAsked ? 'Yes, this amount' : action}
      isDanger={isAsked}
      readBy="organization"
      command={(reason) =>
        `bestow balance ${command} --org ${organization_id} --environment ${environment} --amount ${cents ?? '…'} --reference ${shellWord(reference.trim() || '…')} --note ${reason} --yes`
      }
      isIncomplete={cents === undefined || reference.trim() === ''}
      send={send}
      done={(change) => outcomeOf(change, currency, environmentNames[environment])}
    >
      {kind === 'adjustment' && (
        <SelectField<Direction>
          label="Direction"
          value={direction}
          onChange={setDirection}
          options={[
            { value: 'add', label: 'Add to the balance' },
            { value: 'take', label: 'Take from the balance' },
          ]}
        />
      )}
      <MoneyField
        label="Amount"
        currency={currency}
        value={text}
        onChange={(changed) => {
          setText(changed);
          setIsAsked(false);
        }}
        mostCents={MOST_CENTS}
      />
      <TextField
        label="Reference"
        hint="Names this change, such as the bank’s number. The same reference again changes nothing."
        value={reference}
        onChange={setReference}
        maxLength={200}
        autoComplete="off"
        required
      />
    </ActDialog>
  );
}

function useFields(currency: string) {
  const [text, setText] = useState('');
  const [direction, setDirection] = useState<Direction>('add');
  const [reference, setReference] = useState('');
  const amount = parseMoney(text, currency, MOST_CENTS);
  const cents = amount === undefined ? undefined : direction === 'take' ? -amount : amount;
  return { text, setText, direction, setDirection, reference, setReference, cents };
}

function outcomeOf({ state, balance }: Change, currency: string, mode: string): string {
  if (state === 'waiting') return 'The change waits for a second person, who finds it under “Work”.';
  if (state === 'repeated') return 'This reference was used before for the same change, so nothing changed.';
  return balance === null ? 'Done.' : `${mode} balance: ${formatMoney(balance, currency)}.`;
}
