import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { findProjects, project } from '../../requests/projects.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { FoundSelect } from '../../ui/form/found-select.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { LearnNow } from './learn-now.tsx';
import { Patches } from './patches.tsx';
import { Patterns } from './patterns.tsx';
import { ProblemTables } from './problem-tables.tsx';
import { learningStats } from './requests/learning.ts';
import { LearningFigures } from './stats.tsx';

/** Page of learned patterns, and of the notes that they propose for the documentation. */
export function LearningPage() {
  const { isAdmin } = useRights();
  const [address, change] = useAddress();
  const projectId = /^\d{1,9}$/.test(address['project'] ?? '') ? Number(address['project']) : undefined;
  const selected = useQuery({ ...project(projectId ?? 0), enabled: projectId !== undefined });
  const stats = useQuery(learningStats(projectId));
  const { patternsProposed, patchesProposed, problemTables } = stats.data ?? {};
  return (
    <>
      <PageHeader
        title="MCP learning"
        hasHelp
        actions={
          <>
            {isAdmin && <LinkButton to={paths.evaluation()}>Evaluation</LinkButton>}
            {selected.data && selected.data.right !== 'Read' && <LearnNow projectId={selected.data.id} />}
          </>
        }
      />
      <div className="stack" style={{ gap: 16 }}>
        <p className="soft" style={{ maxWidth: 720 }}>
          Which tables AI clients and the page Ask join, which columns they miss: what is learned waits here.
          Clients use it once somebody who writes in the project approves it.
        </p>
        <FoundSelect
          label="Project"
          placeholder="All projects"
          w="100%"
          maw={320}
          find={findProjects}
          clearable
          value={(projectId !== undefined && selected.data) || null}
          onChange={(picked) => change({ project: picked ? String(picked.id) : undefined, page: undefined })}
        />
        {stats.isLoadingError ? (
          <ProblemView error={stats.error} onRetry={() => void stats.refetch()} />
        ) : (
          <LearningFigures stats={stats.data} />
        )}
        <Detail
          sections={[
            {
              id: 'patterns',
              label: 'Patterns',
              count: patternsProposed,
              content: <Patterns projectId={projectId} />,
            },
            {
              id: 'patches',
              label: 'Documentation patches',
              count: patchesProposed,
              content: <Patches projectId={projectId} />,
            },
            {
              id: 'tables',
              label: 'Problem tables',
              count: problemTables?.length,
              content: <ProblemTables tables={problemTables} />,
            },
          ]}
        />
      </div>
    </>
  );
}
