import { useLocation } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { noteVisit } from '../palette/recent.ts';

/**
 * Shows a new page at its top, and focuses its title for screen readers and the keyboard. Records the visit.
 * @param onArrival  Called for each page, the first one included.
 */
export function useArrival(onArrival: () => void): void {
  const { pathname, state } = useLocation();
  const isFirst = useRef(true);
  const arrive = useEffectEvent((path: string) => {
    onArrival();
    noteVisit(path);
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (state.keepsFocus) return;
    window.scrollTo(0, 0);
    document.getElementById('page-title')?.focus({ preventScroll: true });
  });
  useEffect(() => arrive(pathname), [pathname]);
}
