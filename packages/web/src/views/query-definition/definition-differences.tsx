import type { DefinitionDifference } from '@svc/contract';
import { useState } from 'react';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import classes from './definition-differences.module.css';

const difference = later(() => import('./line-difference.tsx').then((module) => module.LineDifference));

type Props = {
  readonly parts: readonly DefinitionDifference[];
  /** Label of the left side. `after` is the label of the right side. */
  readonly before: string;
  readonly after: string;
};

/** Differences between two definitions of a query, part by part and side by side. */
export function DefinitionDifferences({ parts, before, after }: Props) {
  return parts.map((part) => (
    <section
      key={`${part.part} ${part.key} ${part.change}`}
      className="stack-tight"
      aria-label={titleOf(part)}
    >
      <h2>{titleOf(part)}</h2>
      {isByLine(part) ? (
        <ByLine part={part} before={before} after={after} />
      ) : (
        <Sides {...{ part, before, after }} />
      )}
    </section>
  ));
}

type PartProps = Omit<Props, 'parts'> & { readonly part: DefinitionDifference };

/** Returns true if both sides have a text that can be compared line by line. */
const isByLine = ({ part, change }: DefinitionDifference): boolean =>
  change === 'Changed' && part !== 'Name' && part !== 'Parameter';

function Sides({ part, before, after }: PartProps) {
  return (
    <div className={classes['sides']}>
      <div>
        {before}
        <pre className={classes['sql']}>{textOf(part.before)}</pre>
      </div>
      <div>
        {after}
        <pre className={classes['sql']}>{textOf(part.after)}</pre>
      </div>
    </div>
  );
}

/** Compares line by line after the code has loaded. Shows both complete texts until then, and after a load failure. */
function ByLine({ part, before, after }: PartProps) {
  const sides = <Sides part={part} before={before} after={after} />;
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return sides;
  return (
    <LazyPart code={difference} fallback={sides} onMissing={() => setMissing(true)}>
      {(LineDifference) => (
        <LineDifference
          before={{ label: before, text: textOf(part.before) }}
          after={{ label: after, text: textOf(part.after) }}
        />
      )}
    </LazyPart>
  );
}

const partNames: Readonly<Record<DefinitionDifference['part'], string>> = {
  Name: 'Name',
  Description: 'Description',
  Step: 'Step',
  FinalQuery: 'Final query',
  Parameter: 'Parameter',
};

function titleOf({ part, key, change, before, after }: DefinitionDifference): string {
  const step = after ?? before;
  const name =
    part === 'Parameter'
      ? ` ${key}`
      : part === 'Step' && step !== null && typeof step === 'object' && 'order' in step
        ? ` ${step.name ?? step.order}`
        : '';
  return `${partNames[part]}${name} ${change.toLowerCase()}`;
}

function textOf(value: DefinitionDifference['before']): string {
  if (value === null || value === '') return 'Empty';
  if (typeof value === 'string') return value;
  if ('sql' in value) {
    const heads = [value.name, value.description].filter(Boolean).join(': ');
    return heads === '' ? value.sql : `-- ${heads}\n${value.sql}`;
  }
  return JSON.stringify(value, null, 2);
}
