import { Button } from '@mantine/core';
import type { Preflight, PreflightGate } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { words } from '../../lib/format.ts';
import { type PreflightBody, preflight } from '../../requests/runs/query-runs.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Mark, type Tone } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './checks.module.css';

type Props = {
  /** Definition to check. Undefined while an input is missing. */
  readonly body: PreflightBody | undefined;
  /** Missing input. */
  readonly missing?: string | undefined;
};

const tones: Readonly<{ [verdict in PreflightGate['verdict']]: Tone }> = {
  Passed: 'green',
  Failed: 'red',
  Warned: 'amber',
  NotChecked: 'neutral',
};
const labels: Readonly<{ [gate in PreflightGate['gate']]: string }> = {
  parameters: 'Parameters',
  statement: 'Only reads',
  source: 'Data source',
  engine: 'Tables and columns',
  masking: 'Masking',
  limits: 'Limits',
};

/** Checks of the service before a query runs. They do not run the query. */
export function Checks({ body, missing }: Props) {
  const [checkedBody, setCheckedBody] = useState(body);
  const checked = useQuery(preflight(checkedBody));
  const isChanged = JSON.stringify(checkedBody) !== JSON.stringify(body);
  const again = () => {
    if (isChanged) setCheckedBody(body);
    else void checked.refetch();
  };
  return (
    <section className="stack-tight" aria-label="Checks before a run">
      <div className="row wrap">
        <span role="status" className="grow">
          {missing ?? <Outcome checked={checked.data} isBusy={checked.isFetching} isChanged={isChanged} />}
        </span>
        <Button
          size="compact-sm"
          leftSection={<Icon name="check" size={14} />}
          loading={checked.isFetching}
          disabled={body === undefined || missing !== undefined}
          onClick={again}
        >
          {checked.data ? 'Check again' : 'Check'}
        </Button>
      </div>
      <ProblemNote error={checked.error} />
      {checked.data && <Gates gates={checked.data.gates} />}
    </section>
  );
}

function Outcome({
  checked,
  isBusy,
  isChanged,
}: {
  readonly checked: Preflight | undefined;
  readonly isBusy: boolean;
  readonly isChanged: boolean;
}) {
  if (isBusy) return 'Checking…';
  if (!checked) return '';
  if (isChanged) return 'The query changed since it was checked.';
  return checked.isReady ? 'It would run.' : 'It would not run as it is.';
}

/** Checks in the order of the service. With several steps, they are grouped by step and final query. */
function Gates({ gates }: { readonly gates: readonly PreflightGate[] }) {
  const hasParts = gates.some((gate) => gate.isFinalQuery || (gate.stepOrder ?? 1) > 1);
  const groups: { readonly part: string; readonly gates: PreflightGate[] }[] = [];
  for (const gate of gates) {
    const part = hasParts ? partOf(gate) : '';
    const present = groups.at(-1);
    if (present?.part === part) present.gates.push(gate);
    else groups.push({ part, gates: [gate] });
  }
  return groups.map(({ part, gates: groupGates }) => (
    <div key={groupGates[0]?.gate === 'limits' ? 'limits' : part}>
      {part !== '' && <h3>{part}</h3>}
      <GateList gates={groupGates} />
    </div>
  ));
}

const partOf = ({ stepOrder, isFinalQuery }: PreflightGate): string =>
  isFinalQuery ? 'Final query' : stepOrder === null ? '' : `Step ${stepOrder}`;

const GateList = ({ gates }: { readonly gates: readonly PreflightGate[] }) => (
  <ul className={classes['gates']}>
    {gates.map((gate) => (
      <li key={gate.gate}>
        <span className={classes['gate']}>
          <Mark tone={tones[gate.verdict]} />
          <strong>{labels[gate.gate]}</strong>
          <span className="soft">{words(gate.verdict)}</span>
        </span>
        <span>
          {gate.message}
          {gate.position && (
            <span className="soft">
              {' '}
              Line {gate.position.line}, column {gate.position.column}.
            </span>
          )}
        </span>
        {gate.next !== null && <span className={classes['next']}>{gate.next}</span>}
      </li>
    ))}
  </ul>
);
