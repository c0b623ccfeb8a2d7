import { Checkbox } from '@mantine/core';
import type { Form } from '../../lib/form.ts';
import { TextAreaField } from '../../ui/form/fields.tsx';
import type { FormValues } from './settings-values.ts';

type Props = {
  readonly form: Form<FormValues>;
  /** False for the settings of all projects. */
  readonly isOfProject: boolean;
  readonly canChange: boolean;
};

/** Patterns of personal data that are masked in addition to the built-in ones. */
export function PersonalDataSettings({ form, isOfProject, canChange }: Props) {
  const { hasOwnPatterns } = form.values;
  return (
    <section className="stack-tight">
      <h2>Personal data</h2>
      {isOfProject && (
        <Checkbox
          label="This project has its own patterns"
          checked={hasOwnPatterns}
          disabled={!canChange}
          onChange={(event) => form.set('hasOwnPatterns', event.currentTarget.checked)}
        />
      )}
      <TextAreaField
        form={form}
        name="piiPatterns"
        label="More patterns that are masked"
        description="One per line. Masking is always on; these add to what is detected automatically."
        disabled={!canChange || (isOfProject && !hasOwnPatterns)}
        classNames={{ input: 'mono' }}
      />
    </section>
  );
}
