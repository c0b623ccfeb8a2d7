import { useSyncExternalStore } from 'react';
import { ApiError, post } from '../lib/api.ts';
import { refreshAll } from '../lib/requests.ts';
import { Mark } from './controls.tsx';
import classes from './notices.module.css';

type Notice = { readonly id: number; readonly tone: 'green' | 'red'; readonly text: string };

const shownMs = 6_000;
let notices: readonly Notice[] = [];
let sequence = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** Says something for a moment, without taking the focus. */
export function notify(tone: Notice['tone'], text: string): void {
  sequence += 1;
  const id = sequence;
  change([...notices, { id, tone, text }]);
  window.setTimeout(() => change(notices.filter((notice) => notice.id !== id)), shownMs);
}

/** Does something on the server, says how it went, and reads anew what is on the screen. */
export async function act(path: string, done: string, body: unknown = {}): Promise<boolean> {
  try {
    await post(path, body);
    notify('green', done);
    return true;
  } catch (error) {
    notify('red', error instanceof ApiError ? error.message : 'The server could not be reached.');
    return false;
  } finally {
    await refreshAll();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was said just now; read out as it comes. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div className={classes['notices']} role="status" aria-live="polite">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={classes['notice']}>
          <Mark tone={tone} />
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
