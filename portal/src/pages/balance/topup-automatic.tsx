import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField } from '../../ui/field.tsx';
import { formatRoundMoney } from '../../ui/formats.ts';
import { MoneyField, moneyText, parseMoney } from '../../ui/money-field.tsx';
import { Panel } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useCards } from './topup-cards.tsx';

type Options = components['schemas']['TopupOptions'];
type Rule = components['schemas']['AutomaticTopup'];
type Card = components['schemas']['SavedCard'];

const reasons = {
  failures: 'Switched off after two failed charges.',
  dispute: 'Switched off after a chargeback.',
} as const;

/** Shows and changes when a saved card is charged. */
export function AutomaticPanel({ options }: { options: Options | undefined }) {
  const { may } = useScope();
  const [isChanging, setIsChanging] = useState(false);
  const cards = useCards().data?.data ?? [];
  return (
    <Panel
      title="Automatic top-ups"
      actions={
        may('pay') &&
        options !== undefined && (
          <Button size="small" onClick={() => setIsChanging(true)} disabled={cards.length === 0}>
            {options.automatic?.is_on ? 'Change' : 'Set up'}
            <span className="sr-only"> automatic top-ups</span>
          </Button>
        )
      }
    >
      {options === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <RuleText rule={options.automatic} hasCard={cards.length > 0} />
      )}
      {isChanging && options !== undefined && (
        <RuleDialog options={options} cards={cards} onClose={() => setIsChanging(false)} />
      )}
    </Panel>
  );
}

function RuleText({ rule, hasCard }: { rule: Rule | null; hasCard: boolean }) {
  const { currency } = useScope();
  if (rule === null) return <p className="text-soft">{hasCard ? 'Off' : 'Off. Add a card first.'}</p>;
  const money = (cents: number) => (
    <strong className="whitespace-nowrap tabular-nums">{formatRoundMoney(cents, currency)}</strong>
  );
  return (
    <>
      <p className="mb-2">{rule.is_on ? <Badge tone="good">On</Badge> : <Badge tone="plain">Off</Badge>}</p>
      <p>
        Below {money(rule.threshold)}, <span className="capitalize">{rule.card}</span> is charged{' '}
        {rule.method === 'fixed' ? <>for {money(rule.amount)}</> : <>so that the balance is {money(rule.amount)}</>}; at
        most {money(rule.monthly_cap)} in a month (UTC).
      </p>
      {rule.off_reason !== null && <p className="mt-2 text-bad">{reasons[rule.off_reason]}</p>}
    </>
  );
}

/** What the form holds; amounts as typed. */
interface Draft {
  method: Rule['method'];
  threshold: string;
  amount: string;
  cap: string;
  card: string;
}

function firstDraft(rule: Rule | null, cards: readonly Card[]): Draft {
  const saved = cards.find((card) => card.payment_method_id === rule?.payment_method_id) ?? cards[0];
  const card = saved?.payment_method_id ?? '';
  if (rule === null) return { method: 'fixed', threshold: '500.00', amount: '1000.00', cap: '5000.00', card };
  const { method, threshold, amount, monthly_cap } = rule;
  return {
    method,
    threshold: moneyText(threshold),
    amount: moneyText(amount),
    cap: moneyText(monthly_cap),
    card,
  };
}

/** Returns undefined if an amount is not one. */
function readDraft({ method, threshold, amount, cap, card }: Draft, currency: string, largest: number) {
  const cents = { threshold: parseMoney(threshold, currency, largest), amount: parseMoney(amount, currency, largest) };
  const monthly_cap = parseMoney(cap, currency);
  if (cents.threshold === undefined || cents.amount === undefined || monthly_cap === undefined) return undefined;
  return { method, threshold: cents.threshold, amount: cents.amount, monthly_cap, payment_method_id: card };
}

type RuleInput = NonNullable<ReturnType<typeof readDraft>>;

function RuleDialog({ options, cards, onClose }: { options: Options; cards: readonly Card[]; onClose: () => void }) {
  const { organizationId, currency } = useScope();
  const [draft, setDraft] = useState(() => firstDraft(options.automatic, cards));
  const read = readDraft(draft, currency, options.largest);
  const change = useAct({
    send: (rule: RuleInput | null) =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/live/topups/automatic`, {
          params: { path: { organization_id: organizationId } },
          body: { rule },
        }),
      ),
    done: (_answer, rule) => (rule === null ? 'Automatic top-ups are off.' : 'Automatic top-ups are on.'),
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Automatic top-ups"
      description="We charge the card by ourselves, and email all admins if the bank refuses or asks."
    >
      <DialogForm
        onSubmit={() => read !== undefined && change.mutate(read)}
        onCancel={onClose}
        error={change.error}
        isBusy={change.isPending}
        action={options.automatic?.is_on ? 'Save' : 'Switch on'}
        isIncomplete={read === undefined}
        noValidate
        extraButton={
          options.automatic?.is_on && (
            <Button variant="danger" onClick={() => change.mutate(null)} isBusy={change.isPending}>
              Turn off
            </Button>
          )
        }
      >
        <RuleFields draft={draft} onChange={setDraft} cards={cards} largest={options.largest} />
      </DialogForm>
    </Dialog>
  );
}

interface RuleFieldsProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  cards: readonly Card[];
  largest: number;
}

function RuleFields({ draft, onChange, cards, largest }: RuleFieldsProps) {
  const { currency } = useScope();
  const set =
    <Name extends keyof Draft>(name: Name) =>
    (value: Draft[Name]) =>
      onChange({ ...draft, [name]: value });
  const money = (name: 'threshold' | 'amount' | 'cap', label: string, mostCents: number) => (
    <MoneyField label={label} currency={currency} value={draft[name]} onChange={set(name)} mostCents={mostCents} />
  );
  return (
    <>
      {money('threshold', 'If the balance falls below', largest)}
      <SelectField
        label="Then"
        value={draft.method}
        onChange={set('method')}
        options={[
          { value: 'fixed', label: 'add an amount' },
          { value: 'target', label: 'fill up to an amount' },
        ]}
      />
      {money('amount', 'Amount', largest)}
      {money('cap', 'At most per month', Number.MAX_SAFE_INTEGER)}
      <SelectField
        label="Card"
        value={draft.card}
        onChange={set('card')}
        options={cards.map((one) => ({ value: one.payment_method_id, label: one.card }))}
      />
    </>
  );
}
