import { useEffect, useSyncExternalStore } from 'react';
import type { IconName } from './icons.tsx';

/** An act of the present page, offered in the palette too. */
export type PageAction = {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
};

let present: readonly PageAction[] = [];
const listeners = new Set<() => void>();

function set(actions: readonly PageAction[]): void {
  present = actions;
  for (const listener of listeners) listener();
}

/** Offers acts in the palette while the page is shown. */
export function usePageActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    set(actions);
    return () => set([]);
  }, [actions]);
}

export const usePresentActions = (): readonly PageAction[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => present,
  );
