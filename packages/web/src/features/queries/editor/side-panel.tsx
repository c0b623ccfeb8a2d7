import type { QueryParameter } from '@svc/contract';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../../../ui/text/icons.tsx';
import type { ParameterValue } from '../../../views/query-run/parameter-values.ts';
import { ParametersPanel } from '../../../views/query-run/parameters-panel.tsx';
import { SchemaBrowser } from '../../../views/schema/schema-browser.tsx';
import type { KnownTable } from '../../../views/sql/sql-text.ts';
import classes from './query-editor.module.css';

export type SideView = 'tables' | 'parameters' | 'checks' | 'plan' | 'runs';

type Props = {
  /** Matters only where the panel is not always shown: windows below 900 px. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly dataSourceId: number | null;
  /** What the steps leave, where the final query is written; null elsewhere. */
  readonly steps: readonly KnownTable[] | null;
  readonly parameters: readonly QueryParameter[];
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly onValue: (name: string, value: ParameterValue) => void;
  readonly onDeclare: (parameter: QueryParameter) => void;
  readonly view: SideView;
  readonly onView: (view: SideView) => void;
  /** What is checked before a run; made only while it is shown. */
  readonly checks: ReactNode;
  /** How the engines would go about it; made only while it is shown. */
  readonly plan: ReactNode;
  /** What was run before; made only while it is shown. */
  readonly runs: ReactNode;
};

/** Beside the text: what it can read and takes, what is checked, how it would run, and what ran before. */
export function SidePanel(props: Props) {
  const { isOpen, onClose, dataSourceId, steps, parameters, values, onValue, onDeclare } = props;
  const { view, onView } = props;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    panel.current?.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isOpen]);
  return (
    <aside
      ref={panel}
      className={classes['side']}
      data-open={isOpen}
      aria-label="Tables, parameters, checks, plan and runs"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) onClose();
      }}
    >
      <fieldset className={classes['sideTabs']} aria-label="Show">
        <button type="button" aria-pressed={view === 'tables'} onClick={() => onView('tables')}>
          Tables
        </button>
        <button type="button" aria-pressed={view === 'parameters'} onClick={() => onView('parameters')}>
          Parameters {parameters.length > 0 && <span className="mono">{parameters.length}</span>}
        </button>
        <button type="button" aria-pressed={view === 'checks'} onClick={() => onView('checks')}>
          Checks
        </button>
        <button type="button" aria-pressed={view === 'plan'} onClick={() => onView('plan')}>
          Plan
        </button>
        <button type="button" aria-pressed={view === 'runs'} onClick={() => onView('runs')}>
          Runs
        </button>
        <span className="grow" />
        <button type="button" className={classes['sideClose']} aria-label="Close the panel" onClick={onClose}>
          <Icon name="close" />
        </button>
      </fieldset>
      <div className={classes['sideContent']}>
        {view === 'tables' ? (
          <Tables dataSourceId={dataSourceId} steps={steps} />
        ) : view !== 'parameters' ? (
          props[view]
        ) : (
          <ParametersPanel parameters={parameters} values={values} onValue={onValue} onDeclare={onDeclare} />
        )}
      </div>
    </aside>
  );
}

function Tables({ dataSourceId, steps }: Pick<Props, 'dataSourceId' | 'steps'>) {
  if (steps === null) return <SchemaBrowser dataSourceId={dataSourceId} />;
  return (
    <ul className={classes['steps']}>
      {steps.map((step) => (
        <li key={step.name}>
          <code>{step.name}</code>
          <ul>
            {step.columns.map((column) => (
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
