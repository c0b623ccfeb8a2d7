import { Button, Radio } from '@mantine/core';
import type { DataFile } from '@svc/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { size } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { dataFiles, sendFile } from '../../requests/data-files.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { FilePicker } from '../../ui/form/file-picker.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import type { Origin } from './choices.ts';
import classes from './first-alert.module.css';

type Props = {
  readonly value: Origin & { readonly kind: 'file' };
  readonly onChange: (origin: Origin) => void;
};

/** Choice of a file of the allowed folder, with an upload if the installation allows it. */
export function FileChoice({ value, onChange }: Props) {
  const files = useQuery(dataFiles);
  const items = files.data?.items;
  const bytesMax = files.data?.uploadBytesMax ?? 0;
  const choose = (file: DataFile | null) => onChange({ kind: 'file', file });
  const upload = useUpload(bytesMax, choose);
  return (
    <div className="stack-tight">
      <ProblemNote error={upload.error ?? files.error} />
      {items !== undefined && items.length > 0 && (
        <FileList items={items} path={value.file?.path ?? ''} onChoose={choose} />
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
      {bytesMax > 0 && <Upload upload={upload} bytesMax={bytesMax} />}
    </div>
  );
}

type ListProps = {
  readonly items: readonly DataFile[];
  /** Path of the selected file. */
  readonly path: string;
  readonly onChoose: (file: DataFile | null) => void;
};

function FileList({ items, path, onChoose }: ListProps) {
  return (
    <Radio.Group
      aria-label="File"
      value={path}
      onChange={(selected) => onChoose(items.find((item) => item.path === selected) ?? null)}
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
  );
}

/** Upload of a file into the allowed folder. A file that is too large is not sent. */
function useUpload(bytesMax: number, onSent: (file: DataFile) => void) {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [tooLarge, setTooLarge] = useState<File | null>(null);
  const [isSending, setSending] = useState(false);
  const send = (file: File | null) => {
    if (file === null) return;
    setError(null);
    const isTooLarge = file.size > bytesMax;
    setTooLarge(isTooLarge ? file : null);
    if (isTooLarge) return;
    setSending(true);
    void sendFile(file)
      .then(async (sent) => {
        onSent(sent);
        await client.invalidateQueries({ queryKey: dataFiles.queryKey });
      })
      .catch(setError)
      .finally(() => setSending(false));
  };
  return { send, error, tooLarge, isSending };
}

type UploadProps = { readonly upload: ReturnType<typeof useUpload>; readonly bytesMax: number };

function Upload({ upload: { send, tooLarge, isSending }, bytesMax }: UploadProps) {
  return (
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
  );
}
