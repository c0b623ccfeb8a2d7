import { Button } from '@mantine/core';
import type { McpField, McpProjectValues } from '@svc/contract';
import type { Form } from '../../lib/form.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { SelectField, TextAreaField } from '../../ui/form/fields.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { AskSettings, type Choice } from './ask-settings.tsx';
import { LimitSettings } from './limit-settings.tsx';
import { PersonalDataSettings } from './personal-data-settings.tsx';
import { type FormValues, inherits } from './settings-values.ts';
import { ToolSettings } from './tool-settings.tsx';

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

/** Settings for all projects or for one project. */
export function SettingsForm(props: Props) {
  const { form, tools, inherited, canChange } = props;
  const isOfProject = inherited !== undefined;
  const asForAll = inherited ? [{ value: inherits, label: 'As for all projects' }] : [];
  const isLocked = (field: McpField) => !canChange || props.lockedFields.includes(field);
  const choices = (yes: string, no: string) => [
    ...asForAll,
    { value: 'yes', label: yes },
    { value: 'no', label: no },
  ];
  return (
    <form className="stack" style={{ maxWidth: 720, gap: 24 }} onSubmit={form.submit} noValidate>
      <UnsavedGuard isDirty={form.isDirty} />
      <ProblemNote error={form.refusal} />
      <AccessSettings form={form} choices={choices} inherited={asForAll} isLocked={isLocked} />
      <AskSettings form={form} choices={choices} inherited={asForAll} isLocked={isLocked} />
      <LimitSettings
        form={form}
        inherited={inherited}
        effective={props.effective}
        clampedFields={props.clampedFields}
        ceilings={props.ceilings}
        isLocked={isLocked}
      />
      <ToolSettings form={form} tools={tools} isOfProject={isOfProject} canChange={canChange} />
      <PersonalDataSettings form={form} isOfProject={isOfProject} canChange={canChange} />
      <RecordSettings
        form={form}
        choices={choices}
        isLocked={isLocked}
        isAuditLocked={props.lockedFields.includes('keepsStatements')}
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

type AccessProps = {
  readonly form: Form<FormValues>;
  readonly choices: (yes: string, no: string) => Choice[];
  /** Choice of the value of all projects. Empty in the settings of all projects. */
  readonly inherited: readonly Choice[];
  readonly isLocked: (field: McpField) => boolean;
};

/** Settings of the tools and queries that AI clients can use. */
function AccessSettings({ form, choices, inherited, isLocked }: AccessProps) {
  return (
    <>
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
          ...inherited,
          { value: 'Published', label: 'Only published ones, in the version that was published' },
          { value: 'All', label: 'All of them, as they are saved now' },
        ]}
        allowDeselect={false}
        disabled={isLocked('savedQueries')}
      />
    </>
  );
}

type RecordProps = {
  readonly form: Form<FormValues>;
  readonly choices: (yes: string, no: string) => Choice[];
  readonly isLocked: (field: McpField) => boolean;
  /** True if the configuration locks the audit setting. */
  readonly isAuditLocked: boolean;
};

/** Settings of the audit log and of learning. */
function RecordSettings({ form, choices, isLocked, isAuditLocked }: RecordProps) {
  return (
    <>
      <SelectField
        form={form}
        name="keepsStatements"
        label="Audit"
        description={isAuditLocked ? 'Locked by the configuration.' : undefined}
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
    </>
  );
}
