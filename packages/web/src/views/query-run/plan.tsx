import { Button } from '@mantine/core';
import type { StepPlan } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, plural } from '../../lib/format.ts';
import { type PreflightBody, plans } from '../../requests/runs/query-runs.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Sentence } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './plan.module.css';

type Props = {
  /** Definition to explain. Undefined while an input is missing. */
  readonly body: PreflightBody | undefined;
  /** Missing input. */
  readonly missing?: string | undefined;
};

/** Plan of each step's engine: a tree with estimated rows and costs. It does not run the query. */
export function Plan({ body, missing }: Props) {
  const [explainedBody, setExplainedBody] = useState(body);
  const answered = useQuery(plans(explainedBody));
  const isChanged = JSON.stringify(explainedBody) !== JSON.stringify(body);
  const again = () => {
    if (isChanged) setExplainedBody(body);
    else void answered.refetch();
  };
  return (
    <section className="stack-tight" aria-label="Plan">
      <div className="row wrap">
        <span role="status" className="grow">
          {missing ??
            (answered.isFetching
              ? 'Asking the engine…'
              : answered.data && isChanged
                ? 'The query changed since it was explained.'
                : '')}
        </span>
        <Button
          size="compact-sm"
          leftSection={<Icon name="columns" size={14} />}
          loading={answered.isFetching}
          disabled={body === undefined || missing !== undefined}
          onClick={again}
        >
          {answered.data ? 'Explain again' : 'Explain'}
        </Button>
      </div>
      <ProblemNote error={answered.error} />
      {answered.data?.steps.map((step) => (
        <Step key={step.stepOrder} step={step} hasSeveral={answered.data.steps.length > 1} />
      ))}
    </section>
  );
}

const numbers = (step: StepPlan): string =>
  [
    step.estimatedRows === null ? undefined : `about ${plural(Math.round(step.estimatedRows), 'row')}`,
    step.estimatedCost === null ? undefined : `cost ${costText(step.estimatedCost)}`,
  ]
    .filter(Boolean)
    .join(', ');

/** Formats a cost. Small costs have decimals, because units differ by engine. */
const costText = (cost: number): string => (cost < 10 ? cost.toFixed(2) : count(Math.round(cost)));

function Step({ step, hasSeveral }: { readonly step: StepPlan; readonly hasSeveral: boolean }) {
  const about = numbers(step);
  return (
    <div className="stack-tight">
      {hasSeveral && <h3>{`Step ${step.stepOrder} on ${step.dataSourceName}`}</h3>}
      {step.message !== null && (
        <Sentence tone={step.outcome === 'Refused' ? 'red' : 'neutral'}>
          {step.position === null
            ? step.message
            : `${step.message} Line ${step.position.line}, column ${step.position.column}.`}
        </Sentence>
      )}
      {step.nodes.length > 0 && (
        <>
          {about !== '' && <p className="soft">{`${step.engine} expects ${about}.`}</p>}
          <Tree step={step} />
        </>
      )}
    </div>
  );
}

/** Tree of a plan. The cost of a node includes its children. The bar shows its share of the total. */
function Tree({ step }: { readonly step: StepPlan }) {
  const totalCost = Math.max(0, ...step.nodes.map((node) => node.estimatedCost ?? 0));
  const hasCosts = totalCost > 0;
  const hasRows = step.nodes.some((node) => node.estimatedRows !== null);
  return (
    <table className={classes['tree']} aria-label={`Plan of step ${step.stepOrder}`}>
      <thead>
        <tr>
          <th scope="col">What is done</th>
          {hasRows && <th scope="col">Rows</th>}
          {hasCosts && <th scope="col">Cost</th>}
        </tr>
      </thead>
      <tbody>
        {step.nodes.map((node, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a node has no name of its own, and the list never changes
          <tr key={at}>
            <th scope="row" style={{ paddingInlineStart: 4 + Math.min(node.depth, 12) * 12 }}>
              <span className="visually-hidden">{`Level ${node.depth + 1}: `}</span>
              {node.label}
            </th>
            {hasRows && <td>{node.estimatedRows === null ? '' : count(Math.round(node.estimatedRows))}</td>}
            {hasCosts && (
              <td>
                {node.estimatedCost !== null && (
                  <>
                    {costText(node.estimatedCost)}
                    <span
                      className={classes['share']}
                      style={{ inlineSize: `${Math.round((node.estimatedCost / totalCost) * 100)}%` }}
                    />
                  </>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
