import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = { readonly label: string; readonly value: ReactNode };

/** Named facts of a record, one per line. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes['facts']}>
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
