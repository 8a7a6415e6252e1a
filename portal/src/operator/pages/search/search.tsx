import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { SearchField } from '../../../ui/filters.tsx';
import { Panel } from '../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { operatorApi } from '../../api/client.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { shellWord } from '../../layout/shell-word.ts';
import { FoundGifts } from './found-gifts.tsx';
import { FoundOrganizations } from './found-organizations.tsx';
import { type Found, FoundRequest, FoundTopup } from './found-records.tsx';
import { PersonPanel } from './person-panel.tsx';

// Not in the URL, because it may be a person's address, a link or a code. Kept for the way back from a result.
let lastSought = '';

/** One search over all organizations. */
export function SearchPage() {
  const [text, setText] = useState(lastSought);
  const [sought, setSought] = useState(lastSought);
  const search = (wanted: string) => {
    lastSought = wanted;
    setSought(wanted);
  };
  const found = useQuery({
    queryKey: ['search', sought],
    queryFn: () => unwrap(operatorApi.POST('/operator/api/search', { body: { query: sought } })),
    enabled: sought !== '',
    // Each search is in the log.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <OperatorPage
      title="Search"
      description="Everything that a customer may name, in all organizations. The log has each search, without whole addresses, links and codes."
    >
      <Panel>
        <SearchField label="What the customer gave you" text={text} onText={setText} onSearch={search} />
        <p className="mt-2 text-sm text-soft">
          An ID of an organization, order, gift, card, request or top-up; a name of an organization; an external ID; an
          idempotency key; an email address or phone number; a gift’s link or code.
        </p>
        <CommandLine command={`bestow gift find ${isPlain(sought) ? shellWord(sought) : '…'}`} />
      </Panel>
      {sought !== '' && (
        <Loaded query={found} lines={6}>
          {(all) => <Results found={all} />}
        </Loaded>
      )}
      <PersonPanel address={isAddress(sought) ? sought : ''} />
    </OperatorPage>
  );
}

/** An ID or an address. A link or a code must not be an argument of a command: it goes to standard input. */
const isPlain = (text: string) => /^[a-z]+_[0-9a-z]{26}$/i.test(text) || isAddress(text);

const isAddress = (text: string) => text.includes('@') || /^\+\d[\d ]+$/.test(text);

function Results({ found }: { found: Found }) {
  const { organizations, gifts, members, request, topup } = found;
  const isEmpty = organizations.length + gifts.length + members.length === 0 && request === null && topup === null;
  if (isEmpty)
    return (
      <Panel>
        <EmptyState title="Nothing found">
          Give a whole ID, reference or address. Only names of organizations are found by a part.
        </EmptyState>
      </Panel>
    );
  return (
    <>
      {(organizations.length > 0 || members.length > 0) && (
        <FoundOrganizations organizations={organizations} members={members} />
      )}
      {gifts.length > 0 && <FoundGifts gifts={gifts} />}
      {request !== null && <FoundRequest request={request} />}
      {topup !== null && <FoundTopup topup={topup} />}
    </>
  );
}
