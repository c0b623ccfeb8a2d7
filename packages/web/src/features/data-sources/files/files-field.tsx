import { Button, Input } from '@mantine/core';
import { useRef } from 'react';
import { type Errors, within } from '../../../lib/form.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import { useAllowedFolders } from './allowed-folders.ts';
import { FileEntry } from './file-entry.tsx';
import type { FileValues } from './file-schema.ts';

type Props = {
  readonly label: string;
  readonly description?: string;
  readonly error: string | undefined;
  /** Messages by field of a file, such as `0/path`. */
  readonly errors: Errors;
  /** JSON Schema of one file. */
  readonly schema: unknown;
  readonly value: unknown;
  readonly onChange: (files: readonly FileValues[]) => void;
};

const filesOf = (value: unknown): readonly FileValues[] =>
  Array.isArray(value) ? (value as readonly FileValues[]) : [];

/** Field for the files of a data source: table name, path and settings of each file. */
export function FilesField({ label, description, error, errors, schema, value, onChange }: Props) {
  const files = filesOf(value);
  // Stable keys: an entry retains its preview after the removal of an earlier entry.
  const keys = useRef<number[]>([]);
  while (keys.current.length < files.length) keys.current.push((keys.current.at(-1) ?? -1) + 1);
  const { folders, sentence } = useAllowedFolders();
  return (
    <Input.Wrapper
      label={label}
      description={[description, sentence].filter(Boolean).join(' ')}
      error={error}
    >
      <div className="stack">
        {files.map((file, index) => (
          <FileEntry
            key={keys.current[index]}
            number={index + 1}
            schema={schema}
            file={file}
            example={`${folders[0] ?? '/data'}/orders.csv`}
            errors={within(errors, String(index))}
            onChange={(changed) => onChange(files.map((other, at) => (at === index ? changed : other)))}
            onRemove={() => {
              keys.current = keys.current.filter((_, at) => at !== index);
              onChange(files.filter((_, at) => at !== index));
            }}
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
