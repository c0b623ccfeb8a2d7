import { Button, NumberInput } from '@mantine/core';
import { type AdminSettings, AdminSettingsInput, type LlmLimits, updateAdminSettings } from '@svc/contract';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { useForm } from '../../lib/form.ts';
import { count } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { Facts } from '../../ui/record/facts.tsx';

type Name = keyof LlmLimits;
type Setting = AdminSettings['llmLimits'];
/** Values in the form. Empty: no limit. */
type Draft = Readonly<Record<Name, number | string>>;

const fields: readonly { readonly name: Name; readonly label: string; readonly help?: string }[] = [
  {
    name: 'monthlyBudget',
    label: 'Monthly budget',
    help: 'In the currency of the connection’s prices. Empty: no limit.',
  },
  { name: 'monthlyTokens', label: 'Monthly tokens', help: 'Empty: no limit.' },
  { name: 'dailyTokensPerUser', label: 'Daily tokens per user' },
  { name: 'callsPerMinute', label: 'Calls per minute' },
  { name: 'tokensPerMinute', label: 'Tokens per minute' },
  { name: 'maxConcurrentCalls', label: 'Concurrent calls' },
  {
    name: 'callTimeoutSeconds',
    label: 'Call timeout, in seconds',
    help: 'A longer call is stopped and counts as spent.',
  },
  { name: 'maxPromptBytes', label: 'Prompt size, in bytes', help: 'Larger ones are not sent.' },
];
const optional: ReadonlySet<Name> = new Set(['monthlyBudget', 'monthlyTokens']);

const draftOf = (limits: LlmLimits): Draft =>
  Object.fromEntries(fields.map(({ name }) => [name, limits[name] ?? ''])) as Draft;

/** Converts a field to a number. The number field returns a text while the user types. */
const numberOf = (value: number | string) => (value === '' ? value : Number(value));

/** Returns the changed limits. An empty required number is sent unchanged, so that the service refuses it. */
const changesOf = (draft: Draft, shown: Draft): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields
      .filter(({ name }) => draft[name] !== shown[name])
      .map(({ name }) => [name, draft[name] === '' && optional.has(name) ? null : numberOf(draft[name])]),
  );

/** Limits for calls to the language model. A SecurityAdmin can change them. */
export function LlmLimitsSection({ setting }: { readonly setting: Setting }) {
  const mayChange = holds(useRights(), 'SecurityAdmin') && !setting.isLocked;
  return (
    <section aria-label="Call limits" className="stack-tight">
      <h2>Call limits</h2>
      <p className="soft" style={{ maxWidth: 640 }}>
        For calls to the language model, over all processes, from the next call on. A call is sent only if its
        upper bound still fits. Months and days are in UTC.{' '}
        {setting.isLocked && 'Locked by the configuration.'}
        {!setting.isLocked && !mayChange && 'Changing them needs SecurityAdmin.'}
      </p>
      {mayChange ? (
        <LimitsForm setting={setting} />
      ) : (
        <Facts
          facts={fields.map(({ name, label }) => {
            const value = setting.value[name];
            return { label, value: value === null ? <span className="soft">No limit</span> : count(value) };
          })}
        />
      )}
    </section>
  );
}

function LimitsForm({ setting }: { readonly setting: Setting }) {
  const change = useChange(updateAdminSettings);
  const shown = draftOf(setting.value);
  const form = useForm({
    schema: AdminSettingsInput,
    initial: { llmLimits: shown },
    toBody: ({ llmLimits }) => ({ llmLimits: changesOf(llmLimits, shown) }),
    send: async (body) => {
      await change.mutateAsync({ body });
      toastDone('Limits saved. They apply from the next call on.');
    },
  });
  const errors = form.errorsWithin('llmLimits');
  return (
    <form className="stack" onSubmit={form.submit} noValidate style={{ maxWidth: 560 }}>
      <UnsavedGuard isDirty={form.isDirty} />
      <ProblemNote error={form.refusal} />
      {fields.map(({ name, label, help }) => (
        <NumberInput
          key={name}
          label={label}
          description={help}
          value={form.values.llmLimits[name]}
          placeholder={optional.has(name) ? 'No limit' : undefined}
          error={errors[name]}
          allowNegative={false}
          allowDecimal={name === 'monthlyBudget'}
          thousandSeparator=","
          hideControls
          onChange={(value) => form.set('llmLimits', { ...form.values.llmLimits, [name]: value })}
        />
      ))}
      <div className="row wrap">
        <Button type="submit" variant="filled" loading={form.isSending} disabled={!form.isDirty}>
          Save limits
        </Button>
        {setting.isSetAtRunTime && (
          <Button
            variant="subtle"
            loading={change.isPending && !form.isSending}
            onClick={async () => {
              await change.mutateAsync({ body: { llmLimits: null } });
              toastDone('Back to the configured limits.');
            }}
          >
            Back to the configured limits
          </Button>
        )}
      </div>
    </form>
  );
}
