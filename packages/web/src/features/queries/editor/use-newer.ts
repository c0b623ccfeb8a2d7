import type { Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../../requests/queries.ts';
import type { useSave } from './use-save.ts';

/** How soon another save of the same query shows. */
const lookMs = 15_000;

/** What somebody else saved of a query that is being edited here; undefined while nobody did. */
export function useNewer(saved: Query | null, save: ReturnType<typeof useSave>): Query | undefined {
  const { data } = useQuery({
    ...query(saved?.id ?? 0),
    enabled: saved !== null,
    refetchInterval: lookMs,
  });
  return data && data.version > save.version && !save.isSaving ? data : undefined;
}
