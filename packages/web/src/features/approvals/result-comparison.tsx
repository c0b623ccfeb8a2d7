import { Button } from '@mantine/core';
import { compareApproval, type QueryApproval, type ResultComparison } from '@svc/contract';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { type ParameterValue, setValues } from '../../views/query-run/parameter-values.ts';
import { ParametersPanel } from '../../views/query-run/parameters-panel.tsx';
import classes from './result-comparison.module.css';

/** Runs both definitions and shows which masked rows differ. */
export function CompareResults({ record }: { readonly record: QueryApproval }) {
  const compare = useChange(compareApproval);
  const [values, setValue] = useState<Readonly<{ [name: string]: ParameterValue }>>({});
  if (!record.canCompare)
    return (
      <p className="soft">
        You do not read the project of this query, so its rows are not shown to you. What changed is above.
      </p>
    );
  const run = () =>
    // The refusal is shown below.
    compare
      .mutateAsync({ params: { id: record.id }, body: { parameters: setValues(values) } })
      .catch(() => undefined);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {record.proposed.parameters.length > 0 && (
        <ParametersPanel
          parameters={record.proposed.parameters}
          values={values}
          onValue={(name, value) => setValue((before) => ({ ...before, [name]: value }))}
        />
      )}
      <div>
        <Button type="submit" loading={compare.isPending}>
          Run both and compare
        </Button>
      </div>
      <ProblemNote error={compare.error} />
      {compare.data && <Compared result={compare.data} />}
    </form>
  );
}

function Compared({ result }: { readonly result: ResultComparison }) {
  const { before, after, unchangedCount, addedCount, removedCount, changedCount } = result;
  const isCut = !after.isComplete || before?.isComplete === false;
  const figures = [
    ['Added', addedCount],
    ['Removed', removedCount],
    ['Changed', changedCount],
    ['Unchanged', unchangedCount],
  ] as const;
  return (
    <section className="stack" aria-label="Comparison of results" role="status">
      <dl className={classes['figures']}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="soft">{label}</dt>
            <dd className="mono">{count(value)}</dd>
          </div>
        ))}
      </dl>
      {isCut && (
        <p className="soft">A result has more rows than a comparison reads: these are of its first rows.</p>
      )}
      <Columns result={result} />
      <Rows label="Added rows" result={result} rows={result.added} count={addedCount} />
      <Rows label="Removed rows" result={result} rows={result.removed} count={removedCount} />
      <Rows
        label="Changed rows, each before and after"
        result={result}
        rows={result.changed.flatMap((one) => [one.before, one.after])}
        count={changedCount}
      />
    </section>
  );
}

const changeWords = { Added: 'is new', Removed: 'is gone', Retyped: 'is of another type' } as const;

function Columns({ result: { columns } }: { readonly result: ResultComparison }) {
  const changed = columns.flatMap(({ name, change }) =>
    change === null ? [] : [`${name} ${changeWords[change]}`],
  );
  return changed.length === 0 ? null : <p>Columns: {changed.join(', ')}.</p>;
}

type RowsProps = {
  readonly label: string;
  readonly result: ResultComparison;
  readonly rows: readonly (readonly unknown[])[];
  readonly count: number;
};

function Rows({ label, result, rows, count: all }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <section className="stack-tight" aria-label={label}>
      <h2>
        {label} <span className="mono soft">{count(all)}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A wide table is scrolled by keyboard too. */}
      <section className={classes['frame']} tabIndex={0} aria-label={`${label}, table`}>
        <table className={classes['table']}>
          <thead>
            <tr>
              {result.columns.map(({ name, isMasked }) => (
                <th key={name} scope="col">
                  {name}
                  {isMasked && <span className="soft"> masked</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: Rows of a result have no other name.
              <tr key={index}>
                {result.columns.map(({ name }, column) => (
                  <td key={name}>{textOf(row[column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

const textOf = (cell: unknown): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
