import { NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { type Errors, within } from '../../../lib/form.ts';
import { FilesField } from '../files/files-field.tsx';
import { PathField } from '../files/path-field.tsx';
import { type ConnectionValues, type FieldSchema, fieldsOf } from './connection-fields.ts';
import { DocumentField } from './document-field.tsx';
import { EndpointsField } from './endpoints-field.tsx';

type Props = {
  /** JSON Schema of the engine's connection. */
  readonly schema: unknown;
  readonly secretFields: readonly string[];
  readonly values: ConnectionValues;
  readonly onChange: (values: ConnectionValues) => void;
  readonly errors: Errors;
};

/** Settings of a connection, as its engine describes them. */
export function ConnectionForm({ schema, secretFields, values, onChange, errors }: Props) {
  const set = (name: string, value: unknown) => onChange({ ...values, [name]: value });
  return fieldsOf(schema).map(([name, field]) => (
    <ConnectionField
      key={name}
      field={field}
      isSecret={secretFields.includes(name)}
      value={values[name]}
      document={documentOf(schema, values)}
      error={errors[name]}
      errors={within(errors, name)}
      onChange={(value) => set(name, value)}
    />
  ));
}

/** Returns the text of the document field of the form, such as an OpenAPI document. */
function documentOf(schema: unknown, values: ConnectionValues): string {
  const [name] = fieldsOf(schema).find(([, { kind }]) => kind === 'document') ?? [];
  const text = name === undefined ? undefined : values[name];
  return typeof text === 'string' ? text : '';
}

type FieldProps = {
  readonly field: FieldSchema;
  readonly isSecret: boolean;
  readonly value: unknown;
  readonly document: string;
  readonly error: string | undefined;
  /** Error messages, by the place inside the value. */
  readonly errors: Errors;
  readonly onChange: (value: unknown) => void;
};

/** Field of one setting. The kind of the setting selects the control. */
function ConnectionField({ field, isSecret, value, document, error, errors, onChange }: FieldProps) {
  const text = value === undefined || value === null ? '' : String(value);
  if (field.kind === 'switch') {
    return (
      <Switch
        label={field.title}
        {...(field.description !== undefined && { description: field.description })}
        error={error}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  const shared = {
    label: field.isRequired ? field.title : `${field.title} (optional)`,
    ...(field.description !== undefined && { description: field.description }),
    error,
  };
  if (field.kind === 'files')
    return <FilesField {...shared} schema={field.items} errors={errors} value={value} onChange={onChange} />;
  if (field.kind === 'path')
    return <PathField {...shared} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
  if (field.kind === 'document') return <DocumentField {...shared} value={text} onChange={onChange} />;
  if (field.kind === 'endpoints')
    return <EndpointsField {...shared} document={document} value={value} onChange={onChange} />;
  if (field.kind === 'choice') {
    return (
      <Select {...shared} data={[...field.options]} value={text} onChange={(choice) => onChange(choice)} />
    );
  }
  if (field.kind === 'number') {
    return (
      <NumberInput
        {...shared}
        hideControls
        allowDecimal={false}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      />
    );
  }
  return (
    <SettingText
      kind={isSecret ? 'secret' : field.kind}
      title={field.title}
      shared={shared}
      text={text}
      onChange={onChange}
    />
  );
}

type TextProps = {
  readonly kind: 'secret' | FieldSchema['kind'];
  readonly title: string;
  readonly shared: {
    readonly label: string;
    readonly description?: string;
    readonly error: string | undefined;
  };
  readonly text: string;
  readonly onChange: (value: unknown) => void;
};

/** Field of a setting that is text: a secret, several lines, or one line. */
function SettingText({ kind, title, shared, text, onChange }: TextProps) {
  if (kind === 'secret') {
    return (
      <PasswordInput
        {...shared}
        aria-invalid={shared.error !== undefined}
        autoComplete="new-password"
        value={text}
        visibilityToggleButtonProps={{ 'aria-label': `Show: ${title}`, tabIndex: 0 }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'long') {
    return (
      <Textarea
        {...shared}
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        onChange={(event) =>
          onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
        }
      />
    );
  }
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
