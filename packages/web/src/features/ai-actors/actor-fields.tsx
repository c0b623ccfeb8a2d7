import { NumberInput, Switch } from '@mantine/core';
import { aiActorMax } from '@svc/contract';
import type { ReactNode } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { TextAreaField, TextField } from '../../ui/form/fields.tsx';
import { RecipientPicker } from '../../views/recipients/recipient-picker.tsx';
import type { ActorForm } from './actor-form.ts';

type Props = { readonly form: ActorForm };

/** Fields of an AI actor: instructions, schedule, default recipients and limits. */
export function ActorFields({ form }: Props) {
  return (
    <>
      <TextField form={form} name="name" label="Name" maxLength={aiActorMax.name} />
      <TextAreaField
        form={form}
        name="instructions"
        label="What should it watch?"
        description="It reads this together with the schema. It sees no rows."
        placeholder="Watch that every order has a customer and a price, and that none is older than a week unpaid."
        autosize
        minRows={3}
        maxRows={12}
        maxLength={aiActorMax.instructions}
      />
      <TextAreaField
        form={form}
        name="additionalContext"
        label="What should it know? (optional)"
        description="For example, what columns mean. Sent to the language model."
        autosize
        minRows={2}
        maxRows={12}
        maxLength={aiActorMax.additionalContext}
      />
      <Part title="When does it think?">
        <Schedule form={form} />
      </Part>
      <Part title="Who should get its results?">
        <RecipientPicker
          value={form.values.defaultRecipientIds}
          onChange={(picked) => form.set('defaultRecipientIds', picked)}
        />
        <p className="soft">
          {form.errorOf('defaultRecipientIds') ??
            'It can use no other recipients. Without one, its subscriptions open tasks.'}
        </p>
      </Part>
      <Part title="What are its limits?">
        <Limits form={form} />
      </Part>
    </>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className="stack-tight" style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
    <legend style={{ padding: 0, marginBottom: 8 }}>
      <strong>{title}</strong>
    </legend>
    {children}
  </fieldset>
);

const Schedule = ({ form }: Props) => (
  <>
    <div className="row wrap" style={{ alignItems: 'flex-start' }}>
      <TextField
        form={form}
        name="thinkSchedule"
        style={{ flex: '1 1 200px' }}
        label="Cron expression (optional)"
        description="Without one, it thinks only when asked."
        placeholder="0 6 * * 1"
      />
      <TextField
        form={form}
        name="timeZone"
        style={{ flex: '1 1 200px' }}
        label="Time zone (optional)"
        description="Also used for the subscriptions that it proposes."
        placeholder="Europe/Zagreb"
      />
    </div>
    <Switch
      label="Also after runs of its own subscriptions, at most once an hour"
      checked={form.values.isThinkingAfterRuns}
      onChange={(event) => form.set('isThinkingAfterRuns', event.currentTarget.checked)}
    />
  </>
);

function Limits({ form }: Props) {
  const { isAdmin } = useRights();
  return (
    <>
      <div className="row wrap" style={{ alignItems: 'flex-start' }}>
        <Limit form={form} name="maxQueries" label="Queries" max={aiActorMax.queries} />
        <Limit
          form={form}
          name="maxSubscriptionsPerQuery"
          label="Subscriptions per query"
          max={aiActorMax.subscriptionsPerQuery}
        />
        <Limit
          form={form}
          name="maxActionsPerPlan"
          label="Actions per plan"
          max={aiActorMax.actionsPerPlan}
        />
        <Limit form={form} name="monthlyTokens" label="Tokens per month" max={aiActorMax.monthlyTokens} />
      </div>
      <Switch
        label="New and changed queries need approval"
        description={
          isAdmin
            ? 'Off: it saves its own queries at once. Subscriptions and contracts need approval either way.'
            : 'An Admin can turn this off.'
        }
        disabled={!isAdmin}
        checked={form.values.requiresApproval}
        onChange={(event) => form.set('requiresApproval', event.currentTarget.checked)}
      />
    </>
  );
}

type LimitName = 'maxQueries' | 'maxSubscriptionsPerQuery' | 'maxActionsPerPlan' | 'monthlyTokens';

const Limit = ({
  form,
  name,
  label,
  max,
}: Props & { readonly name: LimitName; readonly label: string; readonly max: number }) => (
  <NumberInput
    style={{ flex: '1 1 136px' }}
    label={label}
    min={1}
    max={max}
    allowDecimal={false}
    thousandSeparator=" "
    value={form.values[name]}
    error={form.errorOf(name)}
    onChange={(value) => form.set(name, Number(value))}
  />
);
