import type { useScope } from '../../api/use-scope.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { addressOf, type Contact } from './contact.ts';

interface SendToContactProps {
  contact: Contact;
  params: ReturnType<typeof useScope>['params'];
  size?: 'small' | 'normal';
  variant?: 'primary' | 'secondary';
}

/** Opens the form for a gift with the contact filled in. The URL has the contact's id, never the address. */
export function SendToContact({ contact, params, size = 'small', variant = 'secondary' }: SendToContactProps) {
  return (
    <ButtonLink
      to="/$organizationId/$environment/gifts/send"
      params={params}
      search={{ contact: contact.contact_id }}
      size={size}
      variant={variant}
      aria-label={`Send a gift to ${contact.name ?? addressOf(contact)}`}
    >
      Send a gift
    </ButtonLink>
  );
}
