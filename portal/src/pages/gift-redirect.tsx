import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { usePlace } from '../layout/use-place.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { FormError, SelectField, TextField } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import { giftQueryKey } from './gift-query.ts';

type Redirect = components['schemas']['GiftHistory']['redirect'];

/** Why a gift may not be sent to another address, for the person. */
export const whyNot: Record<NonNullable<Redirect['reason']>, string> = {
  link: 'You hand the link of this gift out yourself, so there is no address to change.',
  not_failed: 'Only a gift that could not be delivered can be sent to another address.',
  limit_reached: 'It was sent to other addresses as often as is allowed.',
};

const fields = {
  email: { label: 'Email address', type: 'email', placeholder: 'name@example.com' },
  phone: { label: 'Phone number', type: 'tel', placeholder: '+1 202 555 0100' },
} as const;

type Method = keyof typeof fields;

interface RedirectDialogProps {
  giftId: string;
  /** How it was sent before. */
  method: Method;
  onClose: () => void;
}

export function RedirectDialog({ giftId, method: before, onClose }: RedirectDialogProps) {
  const { path, environment, me } = usePlace();
  const [method, setMethod] = useState<Method>(before);
  const [address, setAddress] = useState('');
  const queryClient = useQueryClient();
  const say = useToast();
  const redirect = useMutation({
    mutationFn: () => {
      const text = address.trim();
      return unwrap(
        api.PUT('/portal/api/organizations/{organization_id}/{environment}/gifts/{gift_id}/delivery', {
          params: { path: { ...path, gift_id: giftId } },
          body: method === 'email' ? { method, email: text } : { method, phone: text },
        }),
      );
    },
    onSuccess: (history) => {
      queryClient.setQueryData(giftQueryKey(path, giftId), history);
      say(`The gift goes to ${history.gift.address}.`);
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['gifts'] });
    },
  });
  const { error } = redirect;
  const isAboutField = error instanceof ApiError && error.param === method;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Send to another address"
      description="The gift is sent anew. Links in earlier messages end, because the wrong person may have them."
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          redirect.mutate();
        }}
      >
        <SelectField
          label="By"
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
            environment === 'sandbox' && method === 'email'
              ? `To see it arrive: delivered@${me.service.sandbox_mail_domain}`
              : undefined
          }
        />
        <FormError error={isAboutField ? null : error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={redirect.isPending} disabled={address.trim() === ''}>
            Send the gift
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The server's sentences about a field begin with its name, as a program knows it. */
const asSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
