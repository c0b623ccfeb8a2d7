import { Select } from '@mantine/core';
import {
  type McpProjectSettings,
  type McpSettings,
  type McpSettingsChange,
  updateMcpProjectSettings,
  updateMcpSettings,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { useForm } from '../../lib/form.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Record } from '../../ui/record/record.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { PublishedQueries } from './published-queries.tsx';
import { mcpChanges, mcpProjectSettings, mcpProjects, mcpSettings } from './requests/settings.ts';
import { SettingsForm } from './settings-form.tsx';
import { changedOverrides, changedValues, formValues, numberErrors } from './settings-values.ts';

/**
 * Settings for AI clients, for all projects and for each project. An Auditor reads them, a SecurityAdmin changes them.
 */
export function McpSettingsPage() {
  const [{ project }] = useAddress();
  const projectId = /^[1-9]\d{0,9}$/.test(project ?? '') ? Number(project) : undefined;
  return (
    <>
      <PageHeader
        title="MCP settings"
        hasHelp
        facts={
          projectId === undefined ? (
            <ManagedBadge kind="McpSettings" id={1} />
          ) : (
            <ManagedBadge kind="McpProjectSettings" id={projectId} />
          )
        }
      />
      <div className="stack" style={{ gap: 16 }}>
        <ProjectChoice projectId={projectId} />
        <Detail
          sections={[
            {
              id: 'settings',
              label: 'Settings',
              content: (
                <Record read={mcpSettings}>
                  {(all) =>
                    projectId === undefined ? (
                      <GlobalSettings all={all} />
                    ) : (
                      <Record read={mcpProjectSettings(projectId)}>
                        {(own) => <ProjectSettings key={own.projectId} all={all} own={own} />}
                      </Record>
                    )
                  }
                </Record>
              ),
            },
            {
              id: 'published',
              label: 'Published queries',
              content: <PublishedQueries projectId={projectId} />,
            },
            { id: 'history', label: 'History', content: <History projectId={projectId} /> },
          ]}
        />
      </div>
    </>
  );
}

const allProjects = 'all';

function ProjectChoice({ projectId }: { readonly projectId: number | undefined }) {
  const [, change] = useAddress();
  const list = useQuery(mcpProjects({ pageSize: '200', sort: 'name' }));
  const data = (list.data?.items ?? []).map((item) => ({
    value: String(item.projectId),
    label: item.overriddenFields.length > 0 ? `${item.name} (own settings)` : item.name,
  }));
  return (
    <Select
      label="Settings of"
      w="100%"
      maw={320}
      searchable
      data={[{ value: allProjects, label: 'All projects' }, ...data]}
      value={projectId === undefined ? allProjects : String(projectId)}
      allowDeselect={false}
      onChange={(value) => change({ project: value === null || value === allProjects ? undefined : value })}
    />
  );
}

const useCanChange = () => holds(useRights(), 'SecurityAdmin');

function GlobalSettings({ all }: { readonly all: McpSettings }) {
  const update = useChange(updateMcpSettings, { headers: () => ifUnchanged(form.version) });
  const form = useForm({
    schema: undefined,
    version: all.version,
    initial: formValues(all.values, all.effective, all.values.instruction),
    toBody: (values) => changedValues(values, all.values),
    check: numberErrors,
    send: async (body) => {
      await update.mutateAsync({ body: body as never });
      toastDone('Settings saved.');
    },
  });
  return (
    <SettingsForm
      form={form}
      tools={all.tools}
      effective={all.effective}
      lockedFields={all.lockedFields}
      clampedFields={all.clampedFields}
      ceilings={all.ceilings}
      canChange={useCanChange()}
    />
  );
}

function ProjectSettings({ all, own }: { readonly all: McpSettings; readonly own: McpProjectSettings }) {
  const update = useChange(updateMcpProjectSettings, { headers: () => ifUnchanged(form.version) });
  const form = useForm({
    schema: undefined,
    version: own.version,
    initial: formValues(own.overrides, own.effective),
    toBody: (values) => changedOverrides(values, own.overrides),
    check: numberErrors,
    send: async (body) => {
      await update.mutateAsync({ params: { projectId: own.projectId }, body: body as never });
      toastDone(`The settings of “${own.projectName}” were saved.`);
    },
  });
  return (
    <SettingsForm
      form={form}
      tools={all.tools}
      inherited={all.effective}
      effective={own.effective}
      lockedFields={own.lockedFields}
      clampedFields={own.clampedFields}
      ceilings={own.ceilings}
      canChange={useCanChange()}
    />
  );
}

const textOf = (value: unknown): string => (value === null ? 'not set' : JSON.stringify(value));

const columns: readonly Column<McpSettingsChange>[] = [
  {
    id: 'what',
    label: 'What changed',
    cell: (row) =>
      row.changes
        .map(({ field, before, after }) => `${field}: ${textOf(before)} → ${textOf(after)}`)
        .join('; '),
  },
  { id: 'where', label: 'For', width: '144px', from: 640, cell: (row) => row.projectName ?? 'All projects' },
  { id: 'who', label: 'By', width: '120px', from: 480, cell: (row) => row.changedByUserName ?? '' },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    cell: (row) => <Time at={row.changedAt} isQuiet />,
  },
];

function History({ projectId }: { readonly projectId: number | undefined }) {
  const list = useQuery(mcpChanges({ pageSize: '100', ...(projectId !== undefined && { projectId }) }));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.items.length === 0) return <p className="soft">No changes yet.</p>;
  return (
    <Table
      label="Changes of the settings"
      columns={columns}
      rows={list.data?.items}
      keyOf={(row) => row.id}
    />
  );
}
