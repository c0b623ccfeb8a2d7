import type { ReactNode } from 'react';
import classes from './status.module.css';

export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'neutral';

const glyphs: Readonly<Record<Tone, string>> = {
  // Each tone has a shape of its own, so that it reads without colour.
  green: 'M6 1.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9Z',
  amber: 'M6 1 11.500 10.500H.500L6 1Z',
  red: 'M1.500 1.500h9v9h-9z',
  blue: 'M6 .800 11.200 6 6 11.200.800 6 6 .800Z',
  neutral: 'M1 5h10v2H1z',
};

/** The drawn mark of a state: a shape and a colour. Stands beside its word. */
export function Mark({ tone }: { readonly tone: Tone }) {
  return (
    <svg
      width="9"
      height="9"
      viewBox="0 0 12 12"
      className={classes['mark']}
      data-tone={tone}
      aria-hidden="true"
    >
      <path d={glyphs[tone]} fill="currentColor" />
    </svg>
  );
}

/** A state: mark and word. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={classes['status']} data-tone={tone}>
      <Mark tone={tone} />
      <span>{children}</span>
    </span>
  );
}

/** A sentence that warns or tells: mark and words, over as many lines as they take. */
export function Sentence({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <p className={classes['sentence']}>
      <Mark tone={tone} />
      <span>{children}</span>
    </p>
  );
}

/** A fact in small print: a role, a kind. No state, so no colour. A long one is told over several lines. */
export function Tag({ children, isLong }: { readonly children: ReactNode; readonly isLong?: boolean }) {
  return <span className={isLong ? `${classes['tag']} ${classes['long']}` : classes['tag']}>{children}</span>;
}
