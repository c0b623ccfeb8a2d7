import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

declare module '@tanstack/history' {
  interface HistoryState {
    /** True if the page sets the focus. Default: the title receives it. */
    keepsFocus?: boolean;
  }
}

type GoOptions = {
  readonly replace?: boolean;
  /** True if no change is unsaved: the guard requires no confirmation. */
  readonly isSaved?: boolean;
  /** True if the target page continues at the same place. */
  readonly keepsFocus?: boolean;
};

/** Returns a function that navigates to a path from the `paths` module. */
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
