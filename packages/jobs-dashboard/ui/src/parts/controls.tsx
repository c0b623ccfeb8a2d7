import type { JobState } from '@svc/jobs';
import type { ButtonHTMLAttributes } from 'react';
import { stateTone, stateWord, type Tone } from '../lib/states.ts';
import classes from './controls.module.css';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly kind?: 'default' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'normal' | 'small';
};

/** Button. It submits no form unless `type` is `submit`. */
export function Button({ kind = 'default', size = 'normal', ...rest }: ButtonProps) {
  return <button type="button" className={classes['button']} data-kind={kind} data-size={size} {...rest} />;
}

const glyphs: Readonly<Record<Tone, string>> = {
  // Each tone has its own shape, so that it is distinguishable without colour.
  green: 'M6 1.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9Z',
  amber: 'M6 1 11.500 10.500H.500L6 1Z',
  red: 'M1.500 1.500h9v9h-9z',
  blue: 'M6 .800 11.200 6 6 11.200.800 6 6 .800Z',
  neutral: 'M1 5h10v2H1z',
};

/** Mark of a state: a shape and a colour, shown next to its name. */
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

/** State with mark and name. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={classes['status']}>
      <Mark tone={tone} />
      <span>{children}</span>
    </span>
  );
}

type StateProps = { readonly state: JobState; readonly isCancelling?: boolean };

/** State of a job. A running job with a requested cancellation is shown as cancelling. */
export function State({ state, isCancelling = false }: StateProps) {
  if (isCancelling && state === 'Processing') return <Status tone="amber">Cancelling</Status>;
  return <Status tone={stateTone[state]}>{stateWord[state]}</Status>;
}

/** Label in small print. */
export function Tag({ children }: { readonly children: string }) {
  return <span className={classes['tag']}>{children}</span>;
}

type SegmentsProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly onChange: (value: T) => void;
};

/** Selection among a few options. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  return (
    <fieldset className={classes['segments']} aria-label={label}>
      {options.map(([option, word]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {word}
        </button>
      ))}
    </fieldset>
  );
}

/** Progress bar. */
export function Progress({ share, label }: { readonly share: number; readonly label: string }) {
  return <progress className={classes['progress']} max={1} value={share} aria-label={label} />;
}

export const fieldClass = classes['field'];
export const selectClass = classes['select'];
