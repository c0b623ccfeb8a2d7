import {
  PasswordInput,
  Select,
  type SelectProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { Form } from '../../lib/form.ts';

type NamesOf<Values, Kind> = {
  [K in keyof Values & string]: Values[K] extends Kind ? K : never;
}[keyof Values & string];

type Bound<Values, Kind> = { readonly form: Form<Values>; readonly name: NamesOf<Values, Kind> };

type Rest<Props> = Omit<Props, 'form' | 'name' | 'value' | 'error' | 'onChange'>;

const text = <Values,>(form: Form<Values>, name: keyof Values): string => String(form.values[name] ?? '');

/** Text field of a form. */
export function TextField<Values>({ form, name, ...rest }: Bound<Values, string> & Rest<TextInputProps>) {
  return (
    <TextInput
      {...rest}
      name={name}
      value={text(form, name)}
      error={form.errorOf(name)}
      onChange={(event) => form.set(name, event.currentTarget.value as Values[typeof name])}
    />
  );
}

/** Password field of a form. Its value can be shown. */
export function PasswordField<Values>({
  form,
  name,
  label,
  ...rest
}: Bound<Values, string> & {
  readonly label: string;
  readonly description?: string;
  readonly autoComplete: string;
}) {
  return (
    <PasswordInput
      {...rest}
      label={label}
      name={name}
      value={text(form, name)}
      error={form.errorOf(name)}
      aria-invalid={form.errorOf(name) !== undefined}
      onChange={(event) => form.set(name, event.currentTarget.value as Values[typeof name])}
      visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}`, tabIndex: 0 }}
    />
  );
}

/** Text area of a form. */
export function TextAreaField<Values>({ form, name, ...rest }: Bound<Values, string> & Rest<TextareaProps>) {
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={12}
      {...rest}
      name={name}
      value={text(form, name)}
      error={form.errorOf(name)}
      onChange={(event) => form.set(name, event.currentTarget.value as Values[typeof name])}
    />
  );
}

/** Choice field of a form. */
export function SelectField<Values>({ form, name, ...rest }: Bound<Values, string> & Rest<SelectProps>) {
  return (
    <Select
      {...rest}
      name={name}
      value={text(form, name) === '' ? null : text(form, name)}
      error={form.errorOf(name)}
      onChange={(value) => form.set(name, (value ?? '') as Values[typeof name])}
    />
  );
}
