import { ActionIcon, Menu } from '@mantine/core';
import type { QueryMcpTool } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { issueTexts } from '../../views/published-queries/issue-texts.ts';
import { PublishDialog } from '../../views/published-queries/publish-dialog.tsx';
import { TakeBackDialog } from '../../views/published-queries/take-back-dialog.tsx';
import { usePinNewest } from '../../views/published-queries/use-pin-newest.ts';
import { publishedQueries } from './requests/settings.ts';

const shownMax = '200';

/** Queries that are published as tools for AI clients, with their version and state. */
export function PublishedQueries({ projectId }: { readonly projectId: number | undefined }) {
  const rights = useRights();
  const list = useQuery(
    publishedQueries({ pageSize: shownMax, ...(projectId !== undefined && { projectId }) }),
  );
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0)
    return (
      <Empty icon="query" title="No published queries">
        A query is published on its own page, under AI clients: they run exactly the version that is
        published.
      </Empty>
    );
  return (
    <Table
      label="Published queries"
      columns={rights.canRead ? columns : columnsWithoutLinks}
      rows={list.data?.items}
      keyOf={(row) => row.queryId}
      {...(holds(rights, 'SecurityAdmin') && { actions: (row: QueryMcpTool) => <Acts tool={row} /> })}
    />
  );
}

const columnsOf = (hasLinks: boolean): readonly Column<QueryMcpTool>[] => [
  {
    id: 'tool',
    label: 'Tool',
    cell: (row) => (
      <>
        <span className="mono">{row.toolName}</span>
        <div className="soft">
          {hasLinks ? (
            <Link to={paths.query(row.queryId, { tab: 'ai-clients' })}>{row.queryName}</Link>
          ) : (
            row.queryName
          )}
        </div>
      </>
    ),
  },
  { id: 'project', label: 'Project', width: '160px', from: 640, cell: (row) => row.projectName },
  {
    id: 'version',
    label: 'Version',
    width: '176px',
    cell: (row) => (
      <>
        <span className="mono">{row.versionNumber}</span>
        {!row.isNewest && <div className="soft">{`Version ${row.newestVersionNumber} is newer`}</div>}
      </>
    ),
  },
  {
    id: 'state',
    label: 'Clients',
    width: '168px',
    from: 480,
    cell: (row) => {
      const [issue] = row.issues;
      return issue === undefined ? (
        <Status tone="green">Find it</Status>
      ) : (
        <span title={row.issues.map((one) => issueTexts[one]).join(' ')}>
          <Status tone={issue === 'BeyondOffered' ? 'amber' : 'red'}>{shortTexts[issue]}</Status>
        </span>
      );
    },
  },
  {
    id: 'published',
    label: 'Published',
    width: '160px',
    align: 'right',
    from: 800,
    cell: (row) =>
      row.publishedAt === null ? null : (
        <>
          <Time at={row.publishedAt} isQuiet />
          <div className="soft">{row.publishedByUserName ?? 'the service'}</div>
        </>
      ),
  },
];
const columns = columnsOf(true);
const columnsWithoutLinks = columnsOf(false);

const shortTexts: Readonly<Record<QueryMcpTool['issues'][number], string>> = {
  McpOff: 'MCP is off there',
  ToolOff: 'Switched off',
  SourceNotLinked: 'Source not linked',
  CheckFailed: 'Does not run',
  BeyondOffered: 'By search alone',
};

function Acts({ tool }: { readonly tool: QueryMcpTool }) {
  const [open, setOpen] = useState<'change' | 'back' | null>(null);
  const { pin } = usePinNewest(tool);
  const close = () => setOpen(null);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${tool.toolName}`} size={28}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {pin && (
            <Menu.Item leftSection={<Icon name="check" />} onClick={pin}>
              {`Publish version ${tool.newestVersionNumber}`}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('change')}>
            Change
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('back')}>
            Unpublish
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'change' && <PublishDialog tool={tool} onClose={close} />}
      {open === 'back' && <TakeBackDialog tool={tool} onClose={close} />}
    </>
  );
}
