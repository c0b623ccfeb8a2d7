import { Button, Checkbox, Input } from '@mantine/core';
import { type McpField, type McpProjectValues, mcpLimits } from '@svc/contract';
import type { Form } from '../../lib/form.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/form/fields.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { type FormValues, inherits, numberFields } from './settings-values.ts';

type Props = {
  readonly form: Form<FormValues>;
  readonly tools: readonly { readonly name: string; readonly title: string }[];
  /** Values that apply to empty fields. Absent for the settings of all projects. */
  readonly inherited?: McpProjectValues | undefined;
  readonly effective: McpProjectValues;
  readonly lockedFields: readonly McpField[];
  readonly clampedFields: readonly McpField[];
  readonly ceilings: Readonly<{ [field: string]: number }>;
  readonly canChange: boolean;
};

const locked = 'Locked by the configuration.';
const asForAll = 'As for all projects';

/** Settings for all projects or for one project. */
export function SettingsForm(props: Props) {
  const { form, tools, inherited, effective, ceilings, canChange } = props;
  const isLocked = (field: McpField) => !canChange || props.lockedFields.includes(field);
  const choices = (yes: string, no: string) => [
    ...(inherited ? [{ value: inherits, label: asForAll }] : []),
    { value: 'yes', label: yes },
    { value: 'no', label: no },
  ];
  return (
    <form className="stack" style={{ maxWidth: 720, gap: 24 }} onSubmit={form.submit} noValidate>
      <UnsavedGuard isDirty={form.isDirty} />
      <ProblemNote error={form.refusal} />
      <SelectField
        form={form}
        name="isEnabled"
        label="AI clients"
        data={choices('May call tools', 'May not call any')}
        allowDeselect={false}
        disabled={isLocked('isEnabled')}
      />
      <SelectField
        form={form}
        name="savedQueries"
        label="Saved queries"
        description="A published query is also a tool of its own, whichever is chosen."
        data={[
          ...(inherited ? [{ value: inherits, label: asForAll }] : []),
          { value: 'Published', label: 'Only published ones, in the version that was published' },
          { value: 'All', label: 'All of them, as they are saved now' },
        ]}
        allowDeselect={false}
        disabled={isLocked('savedQueries')}
      />
      <AskSettings
        form={form}
        choices={choices}
        inherited={inherited ? [{ value: inherits, label: asForAll }] : []}
        isLocked={isLocked}
      />
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
              ...(props.clampedFields.includes(name) ? [`Set higher; ${effective[name]} holds.`] : []),
            ].join(' ')}
          />
        ))}
      </section>
      <section className="stack-tight">
        <h2>Tools</h2>
        {inherited && (
          <Checkbox
            label="This project has its own choice of tools"
            checked={form.values.hasOwnTools}
            disabled={!canChange}
            onChange={(event) => form.set('hasOwnTools', event.currentTarget.checked)}
          />
        )}
        <Input.Wrapper label="Tools that are on" labelElement="div">
          <div className="stack-tight">
            {tools.map(({ name, title }) => (
              <Checkbox
                key={name}
                label={title}
                description={name}
                checked={!form.values.disabledTools.includes(name)}
                disabled={!canChange || (inherited !== undefined && !form.values.hasOwnTools)}
                onChange={(event) =>
                  form.set(
                    'disabledTools',
                    event.currentTarget.checked
                      ? form.values.disabledTools.filter((other) => other !== name)
                      : [...form.values.disabledTools, name].sort(),
                  )
                }
              />
            ))}
          </div>
        </Input.Wrapper>
      </section>
      <section className="stack-tight">
        <h2>Personal data</h2>
        {inherited && (
          <Checkbox
            label="This project has its own patterns"
            checked={form.values.hasOwnPatterns}
            disabled={!canChange}
            onChange={(event) => form.set('hasOwnPatterns', event.currentTarget.checked)}
          />
        )}
        <TextAreaField
          form={form}
          name="piiPatterns"
          label="More patterns that are masked"
          description="One per line. Masking is always on; these add to what is detected automatically."
          disabled={!canChange || (inherited !== undefined && !form.values.hasOwnPatterns)}
          classNames={{ input: 'mono' }}
        />
      </section>
      <SelectField
        form={form}
        name="keepsStatements"
        label="Audit"
        description={props.lockedFields.includes('keepsStatements') ? locked : undefined}
        data={choices('Keeps statements and arguments', 'Keeps that there was a call, not its text')}
        allowDeselect={false}
        disabled={isLocked('keepsStatements')}
      />
      <SelectField
        form={form}
        name="learns"
        label="Learning"
        description="What is learned waits on the page MCP learning until somebody who writes in the project approves it."
        data={choices('Learns from statements', 'Learns nothing')}
        allowDeselect={false}
        disabled={isLocked('learns')}
      />
      {!inherited && (
        <TextAreaField
          form={form}
          name="instruction"
          label="Instructions for every client (optional)"
          description="Added to the built-in instructions."
          disabled={!canChange}
        />
      )}
      {canChange && (
        <div>
          <Button type="submit" variant="filled" loading={form.isSending} disabled={!form.isDirty}>
            Save settings
          </Button>
        </div>
      )}
    </form>
  );
}

type Choice = { readonly value: string; readonly label: string };

/** Settings of questions in plain language. */
function AskSettings({
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
