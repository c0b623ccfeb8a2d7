import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { currentUser } from '../../requests/session.ts';

/** Maximum delay of the connection. It starts when the browser is idle, so that the page loads first. */
const idleMaxMs = 2_000;

const whenIdle = (work: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = globalThis.setTimeout(work, idleMaxMs);
    return () => globalThis.clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(work, { timeout: idleMaxMs });
  return () => window.cancelIdleCallback(handle);
};

/** Maintains the hub connection while a permitted user is signed in and realtime is enabled. */
export function useRealtime(): void {
  const { data: user } = useQuery(currentUser);
  const rights = useRights();
  const isAdmitted = rights.canRead || holds(rights, 'Approver', 'MigrationOperator');
  const isWanted =
    user?.isAuthenticated === true && user.realtimeEnabled && !user.mustChangePassword && isAdmitted;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isLeft = false;
    let end: (() => void) | undefined;
    const connect = async (): Promise<void> => {
      try {
        const { keepConnected } = await import('./connection.ts');
        if (!isLeft) end = keepConnected();
      } catch {
        // Without the connection's code, the pages poll.
      }
    };
    const cancel = whenIdle(() => void connect());
    return () => {
      isLeft = true;
      cancel();
      end?.();
    };
  }, [isWanted]);
}
