import { lazy } from 'react';
import { SignInGate } from '../../layout/sign-in-gate.tsx';
import { sessionQuery } from '../api/session.ts';

const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog }));

export const AskedSignIn = () => <SignInGate signedIn={sessionQuery.queryKey} dialog={ProofDialog} />;
