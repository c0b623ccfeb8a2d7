import { type ReactNode, useEffect, useRef } from 'react';
import classes from './flow-steps.module.css';

const headingId = 'flow-step';

/** One question of the flow. */
export function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="stack" aria-labelledby={headingId}>
      <h2 id={headingId} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

type ListProps = {
  readonly steps: readonly string[];
  readonly at: number;
  readonly onStep: (step: number) => void;
};

/** Questions of a flow. The user can return to earlier ones. */
export function StepList({ steps, at, onStep }: ListProps) {
  return (
    <ol className={classes['steps']}>
      {steps.map((label, index) => (
        <li key={label} data-state={index === at ? 'present' : index < at ? 'done' : 'ahead'}>
          <button
            type="button"
            disabled={index > at}
            aria-current={index === at ? 'step' : undefined}
            onClick={() => onStep(index)}
          >
            <span className="mono">{index + 1}</span> {label}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Focuses the new question, so that screen readers and the keyboard follow the change. */
export function useFocusOnQuestion(at: number): void {
  const before = useRef(at);
  useEffect(() => {
    if (before.current === at) return;
    before.current = at;
    document.getElementById(headingId)?.focus();
  }, [at]);
}
