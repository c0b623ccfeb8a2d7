import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Errors, refusedParts, within } from '../../../lib/form.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { FilePreview } from './file-preview.tsx';
import {
  atPath,
  type FileSetting,
  type FileValues,
  fileText,
  formatOf,
  givenTypes,
  settingsOf,
  withSetting,
  withType,
} from './file-schema.ts';
import { FileSettings } from './file-settings.tsx';
import { useFilePreview } from './use-file-preview.ts';

type Props = {
  readonly number: number;
  /** JSON Schema of a file. */
  readonly schema: unknown;
  readonly file: FileValues;
  readonly example: string;
  readonly errors: Errors;
  readonly onChange: (file: FileValues) => void;
  readonly onRemove: () => void;
};

/** Form of one file: table name, path, settings of its format, and a preview below. */
export function FileEntry({ number, schema, file, example, errors, onChange, onRemove }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { preview, problem, isPending, noteChange, load } = useFilePreview(file, () => setOpen(true));
  const path = fileText(file['path']);
  const settings = settingsOf(schema, formatOf(schema, path));
  const allErrors = { ...within(refusedParts(problem), 'file'), ...errors };
  const fields: ReadonlySet<string> = new Set(['name', 'path', ...settings.map(([name]) => name)]);
  const others = Object.entries(errors).filter(([name]) => !fields.has(name));

  const changeTo = (changed: FileValues) => {
    noteChange(changed);
    onChange(changed);
  };
  const setType = (column: string, type: string | null) => {
    const changed = withType(file, column, type);
    changeTo(changed);
    load(changed);
  };
  return (
    <section className="stack-tight" aria-label={`File ${number}`}>
      <PlaceFields
        number={number}
        file={file}
        example={example}
        errors={allErrors}
        onName={(name) => changeTo({ ...file, name })}
        onPath={(newPath) => changeTo(atPath(schema, file, newPath))}
        onRemove={onRemove}
      />
      {path !== '' && (
        <div className="row wrap">
          <Button size="compact-sm" loading={isPending} onClick={() => load(file)}>
            Preview
          </Button>
          {settings.length > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide settings' : `Settings${countSuffix(file, settings)}`}
            </Button>
          )}
        </div>
      )}
      {isOpen && settings.length > 0 && (
        <FileSettings
          settings={settings}
          file={file}
          errors={allErrors}
          onSetting={(name, value) => changeTo(withSetting(file, name, value))}
          onDetect={(column) => setType(column, null)}
        />
      )}
      {others.map(([name, message]) => (
        <p key={name} role="alert" style={{ color: 'var(--red)' }}>
          {name}: {message}
        </p>
      ))}
      <ProblemNote error={problem} />
      {preview && (
        <FilePreview preview={preview} schema={schema} file={file} isPending={isPending} onType={setType} />
      )}
    </section>
  );
}

type PlaceProps = Pick<Props, 'number' | 'file' | 'example' | 'errors' | 'onRemove'> & {
  readonly onName: (name: string) => void;
  readonly onPath: (path: string) => void;
};

/** Table name and path of a file, and the button that removes it. */
function PlaceFields({ number, file, example, errors, onName, onPath, onRemove }: PlaceProps) {
  return (
    <div className="row">
      <TextInput
        aria-label={`Table name of file ${number}`}
        placeholder="Table name"
        value={fileText(file['name'])}
        error={errors['name']}
        onChange={(event) => onName(event.currentTarget.value)}
        w={160}
      />
      <TextInput
        aria-label={`Path of file ${number}`}
        placeholder={example}
        value={fileText(file['path'])}
        error={errors['path']}
        onChange={(event) => onPath(event.currentTarget.value)}
        className="grow"
      />
      <ActionIcon aria-label={`Remove file ${number}`} onClick={onRemove}>
        <Icon name="close" />
      </ActionIcon>
    </div>
  );
}

/** Returns the number of set settings as a suffix of the label; empty without any. */
function countSuffix(file: FileValues, settings: readonly (readonly [string, FileSetting])[]): string {
  const set = settings.filter(([name]) => file[name] !== undefined).length + givenTypes(file).length;
  return set === 0 ? '' : ` (${set})`;
}
