import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { type FilePreview as Preview, previewDataFile } from '@svc/contract';
import { useRef, useState } from 'react';
import { type Errors, refusedParts, within } from '../../../lib/form.ts';
import { useChange } from '../../../lib/server-state.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { FilePreview } from './file-preview.tsx';
import {
  atPath,
  type FileSetting,
  type FileValues,
  formatOf,
  givenTypes,
  settingsOf,
  withSetting,
  withType,
} from './file-schema.ts';

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

/** Result of the last preview, with its settings. */
type Answer = { readonly of: FileValues } & ({ readonly preview: Preview } | { readonly reason: unknown });

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const sameSettings = (one: FileValues, other: FileValues): boolean =>
  JSON.stringify({ ...one, name: '' }) === JSON.stringify({ ...other, name: '' });

/** Form of one file: table name, path, settings of its format, and a preview below. */
export function FileEntry({ number, schema, file, example, errors, onChange, onRemove }: Props) {
  const preview = useChange(previewDataFile);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(file);
  latest.current = file;
  const settings = settingsOf(schema, formatOf(schema, text(file['path'])));
  const current = answer && sameSettings(answer.of, file) ? answer : null;
  const problem = current && 'reason' in current ? current.reason : null;
  const refused = { ...within(refusedParts(problem), 'file'), ...errors };
  const fields: ReadonlySet<string> = new Set(['name', 'path', ...settings.map(([name]) => name)]);
  const others = Object.entries(errors).filter(([name]) => !fields.has(name));

  const look = (wanted: FileValues) => {
    preview
      .mutateAsync({ body: { file: wanted } })
      .then(
        (filePreview) =>
          sameSettings(latest.current, wanted) && setAnswer({ preview: filePreview, of: wanted }),
      )
      .catch((reason: unknown) => {
        if (!sameSettings(latest.current, wanted)) return;
        setAnswer({ reason, of: wanted });
        setOpen(true);
      });
  };
  const changeTo = (changed: FileValues) => {
    latest.current = changed;
    onChange(changed);
  };
  const type = (column: string, chosen: string | null) => {
    const changed = withType(file, column, chosen);
    changeTo(changed);
    look(changed);
  };
  return (
    <section className="stack-tight" aria-label={`File ${number}`}>
      <div className="row">
        <TextInput
          aria-label={`Table name of file ${number}`}
          placeholder="Table name"
          value={text(file['name'])}
          error={refused['name']}
          onChange={(event) => changeTo({ ...file, name: event.currentTarget.value })}
          w={160}
        />
        <TextInput
          aria-label={`Path of file ${number}`}
          placeholder={example}
          value={text(file['path'])}
          error={refused['path']}
          onChange={(event) => changeTo(atPath(schema, file, event.currentTarget.value))}
          className="grow"
        />
        <ActionIcon aria-label={`Remove file ${number}`} onClick={onRemove}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      {text(file['path']) !== '' && (
        <div className="row wrap">
          <Button size="compact-sm" loading={preview.isPending} onClick={() => look(file)}>
            Preview
          </Button>
          {settings.length > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide settings' : `Settings${wordsOf(file, settings)}`}
            </Button>
          )}
        </div>
      )}
      {isOpen && settings.length > 0 && (
        <div className="panel stack-tight" style={{ padding: 12 }}>
          <div className="row wrap" style={{ alignItems: 'flex-end' }}>
            {settings.map(([name, field]) => (
              <Setting
                key={name}
                field={field}
                value={file[name]}
                error={refused[name]}
                onChange={(value) => changeTo(withSetting(file, name, value))}
              />
            ))}
          </div>
          {givenTypes(file).map(({ column, type: given }) => (
            <div key={column} className="row">
              <span>
                {column} is read as {given}.
              </span>
              <Button size="compact-sm" variant="subtle" onClick={() => type(column, null)}>
                Detect the type of {column}
              </Button>
            </div>
          ))}
        </div>
      )}
      {others.map(([name, message]) => (
        <p key={name} role="alert" style={{ color: 'var(--red)' }}>
          {name}: {message}
        </p>
      ))}
      <ProblemNote error={problem} />
      {current && 'preview' in current && (
        <FilePreview
          preview={current.preview}
          schema={schema}
          file={file}
          isPending={preview.isPending}
          onType={type}
        />
      )}
    </section>
  );
}

/** Returns the number of set settings as a suffix of the label; empty without any. */
function wordsOf(file: FileValues, settings: readonly (readonly [string, FileSetting])[]): string {
  const set = settings.filter(([name]) => file[name] !== undefined).length + givenTypes(file).length;
  return set === 0 ? '' : ` (${set})`;
}

type SettingProps = {
  readonly field: FileSetting;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
};

const widthMin = 240;

/** Returns the default from the description of a setting, as a placeholder of its field. */
function defaultOf({ description = '' }: FileSetting): string {
  const [, words = ''] = /Default: (.+)\.$/.exec(description) ?? [];
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Setting({ field, value, error, onChange }: SettingProps) {
  const shared = {
    label: field.title,
    error,
    placeholder: defaultOf(field),
    style: { flex: `1 1 ${widthMin}px` },
    ...(field.description !== undefined && { description: field.description }),
  };
  if (field.kind === 'text')
    return (
      <TextInput
        {...shared}
        spellCheck={false}
        value={text(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  if (field.kind === 'switch')
    return (
      <Select
        {...shared}
        clearable
        data={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        onChange={(chosen) => onChange(chosen === null ? undefined : chosen === 'true')}
      />
    );
  return (
    <Select {...shared} clearable data={[...field.options]} value={text(value) || null} onChange={onChange} />
  );
}
