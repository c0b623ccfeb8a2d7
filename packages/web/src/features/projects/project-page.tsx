import { ActionIcon, Menu } from '@mantine/core';
import { archiveProject, type Project, setProjectAccessMode } from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { project } from '../../requests/projects.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { AccessModeLabel } from './access-mode.tsx';
import { ProjectDocuments } from './documents/project-documents.tsx';
import { EditProjectDialog } from './edit-project-dialog.tsx';
import { ProjectCode } from './project-code.tsx';
import { ProjectDocumentation } from './project-documentation.tsx';
import { ProjectGlossary } from './project-glossary.tsx';
import { ProjectMcpContext } from './project-mcp-context.tsx';
import { ProjectMembers } from './project-members.tsx';
import { ProjectQueries } from './project-queries.tsx';
import { ProjectSources } from './project-sources.tsx';

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
  const canSeeMembers = canManage || holds(rights, 'UserAdmin');
  const sections = [
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
        sections={sections}
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

type MenuProps = { readonly record: Project; readonly canManage: boolean; readonly canWrite: boolean };

function ProjectMenu({ record, canManage, canWrite }: MenuProps) {
  const rights = useRights();
  const go = useGo();
  const [open, setOpen] = useState<'edit' | 'mode' | 'archive' | null>(null);
  const setMode = useChange(setProjectAccessMode);
  const archive = useChange(archiveProject, { touches: ['queries', 'subscriptions'] });
  const canSetMode = record.accessMode === 'Open' ? holds(rights, 'UserAdmin') : rights.isAdmin;
  const close = () => setOpen(null);
  if (!canWrite && !canSetMode) return null;
  const other = record.accessMode === 'Open' ? 'Restricted' : 'Open';
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canWrite && (
            <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
              Rename or describe
            </Menu.Item>
          )}
          {canSetMode && (
            <Menu.Item
              leftSection={<Icon name={other === 'Open' ? 'open' : 'lock'} />}
              onClick={() => setOpen('mode')}
            >
              {other === 'Open' ? 'Open to everybody with a role' : 'Restrict to members'}
            </Menu.Item>
          )}
          {canManage && (
            <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('archive')}>
              Archive
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditProjectDialog record={record} onClose={close} />}
      {open === 'mode' && (
        <ConfirmDialog
          title={other === 'Open' ? 'Open this project?' : 'Restrict this project?'}
          act={other === 'Open' ? 'Open project' : 'Restrict project'}
          isDangerous={false}
          onConfirm={() => setMode.mutateAsync({ params: { id: record.id }, body: { accessMode: other } })}
          onClose={close}
        >
          {other === 'Open'
            ? 'Everybody with a role will read it, and Editors will change it.'
            : 'Only its members and Admins will see it. Keys and subscriptions of others stop reaching it.'}
        </ConfirmDialog>
      )}
      {open === 'archive' && (
        <ConfirmDialog
          title={`Archive “${record.name}”?`}
          act="Archive project"
          onConfirm={async () => {
            await archive.mutateAsync({ params: { id: record.id } });
            toastDone(`The project “${record.name}” was archived.`);
            go(paths.projects());
          }}
          onClose={close}
        >
          Its queries and subscriptions are archived with it, and send nothing any more.
        </ConfirmDialog>
      )}
    </>
  );
}
