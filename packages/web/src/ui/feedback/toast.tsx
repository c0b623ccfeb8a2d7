import { useEffect, useSyncExternalStore } from 'react';
import { pageCodes, problemOf } from '../../lib/problem.ts';
import { Link } from '../frame/link.tsx';
import { Icon } from '../text/icons.tsx';
import classes from './toast.module.css';

type Target = { readonly to: string; readonly label: string };
type Toast = {
  readonly id: number;
  readonly tone: 'done' | 'note' | 'refused';
  readonly message: string;
  readonly target?: Target | undefined;
};

/** Duration of a toast: enough time to read it twice. */
const doneMs = 7_000;
const refusedMs = 15_000;
const shownMax = 3;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next.slice(-shownMax);
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Reports a completed action, with a link to its result. */
export function toastDone(message: string, target?: Target): void {
  // A repeated message is dropped, because a double click performed one action.
  if (toasts.at(-1)?.message === message) return;
  set([...toasts, { id: nextId++, tone: 'done', message, target }]);
}

/** Reports an action in progress or an unchanged state. */
export const toastNote = (message: string): void => set([...toasts, { id: nextId++, tone: 'note', message }]);

/** Reports a failure with its reason. */
export const toastFailed = (message: string): void =>
  set([...toasts, { id: nextId++, tone: 'refused', message }]);

/** Reports a refusal with its reason. */
export function toastProblem(error: unknown): void {
  const { code, title, detail } = problemOf(error);
  // The next step is not understandable without the title.
  const message = code === pageCodes.unreachable ? `${title}. ${detail}` : (detail ?? title);
  set([...toasts, { id: nextId++, tone: 'refused', message }]);
}

/** Container of the toasts. Screen readers announce them; they never take the focus. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <section className={classes['region']} aria-label="Messages">
      <div aria-live="polite" className="stack-tight">
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  );
}

const icons = { done: 'check', note: 'about', refused: 'warning' } as const;

function ToastCard({ toast }: { readonly toast: Toast }) {
  useEffect(() => {
    const timer = window.setTimeout(() => dismiss(toast.id), toast.tone === 'refused' ? refusedMs : doneMs);
    return () => window.clearTimeout(timer);
  }, [toast]);
  return (
    <div className={classes['toast']} data-tone={toast.tone}>
      <Icon name={icons[toast.tone]} />
      <span className="grow">
        {toast.message} {toast.target && <Link to={toast.target.to}>{toast.target.label}</Link>}
      </span>
      <button type="button" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
        <Icon name="close" size={12} />
      </button>
    </div>
  );
}
