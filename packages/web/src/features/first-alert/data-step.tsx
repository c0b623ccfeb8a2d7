import { Radio, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { linkedSources } from '../../requests/projects.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Step } from '../../ui/frame/flow-steps.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { useData } from './answers.ts';
import type { Origin } from './choices.ts';
import { FileChoice } from './file-choice.tsx';

/** Step for the source of the rows: a file of the allowed folder, an uploaded file, or a connection. */
export function DataStep({ data }: { readonly data: ReturnType<typeof useData> }) {
  const { writable: projects, projectId, setProject, origin: value, setOrigin: onChange } = data;
  const canConnect = holds(useRights(), 'DataSourceAdmin');
  return (
    <Step title="Which data?">
      {projects.length > 1 && (
        <Select
          label="Project"
          data={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={projectId === null ? null : String(projectId)}
          onChange={(id) => setProject(id === null ? null : Number(id))}
          allowDeselect={false}
        />
      )}
      {canConnect && (
        <Radio.Group
          aria-label="Kind of data"
          value={value.kind}
          onChange={(kind) =>
            onChange(kind === 'file' ? { kind, file: null } : { kind: 'source', dataSourceId: null })
          }
        >
          <div className="row wrap" style={{ gap: 16 }}>
            <Radio value="file" label="A file" />
            <Radio value="source" label="A connected database" />
          </div>
        </Radio.Group>
      )}
      {value.kind === 'file' ? (
        <FileChoice value={value} onChange={onChange} />
      ) : (
        <Sources projectId={projectId} value={value} onChange={onChange} />
      )}
    </Step>
  );
}

type SourcesProps = {
  readonly projectId: number | null;
  readonly value: Origin & { readonly kind: 'source' };
  readonly onChange: (origin: Origin) => void;
};

function Sources({ projectId, value, onChange }: SourcesProps) {
  const canConnect = holds(useRights(), 'DataSourceAdmin');
  const sources = useQuery({
    ...linkedSources(projectId ?? 0, { pageSize: '200' }),
    enabled: projectId !== null,
  });
  const items = projectId === null ? [] : sources.data?.items;
  return (
    <div className="stack-tight">
      <ProblemNote error={sources.error} />
      {items !== undefined && items.length > 0 && (
        <Select
          label="Data source"
          placeholder="Choose one"
          searchable
          data={items.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={value.dataSourceId === null ? null : String(value.dataSourceId)}
          onChange={(id) => onChange({ kind: 'source', dataSourceId: id === null ? null : Number(id) })}
        />
      )}
      {items?.length === 0 && (
        <p className="soft">
          No database is connected for this project yet.
          {!canConnect && ' Somebody with the permission DataSourceAdmin connects it.'}
        </p>
      )}
      {canConnect && (
        <div>
          <LinkButton to={paths.dataSources({ new: 'yes', next: 'first-alert' })}>
            Connect a database
          </LinkButton>
        </div>
      )}
    </div>
  );
}
