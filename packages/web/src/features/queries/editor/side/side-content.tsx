import type { OwnRun } from '@svc/contract';
import { LazyPart, later } from '../../../../ui/feedback/lazy-part.tsx';
import { runOf, usedParameters, whyNotRun } from '../../../../views/query-run/draft.ts';
import { type ParameterValue, setValues } from '../../../../views/query-run/parameter-values.ts';
import { ParametersPanel, type RefusedParameter } from '../../../../views/query-run/parameters-panel.tsx';
import { SchemaBrowser } from '../../../../views/schema/schema-browser.tsx';
import type { KnownTable } from '../../../../views/sql/completion/sql-text.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import classes from '../query-editor.module.css';
import { wholeQuery } from '../runs/use-runs.ts';
import type { SideView } from './side-panel.tsx';

const checksPart = later(() => import('../../../../views/query-run/checks.tsx').then(({ Checks }) => Checks));
const planPart = later(() => import('../../../../views/query-run/plan.tsx').then(({ Plan }) => Plan));
const runsPart = later(() => import('../runs/own-runs.tsx').then(({ OwnRuns }) => OwnRuns));

type Props = {
  readonly view: SideView;
  readonly edited: EditedDraft;
  /** Results of the steps, which the final query can read. */
  readonly stepResults: readonly KnownTable[];
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly onValue: (name: string, value: ParameterValue) => void;
  readonly refused: RefusedParameter;
  /** Restores an earlier run into the editor. */
  readonly onTake: (run: OwnRun) => void;
  /** Called if the code of a view does not load. */
  readonly onMissing: () => void;
};

/** Content of the side panel: tables, parameters, checks before a run, plan, or earlier runs of the user. */
export function SideContent(props: Props) {
  const { view, edited, stepResults, values, onValue, refused, onTake, onMissing } = props;
  const { draft, step, dispatch } = edited;
  const missing = whyNotRun(draft, wholeQuery);
  const body = missing === undefined ? runOf(draft, wholeQuery, setValues(values)) : undefined;
  switch (view) {
    case 'tables':
      return step ? (
        <SchemaBrowser dataSourceId={step.dataSourceId} />
      ) : (
        <StepResults results={stepResults} />
      );
    case 'parameters':
      return (
        <ParametersPanel
          parameters={usedParameters(draft)}
          values={values}
          onValue={onValue}
          onDeclare={(parameter) => dispatch({ kind: 'declare-parameter', parameter })}
          refused={refused}
        />
      );
    case 'checks':
      return (
        <LazyPart code={checksPart} onMissing={onMissing}>
          {(Checks) => <Checks body={body} missing={missing} />}
        </LazyPart>
      );
    case 'plan':
      return (
        <LazyPart code={planPart} onMissing={onMissing}>
          {(Plan) => <Plan body={body} missing={missing} />}
        </LazyPart>
      );
    case 'runs':
      return (
        <LazyPart code={runsPart} onMissing={onMissing}>
          {(OwnRuns) => <OwnRuns projectId={draft.projectId} onTake={onTake} />}
        </LazyPart>
      );
  }
}

/** Columns of the result of each step. */
function StepResults({ results }: { readonly results: readonly KnownTable[] }) {
  return (
    <ul className={classes['steps']}>
      {results.map((result) => (
        <li key={result.name}>
          <code>{result.name}</code>
          <ul>
            {result.columns.map((column) => (
              <li key={column.name} className="row mono">
                <span className="grow truncate">{column.name}</span>
                <span className="soft">{column.type}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
