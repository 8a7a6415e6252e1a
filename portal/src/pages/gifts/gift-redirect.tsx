import { cleanAddress } from 'bestow-readers/address.ts';
import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { cleanedHint } from '../gift-form/send-draft.ts';
import { giftQuery } from './gift-query.ts';

type Redirect = components['schemas']['GiftPage']['redirect'];

/** Why a gift cannot be sent to another address. */
export const whyNot: Record<NonNullable<Redirect['reason']>, string> = {
  link: 'You share the link of this gift yourself, so there is no address to change.',
  canceled: 'This gift was canceled. It can no longer be claimed.',
  not_failed: 'You can send a gift to another address only if its delivery failed.',
  on_hold: 'This gift is on hold. Release it before you send it to another address.',
  limit_reached: 'This gift has reached the limit of address changes.',
};

const fields = {
  email: { label: 'Email address', type: 'email', placeholder: 'name@example.com' },
  phone: { label: 'Phone number', type: 'tel', placeholder: '+1 202 555 0100' },
} as const;

type Method = keyof typeof fields;

interface RedirectDialogProps {
  giftId: string;
  /** The current method. */
  method: Method;
  /** The gift is not sent yet. */
  isScheduled: boolean;
  onClose: () => void;
}

export function RedirectDialog({ giftId, method: before, isScheduled, onClose }: RedirectDialogProps) {
  const { environment, me } = useScope();
  const [method, setMethod] = useState<Method>(before);
  const [address, setAddress] = useState('');
  const clean = cleanAddress(method, address);
  const redirect = useRedirect(giftId, isScheduled, onClose);
  const { error } = redirect;
  const isAboutField = error instanceof ApiError && error.param === method;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isScheduled ? 'Change address' : 'Send to another address'}
      description={
        isScheduled
          ? 'The gift goes to the new address at its time.'
          : 'We send the gift again with a new link. Links in earlier messages stop working, because the wrong person may have them.'
      }
    >
      <DialogForm
        noValidate
        onSubmit={() => redirect.mutate({ method, address: clean.address })}
        onCancel={onClose}
        error={isAboutField ? null : error}
        isBusy={redirect.isPending}
        action={isScheduled ? 'Change address' : 'Send gift'}
        isIncomplete={clean.address === ''}
      >
        <SelectField
          label="Method"
          value={method}
          onChange={(chosen) => {
            setMethod(chosen);
            setAddress('');
            redirect.reset();
          }}
          options={[
            { value: 'email', label: 'Email' },
            { value: 'phone', label: 'Text message' },
          ]}
        />
        <TextField
          key={method}
          {...fields[method]}
          value={address}
          onChange={setAddress}
          autoComplete="off"
          spellCheck={false}
          error={isAboutField ? asSentence(error.message) : undefined}
          hint={
            cleanedHint(clean) ??
            (environment === 'sandbox' && method === 'email'
              ? `Use delivered@${me.service.sandbox_mail_domain} to simulate a delivery.`
              : undefined)
          }
        />
      </DialogForm>
    </Dialog>
  );
}

function useRedirect(giftId: string, isScheduled: boolean, onDone: () => void) {
  const { path } = useScope();
  return useAct({
    send: ({ method, address }: { method: Method; address: string }) =>
      unwrap(
        api.PUT(`${SCOPE_PATH}/gifts/{gift_id}/delivery`, {
          params: { path: { ...path, gift_id: giftId } },
          body: method === 'email' ? { method, email: address } : { method, phone: address },
        }),
      ),
    shows: giftQuery(path, giftId).queryKey,
    waits: false,
    done: ({ gift }) => `${isScheduled ? 'Address changed' : 'Gift sent'} to ${gift.address}.`,
    onDone,
  });
}

/** The server's messages about a field begin with its name in lower case. */
const asSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
