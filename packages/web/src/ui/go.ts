import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

type GoOptions = {
  readonly replace?: boolean;
  /** Nothing is left behind unsaved: the guard need not ask. */
  readonly isSaved?: boolean;
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
      });
    },
    [navigate],
  );
}
