import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

declare module '@tanstack/history' {
  interface HistoryState {
    /** The page says by itself where focus is; else it goes to the title. */
    keepsFocus?: boolean;
  }
}

type GoOptions = {
  readonly replace?: boolean;
  /** Nothing is left behind unsaved: the guard need not ask. */
  readonly isSaved?: boolean;
  /** The page that is gone to goes on where this one was. */
  readonly keepsFocus?: boolean;
};

/** Goes to a path made by the `paths` module. */
export function useGo(): (to: string, options?: GoOptions) => void {
  const navigate = useNavigate();
  return useCallback(
    (to, options = {}) => {
      const [path = '/', search] = to.split('?');
      void navigate({
        to: path,
        search: Object.fromEntries(new URLSearchParams(search)) as never,
        replace: options.replace ?? false,
        ignoreBlocker: options.isSaved ?? false,
        state: { keepsFocus: options.keepsFocus ?? false },
      });
    },
    [navigate],
  );
}
