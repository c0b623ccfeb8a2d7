import type { QueryParameter } from '@svc/contract';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../../../../ui/text/icons.tsx';
import type { ParameterValue } from '../../../../views/query-run/parameter-values.ts';
import { ParametersPanel } from '../../../../views/query-run/parameters-panel.tsx';
import { SchemaBrowser } from '../../../../views/schema/schema-browser.tsx';
import type { KnownTable } from '../../../../views/sql/sql-text.ts';
import classes from '../query-editor.module.css';

export type SideView = 'tables' | 'parameters' | 'checks' | 'plan' | 'runs';

type Props = {
  /** Has an effect only in windows below 900 px. Wider windows always show the panel. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly dataSourceId: number | null;
  /** Results of the steps while the editor shows the final query; otherwise null. */
  readonly steps: readonly KnownTable[] | null;
  readonly parameters: readonly QueryParameter[];
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly onValue: (name: string, value: ParameterValue) => void;
  readonly onDeclare: (parameter: QueryParameter) => void;
  readonly view: SideView;
  readonly onView: (view: SideView) => void;
  /** Checks before a run. Rendered only while shown. */
  readonly checks: ReactNode;
  /** Plans of the engines. Rendered only while shown. */
  readonly plan: ReactNode;
  /** Earlier runs of the user. Rendered only while shown. */
  readonly runs: ReactNode;
};

/** Panel next to the text: tables, parameters, checks, plan and earlier runs. */
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
