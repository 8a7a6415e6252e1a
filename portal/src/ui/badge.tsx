import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'plain';

const tones: Record<Tone, string> = {
  good: 'bg-good-wash text-good',
  bad: 'bg-bad-wash text-bad',
  warn: 'bg-warn-wash text-warn',
  calm: 'bg-calm-wash text-calm',
  plain: 'bg-sunken text-soft',
};

/** A status in a word. The colour adds nothing that the word does not say. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-full px-2.5 py-0.5 text-[0.8125rem] leading-5 font-semibold whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
