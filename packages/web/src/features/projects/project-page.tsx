import type { Project } from '@svc/contract';
import { holds, type Rights } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { project } from '../../requests/projects.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail, type Section } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { AccessModeLabel } from './access-mode.tsx';
import { ProjectDocumentation } from './documentation/project-documentation.tsx';
import { ProjectDocuments } from './documents/project-documents.tsx';
import { ProjectGlossary } from './glossary/project-glossary.tsx';
import { ProjectMcpContext } from './project-mcp-context.tsx';
import { ProjectMembers } from './project-members.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { ProjectQueries } from './project-queries.tsx';
import { ProjectSources } from './project-sources.tsx';
import { ProjectCode } from './repositories/project-code.tsx';

/** Page of one project: its queries, data sources and members. */
export function ProjectPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={project(id)}>{(record) => <ProjectView key={record.id} record={record} />}</Record>;
}

function ProjectView({ record }: { readonly record: Project }) {
  const rights = useRights();
  const canManage = record.right === 'Manage';
  const canWrite = record.right !== 'Read';
  return (
    <>
      <PageHeader
        title={record.name}
        parent={{ to: paths.projects(), label: 'Projects' }}
        facts={
          <>
            <AccessModeLabel mode={record.accessMode} />
            {record.isDemo && <Tag>Demo</Tag>}
            <ManagedBadge kind="Project" id={record.id} />
          </>
        }
        actions={
          <>
            <ProjectMenu record={record} canManage={canManage} canWrite={canWrite} />
            {canWrite && (
              <LinkButton to={paths.newQuery({ projectId: record.id })} variant="filled">
                New query
              </LinkButton>
            )}
          </>
        }
      />
      <Detail
        sections={sectionsOf(record, rights)}
        side={
          <Facts
            facts={[
              { label: 'Description', value: record.description ?? <span className="soft">None</span> },
              { label: 'You may', value: record.right },
              { label: 'Created', value: <Time at={record.createdTime} /> },
              { label: 'Updated', value: <Time at={record.updatedAt} /> },
            ]}
          />
        }
      />
    </>
  );
}

function sectionsOf(record: Project, rights: Rights): readonly Section[] {
  const canManage = record.right === 'Manage';
  const canWrite = record.right !== 'Read';
  const canSeeMembers = canManage || holds(rights, 'UserAdmin');
  return [
    {
      id: 'queries',
      label: 'Queries',
      count: record.queryCount,
      content: <ProjectQueries id={record.id} canWrite={canWrite} />,
    },
    {
      id: 'sources',
      label: 'Data sources',
      count: record.dataSourceCount,
      content: <ProjectSources id={record.id} canLink={canWrite} />,
    },
    {
      id: 'documents',
      label: 'Documents',
      content: <ProjectDocuments id={record.id} canManage={canManage} />,
    },
    {
      id: 'documentation',
      label: 'Documentation',
      content: <ProjectDocumentation project={record} canWrite={canWrite} />,
    },
    ...(rights.isAdmin
      ? [{ id: 'glossary', label: 'Glossary', content: <ProjectGlossary id={record.id} /> }]
      : []),
    { id: 'code', label: 'Code', content: <ProjectCode id={record.id} canWrite={canWrite} /> },
    { id: 'mcp-context', label: 'MCP context', content: <ProjectMcpContext id={record.id} /> },
    ...(canSeeMembers
      ? [{ id: 'members', label: 'Members', content: <ProjectMembers id={record.id} /> }]
      : []),
  ];
}
