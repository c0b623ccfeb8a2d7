import { CreateQueryBody, createQuery, type Query, updateQuery } from '@svc/contract';
import { useLayoutEffect, useRef, useState } from 'react';
import { checkedParts } from '../../../../lib/form.ts';
import { words } from '../../../../lib/format.ts';
import { ProblemError } from '../../../../lib/problem.ts';
import { ifUnchanged, useChange } from '../../../../lib/server-state.ts';
import { type Draft, definitionOf, draftOf, usedParameters } from '../../../../views/query-run/draft.ts';

const missing = (detail: string): ProblemError =>
  new ProblemError({ type: 'about:blank', title: 'Not saved', status: 400, detail });

const stepName = (draft: Draft, index: number): string => draft.steps[index]?.name || `step${index + 1}`;

/** Returns the label of a field of the definition in the editor. */
function partName(place: string, draft: Draft): string {
  const [part = '', index = '', field] = place.split('/');
  if (part === 'name') return 'Name of the query';
  if (part === 'finalQuery') return 'Final query';
  if (part === 'parameters' && index !== '')
    return `Parameter “${usedParameters(draft)[Number(index)]?.name}”`;
  if (part !== 'steps' || index === '') return words(part);
  return field === 'name' ? `Name of step ${Number(index) + 1}` : `Text of ${stepName(draft, Number(index))}`;
}

/** Initial text of an editor. */
export type StartText = {
  readonly draft: Draft;
  /** Id of the version with this text that waits for approval; null without such a version. */
  readonly waitingId: number | null;
};

/**
 * Saves a draft as a new query or as the next version of a query. Saves run one after another, each with the newest draft.
 */
export function useSave(
  saved: Query | null,
  { draft: start, waitingId: startsWith }: StartText,
  draft: Draft,
) {
  const [clean, setClean] = useState(() => fingerprint(start));
  const [waitingId, setWaitingId] = useState(startsWith);
  const [error, setError] = useState<unknown>(null);
  const [nameError, setNameError] = useState<string | undefined>(undefined);
  const stored = useRef<Pick<Query, 'id' | 'version'> | null>(saved);
  const create = useChange(createQuery, { touches: ['projects'] });
  const update = useChange(updateQuery, { headers: () => ifUnchanged(stored.current?.version ?? 0) });
  const latest = useRef(draft);
  useLayoutEffect(() => {
    latest.current = draft;
  });
  const before = useRef<Promise<unknown>>(Promise.resolve());

  const send = async (written: Draft): Promise<Query> => {
    const definition = definitionOf(written);
    if (stored.current)
      return await update.mutateAsync({ params: { id: stored.current.id }, body: definition });
    if (written.projectId === null) throw missing('Choose the project that the query belongs to.');
    const { projectId, folderId = null } = written;
    return await create.mutateAsync({ body: { ...definition, projectId, folderId } });
  };

  const saveNewest = async (): Promise<Query> => {
    const written = latest.current;
    setError(null);
    setNameError(undefined);
    try {
      if (written.name.trim() === '') {
        setNameError('Name the query.');
        throw missing('Give the query a name: people subscribe to it by that.');
      }
      if (written.steps.some((step) => step.dataSourceId === null))
        throw missing('Choose the data source of every step.');
      const errors = await checkedParts(CreateQueryBody, { projectId: 1, ...definitionOf(written) });
      const { name, projectId: _unchecked, ...parts } = errors;
      setNameError(name);
      const first = name === undefined ? Object.entries(parts)[0] : (['name', name] as const);
      if (first) throw missing(`${partName(first[0], written)}: ${first[1]}`);
      const query = await send(written);
      stored.current = query;
      setClean(fingerprint(written));
      setWaitingId(query.pendingVersion?.id ?? null);
      return query;
    } catch (reason) {
      setError(reason);
      throw reason;
    }
  };

  const now = (): Promise<Query> => {
    const query = before.current.then(saveNewest);
    before.current = query.catch(() => undefined);
    return query;
  };

  return {
    now,
    /** Version that the draft changes; 0 for a new query. */
    version: stored.current?.version ?? 0,
    /** Continues from a newer state of the query, such as a save of another user. */
    adopt: (theirs: Query): void => {
      stored.current = theirs;
      setClean(fingerprint(draftOf(theirs)));
      setWaitingId(null);
      setError(null);
    },
    /** Saves the draft as a new query, next to the query that another user changed. */
    saveCopy: async (): Promise<Query> => {
      const written = latest.current;
      if (written.projectId === null) throw missing('Choose the project that the query belongs to.');
      const definition = { ...definitionOf(written), name: `${written.name.trim()} (my copy)` };
      const copy = await create.mutateAsync({ body: { ...definition, projectId: written.projectId } });
      stored.current = copy;
      setClean(fingerprint(written));
      setWaitingId(copy.pendingVersion?.id ?? null);
      return copy;
    },
    /** Shows the reason for an unsent save. */
    fail: setError,
    /** The saved text is the version that waits for approval. */
    isWaiting: waitingId !== null && saved?.pendingVersion?.id === waitingId,
    /** The draft is the text of the waiting version. */
    isWaitingShown:
      waitingId !== null && saved?.pendingVersion?.id === waitingId && fingerprint(draft) === clean,
    /** The saved text is neither active nor waiting: the version was rejected or withdrawn. It can be submitted again. */
    isUnapproved:
      saved !== null &&
      saved.pendingVersion?.id !== waitingId &&
      (waitingId === null
        ? saved.versionNumber === null && saved.pendingVersion === null
        : fingerprint(draftOf(saved)) !== clean),
    /** Returns true if the draft equals the active text of the query. */
    isActive: (query: Query): boolean => fingerprint(draftOf(query)) === fingerprint(draft),
    /** Returns true if the query has the text that this editor saved last. */
    isClean: (query: Query): boolean => fingerprint(draftOf(query)) === clean,
    error,
    nameError,
    isDirty: fingerprint(draft) !== clean,
    isSaving: create.isPending || update.isPending,
  };
}

/** Returns the saved fields of a draft as text, for comparisons. */
const fingerprint = (draft: Draft): string => JSON.stringify([draft.projectId, definitionOf(draft)]);
