import type { QueryParameter } from '@svc/contract';
import { useState } from 'react';
import type { ParameterValue } from './parameter-values.ts';
import { ParametersPanel } from './parameters-panel.tsx';
import classes from './query-editor.module.css';
import { SchemaBrowser } from './schema-browser.tsx';

type Props = {
  readonly dataSourceId: number | null;
  readonly parameters: readonly QueryParameter[];
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly onValue: (name: string, value: ParameterValue) => void;
  readonly onDeclare: (parameter: QueryParameter) => void;
};

/** Beside the text: the tables that it can read, and the parameters that it uses. */
export function SidePanel({ dataSourceId, parameters, values, onValue, onDeclare }: Props) {
  const [view, setView] = useState<'tables' | 'parameters'>('tables');
  return (
    <aside className={classes['side']} aria-label="Tables and parameters">
      <fieldset className={classes['sideTabs']} aria-label="Show">
        <button type="button" aria-pressed={view === 'tables'} onClick={() => setView('tables')}>
          Tables
        </button>
        <button type="button" aria-pressed={view === 'parameters'} onClick={() => setView('parameters')}>
          Parameters {parameters.length > 0 && <span className="mono">{parameters.length}</span>}
        </button>
      </fieldset>
      <div className={classes['sideContent']}>
        {view === 'tables' ? (
          <SchemaBrowser dataSourceId={dataSourceId} />
        ) : (
          <ParametersPanel parameters={parameters} values={values} onValue={onValue} onDeclare={onDeclare} />
        )}
      </div>
    </aside>
  );
}
