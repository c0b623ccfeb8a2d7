import { Button, Radio, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { size } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { dataFiles, sendFile } from '../../requests/data-files.ts';
import { linkedSources } from '../../requests/projects.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { FilePicker } from '../../ui/form/file-picker.tsx';
import { Step } from '../../ui/frame/flow-steps.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import type { useData } from './answers.ts';
import type { Origin } from './choices.ts';
import classes from './first-alert.module.css';

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
        <Files value={value} onChange={onChange} />
      ) : (
        <Sources projectId={projectId} value={value} onChange={onChange} />
      )}
    </Step>
  );
}

type FilesProps = {
  readonly value: Origin & { readonly kind: 'file' };
  readonly onChange: (origin: Origin) => void;
};

function Files({ value, onChange }: FilesProps) {
  const client = useQueryClient();
  const files = useQuery(dataFiles);
  const [error, setError] = useState<unknown>(null);
  /** Selected file that is too large for an upload. */
  const [tooLarge, setTooLarge] = useState<File | null>(null);
  const [isSending, setSending] = useState(false);
  const items = files.data?.items;
  const bytesMax = files.data?.uploadBytesMax ?? 0;
  const choose = (path: string) =>
    onChange({ kind: 'file', file: items?.find((item) => item.path === path) ?? null });
  const send = (file: File | null) => {
    if (file === null) return;
    setError(null);
    const isTooLarge = file.size > bytesMax;
    setTooLarge(isTooLarge ? file : null);
    if (isTooLarge) return;
    setSending(true);
    void sendFile(file)
      .then(async (sent) => {
        onChange({ kind: 'file', file: sent });
        await client.invalidateQueries({ queryKey: dataFiles.queryKey });
      })
      .catch(setError)
      .finally(() => setSending(false));
  };
  return (
    <div className="stack-tight">
      <ProblemNote error={error ?? files.error} />
      {items !== undefined && items.length > 0 && (
        <Radio.Group
          aria-label="File"
          value={value.file?.path ?? ''}
          onChange={choose}
          className={classes['files'] ?? ''}
        >
          {items.map((item) => (
            <div key={item.path} className={classes['file']}>
              <Radio value={item.path} label={item.name} className="grow" />
              <span className="mono soft">{size(item.sizeBytes)}</span>
              <Time at={item.modifiedAt} isQuiet />
            </div>
          ))}
        </Radio.Group>
      )}
      {items?.length === 0 && (
        <p className="soft">There is no file yet. Upload one: CSV, Parquet, JSON, XLSX, SQLite or DuckDB.</p>
      )}
      {value.file?.path.endsWith('.duckdb') && (
        <p className="soft">
          A DuckDB file with several tables needs the name of one.{' '}
          <Link to={paths.dataSources({ new: 'yes' })}>Connect it as a data source</Link> to choose it.
        </p>
      )}
      {files.data?.isCut && <p className="soft">Only the newest files are listed.</p>}
      {bytesMax > 0 && (
        <div className="row wrap">
          <FilePicker
            onPick={send}
            accept=".csv,.tsv,.parquet,.json,.jsonl,.ndjson,.xlsx,.duckdb,.sqlite,.sqlite3,.db"
          >
            {(props) => (
              <Button {...props} leftSection={<Icon name="plus" />} loading={isSending}>
                Upload a file
              </Button>
            )}
          </FilePicker>
          {tooLarge ? (
            <span role="alert" style={{ color: 'var(--red)' }}>
              {tooLarge.name} has {size(tooLarge.size)}. Upload at most {size(bytesMax)}.
            </span>
          ) : (
            <span className="soft">Up to {size(bytesMax)}.</span>
          )}
        </div>
      )}
    </div>
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
