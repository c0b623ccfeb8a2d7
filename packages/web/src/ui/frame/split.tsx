import { type ReactNode, useRef, useState } from 'react';
import { readPreference, savePreference } from './preference.ts';
import classes from './split.module.css';

type Props = {
  /** Key under which the browser stores the size. */
  readonly id: string;
  readonly label: string;
  readonly direction: 'rows' | 'columns';
  /** Initial share of the first pane, in percent. */
  readonly initial: number;
  readonly children: readonly [ReactNode, ReactNode];
};

const shareMin = 15;
const shareMax = 85;
const keyStep = 5;

const clamp = (share: number): number => Math.min(shareMax, Math.max(shareMin, share));

/** Two panes with a separator that the pointer and arrow keys move. The browser stores its position. */
export function Split({ id, label, direction, initial, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() =>
    clamp(Number(readPreference(`split.${id}`) ?? initial) || initial),
  );
  const isRows = direction === 'rows';
  const set = (next: number) => {
    setShare(clamp(next));
    savePreference(`split.${id}`, String(Math.round(clamp(next))));
  };
  const onPointerMove = (event: React.PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    set(
      isRows
        ? ((event.clientY - box.top) / box.height) * 100
        : ((event.clientX - box.left) / box.width) * 100,
    );
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const back = isRows ? 'ArrowUp' : 'ArrowLeft';
    const on = isRows ? 'ArrowDown' : 'ArrowRight';
    if (event.key !== back && event.key !== on) return;
    event.preventDefault();
    set(share + (event.key === on ? keyStep : -keyStep));
  };
  const template = `minmax(0, ${share}fr) 5px minmax(0, ${100 - share}fr)`;
  return (
    <div
      ref={frame}
      className={classes['split']}
      data-direction={direction}
      style={isRows ? { gridTemplateRows: template } : { gridTemplateColumns: template }}
    >
      <div className={classes['pane']}>{children[0]}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is no rule */}
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={isRows ? 'horizontal' : 'vertical'}
        aria-valuenow={Math.round(share)}
        aria-valuemin={shareMin}
        aria-valuemax={shareMax}
        className={classes['bar']}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
      />
      <div className={classes['pane']}>{children[1]}</div>
    </div>
  );
}
