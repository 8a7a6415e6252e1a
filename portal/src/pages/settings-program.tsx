import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { useScope } from '../layout/use-scope.ts';
import { Button } from '../ui/button.tsx';
import { FormError, SelectField, TextField } from '../ui/field.tsx';
import { type Language, languageChoices } from '../ui/languages.ts';
import { Panel } from '../ui/page.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import { useToast } from '../ui/toast.tsx';

type Program = components['schemas']['Program'];

const programs: { value: Program['program']; label: string }[] = [
  { value: 'award', label: 'Awards: we give the gifts' },
  { value: 'sold', label: 'Sold: our customers pay for the gifts' },
];

const valueChoices = [
  { value: 'hidden', label: 'A surprise until the gift is unwrapped' },
  { value: 'shown', label: 'Shown' },
];

const languages = languageChoices('The recipient’s browser’s; messages in English');

/** When unclaimed gifts expire. */
export function ProgramSettings() {
  const { organizationId } = useScope();
  const params = { path: { organization_id: organizationId } };
  const program = useQuery({
    queryKey: ['program', organizationId],
    queryFn: () => unwrap(api.GET(`${ORGANIZATION_PATH}/program`, { params })),
  });
  return (
    <Panel
      title="Unclaimed gifts"
      description="After so many days an unclaimed gift is canceled, and its value returns to the balance. Applies to later orders; you get an email at least a week before."
    >
      {program.data !== undefined ? (
        <ProgramForm key={JSON.stringify(program.data)} program={program.data} />
      ) : program.error === null ? (
        <Skeleton lines={3} />
      ) : (
        <ErrorState error={program.error} onRetry={() => void program.refetch()} />
      )}
    </Panel>
  );
}

const numbersIn = (text: string) => (text.match(/\d+/g) ?? []).map(Number);

const expiryText = ({ unclaimed_after_days: days }: Program) =>
  days === null ? 'Gifts do not expire.' : `Gifts expire after ${days} days.`;

function ProgramForm({ program: before }: { program: Program }) {
  const { mayChange } = useScope();
  const [program, setProgram] = useState(before.program);
  const [days, setDays] = useState(before.unclaimed_after_days?.toString() ?? '');
  const [reminders, setReminders] = useState(before.reminder_days.join(', '));
  const [showsValue, setShowsValue] = useState(before.messages_show_value ? 'shown' : 'hidden');
  const [language, setLanguage] = useState<Language | ''>(before.language ?? '');
  const save = useSave();
  if (!mayChange) return <p>{expiryText(before)}</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({
          program,
          unclaimed_after_days: days.trim() === '' ? null : Number(days),
          reminder_days: numbersIn(reminders),
          messages_show_value: showsValue === 'shown',
          language: language === '' ? null : language,
        });
      }}
      className="max-w-md"
    >
      <SelectField label="Program" value={program} onChange={setProgram} options={programs} />
      <TextField
        label="Days until an unclaimed gift expires"
        value={days}
        onChange={setDays}
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={4}
        hint={`Empty: gifts do not expire. ${program === 'sold' ? '1,826' : '30'} to 3,650 days.`}
      />
      <TextField
        label="Remind recipients after these days"
        value={reminders}
        onChange={setReminders}
        inputMode="numeric"
        pattern="[0-9, ]*"
        maxLength={40}
        hint="Such as 7, 21. Empty: no reminders. Live email and text message gifts only."
      />
      <SelectField
        label="Amount and category in messages"
        value={showsValue}
        onChange={setShowsValue}
        options={valueChoices}
        hint="The gift's page shows them once it is unwrapped."
      />
      <LanguageField value={language} onChange={setLanguage} />
      <FormError error={save.error} />
      <Button type="submit" variant="primary" className="mt-4" disabled={save.isPending}>
        Save
      </Button>
    </form>
  );
}

function LanguageField(props: { value: Language | ''; onChange: (language: Language | '') => void }) {
  return (
    <SelectField
      label="Language of pages and messages"
      options={languages}
      hint="For gifts without their own language. Recipients can choose another on the page."
      {...props}
    />
  );
}

function useSave() {
  const { organizationId } = useScope();
  const queryClient = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: (body: Program) =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/program`, {
          params: { path: { organization_id: organizationId } },
          body,
        }),
      ),
    onSuccess: (saved) => {
      queryClient.setQueryData(['program', organizationId], saved);
      showToast(saved.unclaimed_after_days === null ? 'Saved. Gifts do not expire.' : 'Saved for later orders.');
    },
  });
}
