import { Button, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
import {
  type AdminSettings,
  AdminSettingsInput,
  type LlmConnection,
  type LlmTest,
  testLlm,
  updateAdminSettings,
} from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { type Errors, type Form, useForm } from '../../lib/form.ts';
import { duration, plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import {
  draftOf,
  inputOf,
  isKept,
  type LlmDraft,
  type LlmProvider,
  type PriceName,
  partsOf,
  providers,
  type SecretName,
  secretLabels,
} from './llm-fields.ts';

type Setting = AdminSettings['llmConnection'];
type Values = { readonly llmConnection: LlmDraft };

/** Connection to the language model. An Admin sets it, a SecurityAdmin tests it, an Auditor reads it. */
export function LlmConnectionSection({ setting }: { readonly setting: Setting }) {
  const rights = useRights();
  const mayChange = rights.isAdmin && !setting.isLocked;
  return (
    <section aria-label="Language model" className="stack-tight">
      <h2>Language model</h2>
      <p className="soft" style={{ maxWidth: 640 }}>
        The model behind AI features. It gets names of tables and columns, documents and SQL, and answers in
        text; it cannot run anything. {setting.isLocked && 'Locked by the configuration.'}
        {!setting.isLocked && !rights.isAdmin && 'Changing it needs the Admin role.'}
      </p>
      {setting.keepsContent && (
        <p className="notice">
          <Icon name="warning" />
          <span>
            Prompts and answers are kept, encrypted, for seven days (<code>Svc:LLM:KeepsContent</code>).
            Admins can read them, and each reading is audited.
          </span>
        </p>
      )}
      {!setting.isEnabled && (
        <p className="notice">
          <Icon name="warning" />
          <span>
            The operator has switched the language model off: <code>Svc:LLM:Enabled</code> is false. Nothing
            is asked, whatever is set here.
          </span>
        </p>
      )}
      {mayChange ? (
        <ConnectionForm setting={setting} />
      ) : (
        <ShownConnection setting={setting} mayTest={setting.isEnabled && holds(rights, 'SecurityAdmin')} />
      )}
    </section>
  );
}

const labelOf = (provider: LlmProvider): string =>
  providers.find(({ value }) => value === provider)?.label ?? provider;

function ShownConnection({
  setting: { value },
  mayTest,
}: {
  readonly setting: Setting;
  readonly mayTest: boolean;
}) {
  const test = useChange(testLlm);
  if (value === null)
    return (
      <Empty icon="settings" title="No language model is connected">
        AI features that need one stay off until an Admin connects it here.
      </Empty>
    );
  const none = <span className="soft">None</span>;
  return (
    <div className="stack" style={{ maxWidth: 560 }}>
      <Facts
        facts={[
          { label: 'Provider', value: labelOf(value.provider) },
          { label: 'Model', value: value.model },
          { label: 'Fast model', value: value.fastModel ?? 'The same' },
          { label: 'Prices', value: pricesInWords(value.prices) ?? none },
          { label: 'Address', value: value.endpoint ?? value.region ?? 'The provider’s own' },
          { label: 'Key', value: value.hasApiKey || value.hasAwsAccessKeyId ? 'Stored' : none },
        ]}
      />
      {mayTest && (
        <div>
          <Button loading={test.isPending} onClick={() => test.mutate({ body: {} })}>
            Test connection
          </Button>
        </div>
      )}
      <TestOutcome error={test.error} result={test.data} />
    </div>
  );
}

function ConnectionForm({ setting: { value, isSetAtRunTime, isEnabled } }: { readonly setting: Setting }) {
  const change = useChange(updateAdminSettings);
  const test = useChange(testLlm);
  const [isLeaving, setLeaving] = useState(false);
  const form = useForm({
    schema: AdminSettingsInput,
    initial: { llmConnection: draftOf(value) } as Values,
    toBody: ({ llmConnection }) => ({ llmConnection: inputOf(llmConnection) }),
    send: async (body) => {
      await change.mutateAsync({ body });
      toastDone('The language model is connected.');
    },
  });
  const { llmConnection: draft } = form.values;
  const isStored = value !== null && !form.isDirty;
  return (
    <form className="stack" onSubmit={form.submit} noValidate style={{ maxWidth: 560 }}>
      <UnsavedGuard isDirty={form.isDirty} />
      <ProblemNote error={form.refusal} />
      <ConnectionFields form={form} value={value} />
      <div className="row" style={{ flexWrap: 'wrap' }}>
        <Button type="submit" variant="filled" loading={form.isSending} disabled={!form.isDirty}>
          Save connection
        </Button>
        <Button
          loading={test.isPending}
          disabled={!isEnabled || draft.model.trim() === ''}
          onClick={() => test.mutate({ body: isStored ? {} : { llmConnection: inputOf(draft) } })}
        >
          {isStored ? 'Test connection' : 'Test before saving'}
        </Button>
        {isSetAtRunTime && (
          <Button variant="subtle" color="red" onClick={() => setLeaving(true)}>
            Disconnect
          </Button>
        )}
      </div>
      <TestOutcome error={test.error} result={test.data} />
      {isLeaving && (
        <ConfirmDialog
          title="Disconnect the language model?"
          act="Disconnect"
          onClose={() => setLeaving(false)}
          onConfirm={async () => {
            await change.mutateAsync({ body: { llmConnection: null } });
            toastDone('The language model is disconnected.');
          }}
        >
          Its stored keys are deleted. The configuration applies again, if it names a model.
        </ConfirmDialog>
      )}
    </form>
  );
}

function ConnectionFields({
  form,
  value,
}: {
  readonly form: Form<Values>;
  readonly value: LlmConnection | null;
}) {
  const { llmConnection: draft } = form.values;
  const errors: Errors = form.errorsWithin('llmConnection');
  const parts = partsOf(draft.provider);
  const set = (part: Partial<LlmDraft>) => form.set('llmConnection', { ...draft, ...part });
  const line = (name: 'endpoint' | 'region' | 'model' | 'fastModel') => ({
    value: draft[name],
    error: errors[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: event.currentTarget.value }),
  });
  return (
    <>
      <Select
        label="Provider"
        data={[...providers]}
        value={draft.provider}
        allowDeselect={false}
        onChange={(provider) => set({ provider: (provider ?? 'OpenAi') as LlmProvider, forgotten: [] })}
      />
      {parts.api && (
        <Select
          label="API"
          data={[
            { value: 'Responses', label: 'Responses' },
            { value: 'ChatCompletions', label: 'Chat completions' },
          ]}
          value={draft.api}
          allowDeselect={false}
          onChange={(api) => set({ api: api === 'ChatCompletions' ? api : 'Responses' })}
        />
      )}
      {parts.region && <TextInput {...line('region')} label="Region" placeholder="eu-central-1" />}
      <TextInput
        {...line('endpoint')}
        label={parts.isEndpointNeeded ? 'Address' : 'Address (optional)'}
        placeholder={parts.isEndpointNeeded ? 'https://llm.example.org/v1' : 'The provider’s own'}
        description="HTTPS. Hosts that are private or speak plain HTTP are named in Svc:LLM:TrustedHosts."
      />
      <TextInput {...line('model')} label="Model" description="The provider’s name for it." />
      <TextInput
        {...line('fastModel')}
        label="Fast model (optional)"
        description="For short, frequent calls. Without one, the model above is used."
      />
      <PriceFields form={form} />
      {parts.secrets.map((name) => (
        <SecretField key={name} name={name} draft={draft} value={value} error={errors[name]} onChange={set} />
      ))}
    </>
  );
}

/** Path of each price in the errors of the service. */
const placeOf: Readonly<Record<PriceName, string>> = {
  mainInput: 'prices/main/inputPerMillion',
  mainOutput: 'prices/main/outputPerMillion',
  fastInput: 'prices/fast/inputPerMillion',
  fastOutput: 'prices/fast/outputPerMillion',
};

function PriceFields({ form }: { readonly form: Form<Values> }) {
  const { llmConnection: draft } = form.values;
  const errors = form.errorsWithin('llmConnection');
  const field = (name: PriceName, label: string) => (
    <NumberInput
      style={{ flex: 1, minWidth: 200 }}
      label={label}
      value={draft.prices[name]}
      error={errors[placeOf[name]] ?? (name === 'mainInput' ? errors['prices'] : undefined)}
      allowNegative={false}
      decimalScale={6}
      hideControls
      placeholder="Not counted"
      onChange={(value) =>
        form.set('llmConnection', { ...draft, prices: { ...draft.prices, [name]: value } })
      }
    />
  );
  return (
    <>
      <div className="row wrap" style={{ alignItems: 'flex-end' }}>
        {field('mainInput', 'Price per million input tokens (optional)')}
        {field('mainOutput', 'Price per million output tokens (optional)')}
      </div>
      {draft.fastModel.trim() !== '' && (
        <div className="row wrap" style={{ alignItems: 'flex-end' }}>
          {field('fastInput', 'Fast model: per million input tokens')}
          {field('fastOutput', 'Fast model: per million output tokens')}
        </div>
      )}
    </>
  );
}

function pricesInWords(prices: LlmConnection['prices']): string | null {
  if (prices === null) return null;
  const priceText = (price: { readonly inputPerMillion: number; readonly outputPerMillion: number }) =>
    `${price.inputPerMillion} sent, ${price.outputPerMillion} answered`;
  const fast = prices.fast ? `; fast model: ${priceText(prices.fast)}` : '';
  return `${priceText(prices.main)}${fast} (a million tokens)`;
}

type SecretProps = {
  readonly name: SecretName;
  readonly draft: LlmDraft;
  readonly value: LlmConnection | null;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<LlmDraft>) => void;
};

function SecretField({ name, draft, value, error, onChange }: SecretProps) {
  const isStored = isKept(value, draft, name);
  const label = secretLabels[name];
  return (
    <div className="row" style={{ alignItems: 'flex-end' }}>
      <PasswordInput
        style={{ flex: 1 }}
        label={label}
        value={draft.secrets[name]}
        error={error}
        aria-invalid={error !== undefined}
        autoComplete="new-password"
        placeholder={isStored ? 'Stored. Leave it empty to keep it.' : 'None is stored'}
        visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}`, tabIndex: 0 }}
        onChange={(event) => onChange({ secrets: { ...draft.secrets, [name]: event.currentTarget.value } })}
      />
      {isStored && (
        <Button
          variant="subtle"
          aria-label={`Forget the stored ${label}`}
          onClick={() => onChange({ forgotten: [...draft.forgotten, name] })}
        >
          Forget
        </Button>
      )}
    </div>
  );
}

function TestOutcome({ error, result }: { readonly error: unknown; readonly result: LlmTest | undefined }) {
  if (error) return <ProblemNote error={error} />;
  if (!result) return null;
  const tokens = `${plural(result.inputTokens + result.outputTokens, 'token')}${result.isEstimated ? ' at most' : ''}`;
  return (
    <div className="panel stack-tight" style={{ padding: 12 }} role="status">
      <Status tone={result.ok ? 'green' : 'red'}>
        {result.ok ? 'The language model responds' : 'The language model does not respond'}
      </Status>
      <p>
        {result.ok
          ? `${result.model} answered in ${duration(result.latencyMs)}, with ${tokens}.`
          : (result.detail ?? result.failure)}
      </p>
    </div>
  );
}
