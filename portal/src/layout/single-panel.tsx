import type { ReactNode } from 'react';
import { servicePath } from '../base/address.ts';
import { WordmarkPicture } from './wordmark.tsx';

/** A page with one panel, before the person has chosen an organization. */
export const SinglePanel = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid min-h-dvh content-start justify-items-center border-t-6 border-accent px-4 py-12 sm:content-center">
    <header>
      <a href={`${servicePath}/`} aria-label="Bestow, home page">
        <WordmarkPicture />
      </a>
    </header>
    <main className="mt-8 w-full max-w-md rounded-2xl border border-line bg-surface p-6 shadow-soft sm:p-8">
      <h1 className="text-2xl leading-8 wrap-anywhere">{title}</h1>
      {children}
    </main>
  </div>
);
