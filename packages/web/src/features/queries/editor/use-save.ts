import { CreateQueryBody, createQuery, type Query, updateQuery } from '@svc/contract';
import { useRef, useState } from 'react';
import { checkedParts } from '../../../lib/form.ts';
import { words } from '../../../lib/format.ts';
import { ProblemError } from '../../../lib/problem.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { type Draft, definitionOf, draftOf, usedParameters } from '../../../views/query-run/draft.ts';

const missing = (detail: string): ProblemError =>
  new ProblemError({ type: 'about:blank', title: 'Not saved', status: 400, detail });

const stepName = (draft: Draft, index: number): string => draft.steps[index]?.name || `step${index + 1}`;

/** A part of the definition as the editor shows it. */
function partName(place: string, draft: Draft): string {
  const [part = '', index = '', field] = place.split('/');
  if (part === 'name') return 'Name of the query';
  if (part === 'finalQuery') return 'Final query';
  if (part === 'parameters' && index !== '')
    return `Parameter “${usedParameters(draft)[Number(index)]?.name}”`;
  if (part !== 'steps' || index === '') return words(part);
  return field === 'name' ? `Name of step ${Number(index) + 1}` : `Text of ${stepName(draft, Number(index))}`;
}

/** The text that an editor opens with. */
export type StartText = {
  readonly draft: Draft;
  /** The version that waits for approval and has this text. */
  readonly waitingId: number | null;
};

/** Saves a draft: a new query, or the next version of one. Saves wait for each other, each with the newest draft. */
export function useSave(
  saved: Query | null,
  { draft: start, waitingId: startsWith }: StartText,
  draft: Draft,
) {
  const [clean, setClean] = useState(() => fingerprint(start));
  const [waitingId, setWaitingId] = useState(startsWith);
  const [error, setError] = useState<unknown>(null);
  const [nameError, setNameError] = useState<string | undefined>(undefined);
  const known = useRef<Pick<Query, 'id' | 'version'> | null>(saved);
  const create = useChange(createQuery, { touches: ['projects'] });
  const update = useChange(updateQuery, { headers: () => ifUnchanged(known.current?.version ?? 0) });
  const latest = useRef(draft);
  latest.current = draft;
  const before = useRef<Promise<unknown>>(Promise.resolve());

  const send = async (written: Draft): Promise<Query> => {
    const definition = definitionOf(written);
    if (known.current)
      return await update.mutateAsync({ params: { id: known.current.id }, body: definition });
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
      const found = await checkedParts(CreateQueryBody, { projectId: 1, ...definitionOf(written) });
      const { name, projectId: _unchecked, ...parts } = found;
      setNameError(name);
      const first = name === undefined ? Object.entries(parts)[0] : (['name', name] as const);
      if (first) throw missing(`${partName(first[0], written)}: ${first[1]}`);
      const query = await send(written);
      known.current = query;
      setClean(fingerprint(written));
      setWaitingId(query.pendingVersion?.id ?? null);
      return query;
    } catch (reason) {
      setError(reason);
      throw reason;
    }
  };

  const now = (): Promise<Query> => {
    const own = before.current.then(saveNewest);
    before.current = own.catch(() => undefined);
    return own;
  };

  return {
    now,
    /** Version that the draft is a change of; 0 for a new query. */
    version: known.current?.version ?? 0,
    /** Goes on from what somebody else saved meanwhile. */
    adopt: (theirs: Query): void => {
      known.current = theirs;
      setClean(fingerprint(draftOf(theirs)));
      setWaitingId(null);
      setError(null);
    },
    /** Saves the draft as a query of its own, beside the one that somebody else changed. */
    saveCopy: async (): Promise<Query> => {
      const written = latest.current;
      if (written.projectId === null) throw missing('Choose the project that the query belongs to.');
      const definition = { ...definitionOf(written), name: `${written.name.trim()} (my copy)` };
      const copy = await create.mutateAsync({ body: { ...definition, projectId: written.projectId } });
      known.current = copy;
      setClean(fingerprint(written));
      setWaitingId(copy.pendingVersion?.id ?? null);
      return copy;
    },
    /** Shows why a save was not sent. */
    fail: setError,
    /** The saved text is a version that waits for approval, or waited when this editor saved or opened it. */
    isWaiting: waitingId !== null && saved?.pendingVersion?.id === waitingId,
    /** The saved text is neither active nor waiting: the version was rejected or withdrawn. It can be submitted again. */
    isUnapproved:
      saved !== null &&
      saved.pendingVersion?.id !== waitingId &&
      (waitingId === null
        ? saved.versionNumber === null && saved.pendingVersion === null
        : fingerprint(draftOf(saved)) !== clean),
    /** The draft is the active text of the query. */
    isActive: (query: Query): boolean => fingerprint(draftOf(query)) === fingerprint(draft),
    /** Whether the query says what this editor saved last. */
    isClean: (query: Query): boolean => fingerprint(draftOf(query)) === clean,
    error,
    nameError,
    isDirty: fingerprint(draft) !== clean,
    isSaving: create.isPending || update.isPending,
  };
}

/** What is saved of a draft, to compare. */
const fingerprint = (draft: Draft): string => JSON.stringify([draft.projectId, definitionOf(draft)]);
