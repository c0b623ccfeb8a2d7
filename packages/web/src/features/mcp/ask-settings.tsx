import { type McpField, mcpLimits } from '@svc/contract';
import type { Form } from '../../lib/form.ts';
import { SelectField } from '../../ui/form/fields.tsx';
import type { FormValues } from './settings-values.ts';

export type Choice = { readonly value: string; readonly label: string };

/** Settings of questions in plain language. */
export function AskSettings({
  form,
  choices,
  inherited,
  isLocked,
}: {
  readonly form: Form<FormValues>;
  readonly choices: (yes: string, no: string) => Choice[];
  readonly inherited: readonly Choice[];
  readonly isLocked: (field: McpField) => boolean;
}) {
  const { max } = mcpLimits.candidates;
  const counts = Array.from({ length: max }, (_, at) => ({
    value: String(at + 1),
    label: at === 0 ? 'One statement' : `${at + 1} statements`,
  }));
  return (
    <section className="stack-tight">
      <h2>Questions</h2>
      <SelectField
        form={form}
        name="isAskEnabled"
        label="Questions in plain language"
        data={choices('Are answered', 'Are not taken')}
        allowDeselect={false}
        disabled={isLocked('isAskEnabled')}
      />
      <SelectField
        form={form}
        name="answersOnlyChecked"
        label="Who writes the statements"
        data={choices('People alone: golden examples', 'People, else the language model')}
        allowDeselect={false}
        disabled={isLocked('answersOnlyChecked')}
      />
      <SelectField
        form={form}
        name="candidates"
        label="Written for one question"
        description="Of several statements the one answers whose rows most of them give. Each costs its tokens."
        data={[...inherited, ...counts]}
        allowDeselect={false}
        disabled={isLocked('candidates')}
      />
      <SelectField
        form={form}
        name="rowsToModel"
        label="Rows to the language model"
        description="To have the rows of an answer explained in words, the model has to see them."
        data={[
          ...inherited,
          { value: 'Never', label: 'Never' },
          { value: 'Masked', label: 'Masked, when somebody wants an answer explained' },
        ]}
        allowDeselect={false}
        disabled={isLocked('rowsToModel')}
      />
    </section>
  );
}
