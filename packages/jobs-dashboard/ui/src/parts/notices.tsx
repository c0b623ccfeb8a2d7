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

/** Shows a message for 6 s without moving the focus. */
export function notify(tone: Notice['tone'], text: string): void {
  sequence += 1;
  const id = sequence;
  change([...notices, { id, tone, text }]);
  window.setTimeout(() => change(notices.filter((notice) => notice.id !== id)), shownMs);
}

/**
 * Performs an action on the server, shows its result, and refreshes all data.
 *
 * @returns true when the action succeeded.
 */
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

/** Current messages, announced by screen readers. */
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
