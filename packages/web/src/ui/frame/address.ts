import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Query parameters of the address. All values are texts. */
export type AddressState = Readonly<Record<string, string | undefined>>;

/**
 * State in the address: filters, sorting, page, tab. The value undefined or '' removes the parameter. Changes replace
 * the history entry unless `push` is set.
 */
export function useAddress(): readonly [
  AddressState,
  (changes: AddressState, options?: { readonly push?: boolean }) => void,
] {
  const state = useSearch({ strict: false }) as AddressState;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: AddressState, options: { readonly push?: boolean } = {}) => {
      void navigate({
        to: '.',
        replace: !options.push,
        resetScroll: false,
        search: ((previous: AddressState) =>
          Object.fromEntries(
            Object.entries({ ...previous, ...changes }).filter(
              ([, value]) => value !== undefined && value !== '',
            ),
          )) as never,
      });
    },
    [navigate],
  );
  return [state, change];
}
