import { Button, Select, TextInput } from '@mantine/core';
import type { Errors } from '../../../lib/form.ts';
import { type FileSetting, type FileValues, fileText, givenTypes } from './file-schema.ts';

type Props = {
  readonly settings: readonly (readonly [string, FileSetting])[];
  readonly file: FileValues;
  readonly errors: Errors;
  readonly onSetting: (name: string, value: unknown) => void;
  /** Called with the name of a column whose type is detected again. */
  readonly onDetect: (column: string) => void;
};

/** Settings of the format of a file, and the types that the user has set for its columns. */
export function FileSettings({ settings, file, errors, onSetting, onDetect }: Props) {
  return (
    <div className="panel stack-tight" style={{ padding: 12 }}>
      <div className="row wrap" style={{ alignItems: 'flex-end' }}>
        {settings.map(([name, field]) => (
          <Setting
            key={name}
            field={field}
            value={file[name]}
            error={errors[name]}
            onChange={(value) => onSetting(name, value)}
          />
        ))}
      </div>
      {givenTypes(file).map(({ column, type }) => (
        <div key={column} className="row">
          <span>
            {column} is read as {type}.
          </span>
          <Button size="compact-sm" variant="subtle" onClick={() => onDetect(column)}>
            Detect the type of {column}
          </Button>
        </div>
      ))}
    </div>
  );
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
  const [, text = ''] = /Default: (.+)\.$/.exec(description) ?? [];
  return text.charAt(0).toUpperCase() + text.slice(1);
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
        value={fileText(value)}
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
        onChange={(choice) => onChange(choice === null ? undefined : choice === 'true')}
      />
    );
  return (
    <Select
      {...shared}
      clearable
      data={[...field.options]}
      value={fileText(value) || null}
      onChange={onChange}
    />
  );
}
