import { lazy } from 'react';
import { meQuery } from '../api/me.ts';
import { SignInGate } from './sign-in-gate.tsx';

const ConfirmationDialog = lazy(async () => ({
  default: (await import('./confirmation-dialog.tsx')).ConfirmationDialog,
}));

export const ConfirmationGate = () => <SignInGate signedIn={meQuery.queryKey} dialog={ConfirmationDialog} />;
