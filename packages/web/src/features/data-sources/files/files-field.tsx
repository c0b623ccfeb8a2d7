import { Button, Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Errors } from '../../../lib/form.ts';
import { within } from '../../../lib/form.ts';
import { dataFiles } from '../../../requests/data-files.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import { FileEntry } from './file-entry.tsx';
import type { FileValues } from './file-schema.ts';

type Props = {
  readonly label: string;
  readonly description?: string;
  readonly error: string | undefined;
  /** Messages of parts of the files, such as `0/path`. */
  readonly errors: Errors;
  /** JSON Schema of one file. */
  readonly schema: unknown;
  readonly value: unknown;
  readonly onChange: (files: readonly FileValues[]) => void;
};

const filesOf = (value: unknown): readonly FileValues[] =>
  Array.isArray(value) ? (value as readonly FileValues[]) : [];

/** Files that are read as tables: the name of each table, where its file lies, and how it is read. */
export function FilesField({ label, description, error, errors, schema, value, onChange }: Props) {
  const files = filesOf(value);
  const { data: known } = useQuery(dataFiles);
  const folders = known?.folders ?? [];
  return (
    <Input.Wrapper
      label={label}
      description={[description, allowedFolders(folders)].filter(Boolean).join(' ')}
      error={error}
    >
      <div className="stack">
        {files.map((file, index) => (
          <FileEntry
            // biome-ignore lint/suspicious/noArrayIndexKey: a file has no other identity while it is being named
            key={index}
            number={index + 1}
            schema={schema}
            file={file}
            example={`${folders[0] ?? '/data'}/orders.csv`}
            errors={within(errors, String(index))}
            onChange={(changed) => onChange(files.map((other, at) => (at === index ? changed : other)))}
            onRemove={() => onChange(files.filter((_, at) => at !== index))}
          />
        ))}
        <div>
          <Button
            leftSection={<Icon name="plus" />}
            onClick={() => onChange([...files, { name: '', path: '' }])}
          >
            Add a file
          </Button>
        </div>
      </div>
    </Input.Wrapper>
  );
}

const allowedFolders = (folders: readonly string[]): string | undefined =>
  folders.length === 0
    ? undefined
    : `Files lie in ${folders.join(' or ')}${folders.length === 1 ? ' or in a folder below it.' : ', or in a folder below one of them.'}`;
