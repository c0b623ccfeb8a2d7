import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { type FilePreview as Preview, previewDataFile } from '@svc/contract';
import { useState } from 'react';
import { type Errors, refusedParts, within } from '../../../lib/form.ts';
import { useChange } from '../../../lib/server-state.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { FilePreview } from './file-preview.tsx';
import { type FileSetting, type FileValues, formatOf, settingsOf, withSetting, withType } from './file-schema.ts';

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

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One file: the name of its table, its path, the settings of its format, and a preview under them. */
export function FileEntry({ number, schema, file, example, errors, onChange, onRemove }: Props) {
  const preview = useChange(previewDataFile);
  const [shown, setShown] = useState<Preview | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isOpen, setOpen] = useState(false);
  const settings = settingsOf(schema, formatOf(schema, text(file['path'])));
  const isSet = settings.some(([name]) => file[name] !== undefined) || file['types'] !== undefined;
  const refused = { ...within(refusedParts(refusal), 'file'), ...errors };
  const look = (changed: FileValues) => {
    setRefusal(null);
    preview
      .mutateAsync({ body: { file: changed } })
      .then(setShown)
      .catch((reason: unknown) => {
        setShown(null);
        setRefusal(reason);
        setOpen(true);
      });
  };
  const set = (name: string, value: unknown) => onChange(withSetting(file, name, value));
  return (
    <section className="stack-tight" aria-label={`File ${number}`}>
      <div className="row">
        <TextInput
          aria-label={`Table name of file ${number}`}
          placeholder="Table name"
          value={text(file['name'])}
          error={refused['name']}
          onChange={(event) => onChange({ ...file, name: event.currentTarget.value })}
          w={160}
        />
        <TextInput
          aria-label={`Path of file ${number}`}
          placeholder={example}
          value={text(file['path'])}
          error={refused['path']}
          onChange={(event) => onChange({ ...file, path: event.currentTarget.value })}
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
              aria-expanded={isOpen || isSet}
              onClick={() => setOpen(!isOpen)}
            >
              How it is read
            </Button>
          )}
        </div>
      )}
      {(isOpen || isSet) && settings.length > 0 && (
        <div className="panel row wrap" style={{ padding: 12, alignItems: 'flex-start' }}>
          {settings.map(([name, field]) => (
            <Setting
              key={name}
              field={field}
              value={file[name]}
              error={refused[name]}
              onChange={(value) => set(name, value)}
            />
          ))}
        </div>
      )}
      <ProblemNote error={refusal} />
      {shown && (
        <FilePreview
          preview={shown}
          schema={schema}
          file={file}
          onType={(column, type) => {
            const changed = withType(file, column, type);
            onChange(changed);
            look(changed);
          }}
        />
      )}
    </section>
  );
}

type SettingProps = {
  readonly field: FileSetting;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
};

const detected = 'Detected';
const width = 200;

function Setting({ field, value, error, onChange }: SettingProps) {
  const shared = { label: field.title, w: width, error };
  if (field.kind === 'text')
    return (
      <TextInput
        {...shared}
        placeholder={detected}
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
        placeholder={detected}
        data={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        onChange={(chosen) => onChange(chosen === null ? undefined : chosen === 'true')}
      />
    );
  return (
    <Select
      {...shared}
      clearable
      placeholder={detected}
      data={[...field.options]}
      value={text(value) || null}
      onChange={onChange}
    />
  );
}
