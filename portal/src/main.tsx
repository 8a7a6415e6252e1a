import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './layout/query-client.ts';
import { router } from './router.tsx';
import './styles.css';
import { ToastProvider } from './ui/toast.tsx';

// Radix adds a style element that stops the page behind a dialog from scrolling. The content security policy needs its nonce.
setNonce(document.querySelector<HTMLMetaElement>('meta[name=nonce]')?.content ?? '');

const root = document.getElementById('portal');
if (root === null) throw new Error('The page has no element with the id “portal”.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
