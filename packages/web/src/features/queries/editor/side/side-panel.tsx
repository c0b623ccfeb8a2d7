import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../../../../ui/text/icons.tsx';
import classes from '../query-editor.module.css';

export type SideView = 'tables' | 'parameters' | 'checks' | 'plan' | 'runs';

export type SideState = {
  readonly view: SideView;
  /** Has an effect only in windows below 900 px. Wider windows always show the panel. */
  readonly isOpen: boolean;
};

type Props = {
  readonly state: SideState;
  readonly parameterCount: number;
  readonly onView: (view: SideView) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Panel next to the text, with tabs for its views. */
export function SidePanel({ state: { view, isOpen }, parameterCount, onView, onClose, children }: Props) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    panel.current?.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isOpen]);
  const tab = (id: SideView, label: ReactNode) => (
    <button type="button" aria-pressed={view === id} onClick={() => onView(id)}>
      {label}
    </button>
  );
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
        {tab('tables', 'Tables')}
        {tab(
          'parameters',
          <>Parameters {parameterCount > 0 && <span className="mono">{parameterCount}</span>}</>,
        )}
        {tab('checks', 'Checks')}
        {tab('plan', 'Plan')}
        {tab('runs', 'Runs')}
        <span className="grow" />
        <button type="button" className={classes['sideClose']} aria-label="Close the panel" onClick={onClose}>
          <Icon name="close" />
        </button>
      </fieldset>
      <div className={classes['sideContent']}>{children}</div>
    </aside>
  );
}
