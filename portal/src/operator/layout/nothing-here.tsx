import type { ReactNode } from 'react';

/** A short list that is empty, which is often good news: it takes one line, because a page has several. */
export const NothingHere = ({ children }: { children: ReactNode }) => <p className="text-soft">{children}</p>;
