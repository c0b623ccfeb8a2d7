import { useQuery } from '@tanstack/react-query';
import { useEffect, useReducer } from 'react';
import { linkedSources } from '../../../../requests/projects.ts';
import type { Draft } from '../../../../views/query-run/draft.ts';
import { initialDraftState, reduceDraft, shownStep } from './draft-state.ts';

/** Draft in the editor, the text that is shown, and the data sources of the project. */
export type EditedDraft = ReturnType<typeof useDraft>;

/** Manages the draft of an editor. Removes data sources that its project does not link. */
export function useDraft(start: Draft) {
  const [state, dispatch] = useReducer(reduceDraft, start, initialDraftState);
  const { draft, shownKey } = state;
  const { data: linked } = useQuery({
    ...linkedSources(draft.projectId ?? 0, { pageSize: '200' }),
    enabled: draft.projectId !== null,
  });
  useEffect(() => {
    // A truncated list does not contain all data sources of the project.
    if (!linked || linked.totalCount > linked.items.length) return;
    dispatch({ kind: 'remove-unlinked-sources', linkedIds: new Set(linked.items.map(({ id }) => id)) });
  }, [linked]);
  const step = shownStep(state);
  const source = linked?.items.find(({ id }) => id === step?.dataSourceId);
  return {
    draft,
    shownKey,
    /** Shown step; undefined for the final query. */
    step,
    /** Shown text. */
    text: step ? step.sql : (draft.finalQuery ?? ''),
    /** Engine that runs the shown text. */
    engine: source?.engine ?? (step ? 'PostgreSQL' : 'DuckDB'),
    sources: linked?.items,
    dispatch,
  };
}
