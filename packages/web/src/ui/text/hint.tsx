import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import classes from './hint.module.css';

type Props = {
  readonly label: string;
  readonly side?: 'top' | 'right';
  readonly isOff?: boolean;
  readonly children: ReactNode;
};

type Place = { readonly left: number; readonly top: number };

const openDelayMs = 250;
const closeDelayMs = 80;
const edgePx = 8;

/**
 * Tooltip of a control, on hover and on focus. Escape closes it, and the pointer may move onto it. It is hidden from
 * screen readers, because the control has its own name.
 */
export function Hint({ label, side = 'top', isOff = false, children }: Props) {
  const anchor = useRef<HTMLSpanElement>(null);
  const timer = useRef<number | undefined>(undefined);
  const [place, setPlace] = useState<Place | null>(null);
  const later = (work: () => void, ms: number) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(work, ms);
  };
  const open = () => {
    const box = anchor.current?.firstElementChild?.getBoundingClientRect();
    if (!box) return;
    setPlace(
      side === 'top'
        ? { left: box.left + box.width / 2, top: box.top }
        : { left: box.right, top: box.top + box.height / 2 },
    );
  };
  const close = () => setPlace(null);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    if (!place) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setPlace(null);
    };
    const onScroll = () => setPlace(null);
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('scroll', onScroll, true);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('scroll', onScroll, true);
    };
  }, [place]);
  if (isOff) return children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what happens to the control inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys act on the control inside, which blurs or stays
    <span
      ref={anchor}
      style={{ display: 'contents' }}
      onMouseOver={() => later(open, openDelayMs)}
      onMouseOut={() => later(close, closeDelayMs)}
      onFocus={(event) => event.target.matches(':focus-visible') && open()}
      onBlur={close}
      onClick={close}
    >
      {children}
      {place && createPortal(<Words label={label} side={side} place={place} />, document.body)}
    </span>
  );
}

function Words({
  label,
  side,
  place,
}: {
  readonly label: string;
  readonly side: string;
  readonly place: Place;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // The tooltip remains inside the window. It moves below the control if the space above is too small.
    const { width, height } = element.getBoundingClientRect();
    const left = side === 'top' ? place.left - width / 2 : place.left + edgePx;
    const above = side === 'top' ? place.top - height - 6 : place.top - height / 2;
    element.style.left = `${Math.max(edgePx, Math.min(window.innerWidth - width - edgePx, left))}px`;
    element.style.top = `${above < edgePx ? place.top + 28 : above}px`;
  });
  return (
    <div ref={box} className={classes['hint']} aria-hidden="true">
      {label}
    </div>
  );
}
