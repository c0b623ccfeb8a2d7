import type { ReactNode } from 'react';
import classes from './status.module.css';

export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'neutral';

const glyphs: Readonly<Record<Tone, string>> = {
  // Each tone has its own shape, so that the meaning does not depend on colour.
  green: 'M6 1.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9Z',
  amber: 'M6 1 11.500 10.500H.500L6 1Z',
  red: 'M1.500 1.500h9v9h-9z',
  blue: 'M6 .800 11.200 6 6 11.200.800 6 6 .800Z',
  neutral: 'M1 5h10v2H1z',
};

/** Symbol of a state, with a shape and a colour. A word follows it. */
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

/** State: symbol and word. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={classes['status']} data-tone={tone}>
      <Mark tone={tone} />
      <span>{children}</span>
    </span>
  );
}

/** Warning or notice: symbol and text, which can have several lines. */
export function Sentence({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <p className={classes['sentence']}>
      <Mark tone={tone} />
      <span>{children}</span>
    </p>
  );
}

/**
 * Fact in small print, such as a role or a kind. It has no colour, because it is not a state. `isLong` permits several
 * lines.
 */
export function Tag({ children, isLong }: { readonly children: ReactNode; readonly isLong?: boolean }) {
  return <span className={isLong ? `${classes['tag']} ${classes['long']}` : classes['tag']}>{children}</span>;
}
