import type { McpField, McpProjectValues } from '@svc/contract';
import type { Form } from '../../lib/form.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { type FormValues, numberFields } from './settings-values.ts';

type Props = {
  readonly form: Form<FormValues>;
  /** Values that apply to empty fields. Absent for the settings of all projects. */
  readonly inherited: McpProjectValues | undefined;
  readonly effective: McpProjectValues;
  /** Fields whose value is higher than its ceiling. */
  readonly clampedFields: readonly McpField[];
  readonly ceilings: Readonly<{ [field: string]: number }>;
  readonly isLocked: (field: McpField) => boolean;
};

/** Limits of calls and results. */
export function LimitSettings({ form, inherited, effective, clampedFields, ceilings, isLocked }: Props) {
  return (
    <section className="stack-tight">
      <h2>Limits</h2>
      {numberFields.map(({ name, label, unit }) => (
        <TextField
          key={name}
          form={form}
          name={name}
          label={label}
          inputMode="numeric"
          w={280}
          disabled={isLocked(name)}
          placeholder={inherited ? `${inherited[name]}${unit}, as for all projects` : ''}
          description={[
            ...(ceilings[name] === undefined ? [] : [`At most ${ceilings[name]}, by the configuration.`]),
            ...(clampedFields.includes(name) ? [`Set higher; ${effective[name]} holds.`] : []),
          ].join(' ')}
        />
      ))}
    </section>
  );
}
