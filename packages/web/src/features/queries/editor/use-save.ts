import { createQuery, type Query, updateQuery } from '@svc/contract';
import { useState } from 'react';
import { ProblemError } from '../../../lib/problem.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { type Draft, definitionOf } from './draft.ts';

const missing = (detail: string): ProblemError =>
  new ProblemError({ type: 'about:blank', title: 'Not saved', status: 400, detail });

/** Saves a draft: a new query, or the next version of one. */
export function useSave(saved: Query | null, start: Draft, draft: Draft) {
  const [clean, setClean] = useState(() => fingerprint(start));
  const [version, setVersion] = useState(saved?.version ?? 0);
  const [error, setError] = useState<unknown>(null);
  const [nameError, setNameError] = useState<string | undefined>(undefined);
  const create = useChange(createQuery, { touches: ['projects'] });
  const update = useChange(updateQuery, { headers: () => ifUnchanged(version) });

  const send = async (): Promise<Query> => {
    const definition = definitionOf(draft);
    if (saved) return await update.mutateAsync({ params: { id: saved.id }, body: definition });
    if (draft.projectId === null) throw missing('Choose the project that the query belongs to.');
    return await create.mutateAsync({ body: { ...definition, projectId: draft.projectId } });
  };

  const now = async (): Promise<Query> => {
    setError(null);
    setNameError(undefined);
    try {
      if (draft.name.trim() === '') {
        setNameError('Name the query.');
        throw missing('Give the query a name: people subscribe to it by that.');
      }
      if (draft.steps.some((step) => step.dataSourceId === null))
        throw missing('Choose the data source of every step.');
      const query = await send();
      setClean(fingerprint(draft));
      setVersion(query.version);
      return query;
    } catch (reason) {
      setError(reason);
      throw reason;
    }
  };

  return {
    now,
    error,
    nameError,
    isDirty: fingerprint(draft) !== clean,
    isSaving: create.isPending || update.isPending,
  };
}

/** What is saved of a draft, to compare. */
const fingerprint = (draft: Draft): string => JSON.stringify([draft.projectId, definitionOf(draft)]);
