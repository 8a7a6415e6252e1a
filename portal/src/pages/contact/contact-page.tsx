import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { type Contact, useContact, useMaySend } from '../../api/contacts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { languageName } from '../../ui/languages.ts';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { addressOf, dayText } from '../contacts/contact.ts';
import { ContactDialog } from '../contacts/contact-dialog.tsx';
import { RemoveContact } from '../contacts/contact-remove.tsx';
import { SendToContact } from '../contacts/send-to-contact.tsx';
import { GiftsOfContact } from './gifts-of-contact.tsx';
import { RequestsOfContact } from './requests-of-contact.tsx';
import { YearlyGiftsOfContact } from './yearly-gifts-of-contact.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/contacts/$contactId');

/** One contact: who it is, what it got, what comes and what waits. */
export function ContactPage() {
  const { params, may } = useScope();
  const { contactId } = route.useParams();
  const contact = useContact(contactId);
  const isGone = contact.error instanceof ApiError && contact.error.status === 404;
  const shown = isGone ? undefined : contact.data;
  return (
    <Page
      title={shown === undefined ? 'Contact' : (shown.name ?? addressOf(shown))}
      crumb={
        <Link to="/$organizationId/$environment/contacts" params={params}>
          Contacts
        </Link>
      }
      actions={shown && <Actions contact={shown} />}
    >
      {isGone || !may('order', 'request') ? (
        <Panel>
          <EmptyState title={isGone ? 'There is no such contact' : 'Contacts cannot be shown now'}>
            {isGone ? (
              <ButtonLink to="/$organizationId/$environment/contacts" params={params}>
                Show contacts
              </ButtonLink>
            ) : (
              'Only people who may send gifts see them, while the organization is active.'
            )}
          </EmptyState>
        </Panel>
      ) : (
        <>
          <Panel title="Details">
            <Loaded query={contact} lines={4}>
              {(one) => <Facts facts={factsOf(one)} />}
            </Loaded>
          </Panel>
          {shown && (
            <>
              <RequestsOfContact contact={shown} />
              <YearlyGiftsOfContact contact={shown} />
              <GiftsOfContact contact={shown} />
            </>
          )}
        </>
      )}
    </Page>
  );
}

function Actions({ contact }: { contact: Contact }) {
  const { params, may } = useScope();
  const maySend = useMaySend();
  const [change, setChange] = useState<'edit' | 'delete'>();
  const close = () => setChange(undefined);
  return (
    <>
      {may('settings') && (
        <>
          <Button onClick={() => setChange('delete')}>Delete</Button>
          <Button onClick={() => setChange('edit')}>Edit</Button>
        </>
      )}
      {maySend && <SendToContact contact={contact} params={params} size="normal" variant="primary" />}
      {change === 'edit' && <ContactDialog contact={contact} onClose={close} />}
      {change === 'delete' && <RemoveContact contact={contact} onClose={close} />}
    </>
  );
}

const factsOf = (contact: Contact) =>
  (
    [
      ['Address', addressOf(contact)],
      ['Language', contact.language === null ? '' : languageName(contact.language)],
      ['Tags', contact.tags.length === 0 ? '' : <Tags key="tags" tags={contact.tags} />],
      ['Birthday', dayText(contact.birthday)],
      ['First day of work', dayText(contact.work_anniversary)],
      ['Your reference', contact.external_id ?? ''],
    ] as const
  ).filter(([, value]) => value !== '');

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className="flex flex-wrap gap-1.5">
    {tags.map((tag) => (
      <Badge key={tag} tone="plain">
        {tag}
      </Badge>
    ))}
  </span>
);
