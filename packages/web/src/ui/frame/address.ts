import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The address's query parameters, all text. */
export type AddressState = Readonly<Record<string, string | undefined>>;

/**
 * State that lives in the address: filters, sorting, page, tab. Setting a value to undefined or '' takes the
 * parameter away. Changes replace the entry in the history unless `push` is asked for.
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
