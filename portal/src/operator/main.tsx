import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../layout/query-client.ts';
import { ToastProvider } from '../ui/toast.tsx';
import { router } from './router.tsx';
import './styles.css';

// As in the portal's main.tsx: the style element of a dialog needs the nonce of the policy.
setNonce(document.querySelector<HTMLMetaElement>('meta[name=nonce]')?.content ?? '');

const root = document.getElementById('operator');
if (root === null) throw new Error('The page has no element with the id “operator”.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
