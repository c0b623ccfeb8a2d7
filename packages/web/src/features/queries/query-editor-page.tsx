import type { ProjectListItem, Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NeedsEditor } from '../../access/needs-editor.tsx';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { queryClient } from '../../lib/server-state.ts';
import { projects } from '../../requests/projects.ts';
import { query } from '../../requests/queries.ts';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { PageSkeleton } from '../../ui/feedback/skeleton.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { useGo } from '../../ui/frame/go.ts';
import { Record, useHasParam, useIdParam } from '../../ui/record/record.tsx';
import { type Draft, draftOf, emptyDraft } from '../../views/query-run/draft.ts';
import { QueryEditor } from './editor/query-editor.tsx';

const noProjectPart = later(() => import('./no-project.tsx').then(({ NoProject }) => NoProject));
const unlinkedSourcePart = later(() =>
  import('./no-project.tsx').then(({ UnlinkedSource }) => UnlinkedSource),
);

const ownVersionPart = later(() => import('./editor/own-version.tsx').then(({ OwnVersion }) => OwnVersion));

const parent = { to: paths.queries(), label: 'Queries' };

/**
 * Page that creates or changes a query. Saving a new query changes the address but does not remount the editor: text,
 * results and undo history remain.
 */
export function QueryEditorPage() {
  const go = useGo();
  const isNew = !useHasParam('id');
  const id = useIdParam();
  const [begun, setBegun] = useState<Begun>({ id, savedId: undefined, number: 0 });
  if (begun.id !== id) setBegun(next(begun, id));
  const { savedId, number } = begun;

  const continueWith = (saved: Query) => {
    queryClient.setQueryData(query(saved.id).queryKey, saved);
    setBegun((before) => ({ ...before, savedId: saved.id }));
    go(paths.editQuery(saved.id), { replace: true, isSaved: true, keepsFocus: true });
  };
  if (isNew || (id !== undefined && id === savedId))
    return <NewQueryPage key={number} savedId={savedId} onMade={continueWith} />;
  return <EditQueryPage id={id} />;
}

type Begun = {
  readonly id: number | undefined;
  /** Id of the new query that the user saved on this page. */
  readonly savedId: number | undefined;
  /** Number of editors that this page has started. */
  readonly number: number;
};

const next = (before: Begun, id: number | undefined): Begun =>
  id !== undefined && id === before.savedId && before.id === undefined
    ? { ...before, id }
    : { id, savedId: undefined, number: before.number + 1 };

type NewProps = { readonly savedId: number | undefined; readonly onMade: (query: Query) => void };

function NewQueryPage(props: NewProps) {
  const { canWrite } = useRights();
  if (!canWrite) return <NeedsEditor title="New query" parent={parent} act="Writing queries" />;
  return <NewQuery {...props} />;
}

function NewQuery({ savedId, onMade }: NewProps) {
  const [address] = useAddress();
  const projectId = Number(address['projectId']) || null;
  const sourceId = Number(address['dataSourceId']) || null;
  const all = useQuery(projects({ pageSize: '200', sort: 'name' }));
  const linkedProjects = useQuery({
    ...projects({ pageSize: '200', sort: 'name', dataSourceId: sourceId ?? 0 }),
    enabled: sourceId !== null && projectId === null,
  });
  const saved = useQuery({ ...query(savedId ?? 0), enabled: savedId !== undefined });
  const missing = [all, linkedProjects].find((each) => each.isLoadingError);
  if (missing) return <ProblemView isPage error={missing.error} onRetry={() => void missing.refetch()} />;
  if (!all.data || (linkedProjects.fetchStatus !== 'idle' && !linkedProjects.data)) return <PageSkeleton />;
  const isWritable = ({ right }: ProjectListItem) => right !== 'Read';
  const writable = all.data.items.filter(isWritable);
  const writableLinked = linkedProjects.data?.items.filter(isWritable);
  const isBegun = savedId !== undefined;
  if (!isBegun && writable.length === 0)
    return (
      <LazyPart code={noProjectPart} fallback={<PageSkeleton />} onMissing={() => undefined}>
        {(NoProject) => <NoProject />}
      </LazyPart>
    );
  if (!isBegun && sourceId !== null && writableLinked?.length === 0) {
    const firstProject = writable.length === 1 ? (writable[0] ?? null) : null;
    return (
      <LazyPart code={unlinkedSourcePart} fallback={<PageSkeleton />} onMissing={() => undefined}>
        {(UnlinkedSource) => <UnlinkedSource sourceId={sourceId} firstProject={firstProject} />}
      </LazyPart>
    );
  }
  // Preselects a project that contains the data source, or the only project.
  const likely = writableLinked?.[0]?.id ?? (writable.length === 1 ? writable[0]?.id : undefined) ?? null;
  return (
    <QueryEditor
      saved={saved.data ?? null}
      start={startOf(address, projectId ?? likely, sourceId)}
      onMade={onMade}
    />
  );
}

/**
 * Returns the initial draft. The folder of the address applies only with the project of the address, because it belongs
 * to that project.
 */
function startOf(
  address: Readonly<Record<string, string | undefined>>,
  projectId: number | null,
  sourceId: number | null,
): Draft {
  const folderId = address['projectId'] === undefined ? null : Number(address['folderId']) || null;
  return { ...emptyDraft(projectId, sourceId), folderId };
}

/**
 * Editor of a query, with the author's own version when one waits for approval.
 *
 * The version is chosen when the editor opens: a later save comes from this editor and must not replace its text.
 */
function EditDefinition({ record }: { readonly record: Query }) {
  const [waiting] = useState(record.pendingVersion?.isOwn ? record.pendingVersion : null);
  if (waiting === null) return <QueryEditor saved={record} start={draftOf(record)} />;
  return (
    <LazyPart code={ownVersionPart} fallback={<PageSkeleton />} onMissing={() => undefined}>
      {(OwnVersion) => (
        <OwnVersion id={waiting.id}>
          {(shown) => <QueryEditor saved={record} start={draftOf(shown)} waitingId={waiting.id} />}
        </OwnVersion>
      )}
    </LazyPart>
  );
}

function EditQueryPage({ id }: { readonly id: number | undefined }) {
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return (
    <Record read={query(id)}>
      {(record) =>
        record.canEdit ? (
          <EditDefinition key={record.id} record={record} />
        ) : (
          <NeedsEditor
            title={`Edit ${record.name}`}
            parent={{ to: paths.query(record.id), label: record.name }}
            act="Changing this query"
          />
        )
      }
    </Record>
  );
}
