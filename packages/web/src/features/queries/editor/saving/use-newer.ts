import type { Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { query } from '../../../../requests/queries.ts';
import type { useSave } from './use-save.ts';

/** Interval of the check for another save of the query. */
const lookMs = 15_000;

/**
 * Returns a definition that another editor saved; undefined if there is none.
 *
 * The approval of the version that this editor saved changes the query, too. Its definition equals the shown text, so the
 * editor continues from it without a question.
 */
export function useNewer(saved: Query | null, save: ReturnType<typeof useSave>): Query | undefined {
  const { data } = useQuery({
    ...query(saved?.id ?? 0),
    enabled: saved !== null,
    refetchInterval: lookMs,
  });
  const newer = data && data.version > save.version && !save.isSaving ? data : undefined;
  const approved = newer && save.isClean(newer) ? newer : undefined;
  useEffect(() => {
    if (approved) save.adopt(approved);
  });
  return approved ? undefined : newer;
}
