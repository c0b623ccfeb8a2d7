import type { ProjectListItem } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { NeedsEditor } from '../../../access/needs-editor.tsx';
import { useRights } from '../../../access/use-rights.ts';
import { paths } from '../../../lib/paths.ts';
import { notFoundProblem } from '../../../lib/problem.ts';
import { dataSource } from '../../../requests/data-sources.ts';
import { project, projects } from '../../../requests/projects.ts';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { PageSkeleton } from '../../../ui/feedback/skeleton.tsx';
import { useAddress } from '../../../ui/frame/address.ts';
import { Record, useHasParam, useIdParam } from '../../../ui/record/record.tsx';
import { contract } from '../requests/contracts.ts';
import { ContractEditor } from './contract-editor.tsx';
import { draftOf, emptyDraft } from './draft.ts';

const parent = { to: paths.dataQuality(), label: 'Data quality' };

/** Page that creates or changes a data contract. */
export function ContractEditorPage() {
  const isNew = !useHasParam('id');
  const id = useIdParam();
  const { canWrite } = useRights();
  if (!canWrite)
    return (
      <NeedsEditor
        title={isNew ? 'New data contract' : 'Edit data contract'}
        parent={parent}
        act="Writing data contracts"
      />
    );
  if (isNew) return <NewContract />;
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return (
    <Record read={contract(id)}>
      {(record) => <ContractEditor key={record.id} saved={record} start={draftOf(record)} />}
    </Record>
  );
}

/** Starts a contract with the project or data source that the address names. */
function NewContract() {
  const [address] = useAddress();
  const projectId = Number(address['projectId']) || null;
  const sourceId = Number(address['dataSourceId']) || null;
  const named = useQuery({ ...project(projectId ?? 0), enabled: projectId !== null });
  const source = useQuery({ ...dataSource(sourceId ?? 0), enabled: sourceId !== null });
  const all = useQuery({
    ...projects({ pageSize: '200', sort: 'name', ...(sourceId !== null && { dataSourceId: sourceId }) }),
    enabled: projectId === null,
  });
  const reads = [named, source, all];
  const missing = reads.find((each) => each.isLoadingError);
  if (missing) return <ProblemView isPage error={missing.error} onRetry={() => void missing.refetch()} />;
  if (reads.some((each) => each.fetchStatus !== 'idle' && !each.data)) return <PageSkeleton />;
  const isWritable = ({ right }: ProjectListItem) => right !== 'Read';
  const writable = all.data?.items.filter(isWritable) ?? [];
  // Preselects the only project, or the first project that contains the data source.
  const likely = writable.length === 1 || sourceId !== null ? writable[0] : undefined;
  const preselected = named.data ?? likely ?? null;
  return (
    <ContractEditor
      saved={null}
      start={{
        ...emptyDraft,
        projectId: preselected && { id: preselected.id, name: preselected.name },
        dataSourceId: source.data && preselected ? { id: source.data.id, name: source.data.name } : null,
      }}
    />
  );
}
