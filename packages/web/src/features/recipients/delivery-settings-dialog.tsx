import { Button, Code, Select } from '@mantine/core';
import {
  createSigningSecret,
  getRecipientSettings,
  numberFormats,
  type Recipient,
  type RecipientSettings,
  RetryPolicy,
  removePreviousSigningSecret,
  removeSigningSecrets,
  setNumberFormat,
  setRetryPolicy,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from '../../lib/form.ts';
import { read, useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';

type Props = { readonly record: Recipient; readonly onClose: () => void };

/** Delivery settings of a recipient: signatures and retries. Both are off by default. */
export function DeliverySettingsDialog({ record, onClose }: Props) {
  const settings = useQuery(read(getRecipientSettings, { params: { id: record.id } }));
  return (
    <Dialog onClose={onClose} title={`Delivery to ${record.name}`} size={520}>
      <div className="stack">
        <ProblemNote error={settings.error} />
        {settings.data && (
          <>
            {record.notificationType === 'Webhook' && <Signing id={record.id} settings={settings.data} />}
            {/* The form resets only when the policy itself has changed. */}
            <Retries
              key={JSON.stringify(settings.data.retryPolicy)}
              id={record.id}
              settings={settings.data}
            />
            {hasRecords.has(record.notificationType) && <Numbers id={record.id} settings={settings.data} />}
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Channels whose bodies may contain records as JSON. */
const hasRecords: ReadonlySet<Recipient['notificationType']> = new Set([
  'Webhook',
  'ChatBlocks',
  'ChatCards',
]);

const signingTexts: Readonly<{ [state in RecipientSettings['signing']]: string }> = {
  Off: 'Messages are not signed.',
  On: 'Messages are signed with one secret.',
  Rotating: 'Messages carry two signatures: with the new secret and with the one before.',
  Unreadable: 'The stored secret cannot be read any more, so nothing is delivered. Make a new one.',
};

function Signing({ id, settings }: { readonly id: number; readonly settings: RecipientSettings }) {
  const create = useChange(createSigningSecret);
  const endRotation = useChange(removePreviousSigningSecret);
  const turnOff = useChange(removeSigningSecrets);
  const [secret, setSecret] = useState<string | null>(null);
  const isOff = settings.signing === 'Off';
  const params = { id };
  return (
    <section className="stack-tight" aria-label="Signature">
      <h3>Signature</h3>
      <ProblemNote error={create.error ?? endRotation.error ?? turnOff.error} />
      <p>
        {signingTexts[settings.signing]} A receiver can verify a signed message after the Standard Webhooks
        specification.
      </p>
      {secret !== null && (
        <div role="alert" className="stack">
          <span>This secret is shown once. Give it to the receiver now.</span>
          <div className="row">
            <Code className="grow">{secret}</Code>
            <CopyButton value={secret} label="Copy the secret" />
          </div>
        </div>
      )}
      <div className="row wrap">
        <Button
          loading={create.isPending}
          onClick={() =>
            void create.mutateAsync({ params }).then(
              (created) => setSecret(created.secret),
              () => undefined,
            )
          }
        >
          {isOff ? 'Sign messages' : 'New secret'}
        </Button>
        {settings.signing === 'Rotating' && (
          <Button
            loading={endRotation.isPending}
            onClick={() => void endRotation.mutateAsync({ params }).catch(() => undefined)}
          >
            Drop the earlier secret
          </Button>
        )}
        {!isOff && (
          <Button
            color="red"
            loading={turnOff.isPending}
            onClick={() =>
              void turnOff.mutateAsync({ params }).then(
                () => setSecret(null),
                () => undefined,
              )
            }
          >
            Turn off
          </Button>
        )}
      </div>
    </section>
  );
}

const numberLabels: Readonly<{ [format in RecipientSettings['numbers']]: string }> = {
  Text: 'Text: exact in every receiver',
  Number: 'Numbers with all digits',
};

/** Format of large whole numbers and decimals in records. The choice is saved immediately. */
function Numbers({ id, settings }: { readonly id: number; readonly settings: RecipientSettings }) {
  const save = useChange(setNumberFormat);
  return (
    <section className="stack-tight" aria-label="Numbers in records">
      <h3>Numbers in records</h3>
      <ProblemNote error={save.error} />
      <Select
        allowDeselect={false}
        label="Whole numbers of 64 bits and decimals"
        description="JavaScript rounds numbers beyond 2^53."
        data={numberFormats.map((value) => ({ value, label: numberLabels[value] }))}
        value={settings.numbers}
        disabled={save.isPending}
        onChange={(chosen) => {
          const numbers = numberFormats.find((format) => format === chosen);
          if (numbers === undefined) return;
          void save.mutateAsync({ params: { id }, body: { numbers } }).then(
            () => toastDone('Form of numbers saved.'),
            () => undefined,
          );
        }}
      />
    </section>
  );
}

/**
 * Converts a text to a number. Returns undefined for an empty or invalid text, which validation refuses at its field.
 */
const numberOf = (text: string): number | undefined => (/^\s*\d+\s*$/.test(text) ? Number(text) : undefined);

function Retries({ id, settings }: { readonly id: number; readonly settings: RecipientSettings }) {
  const save = useChange(setRetryPolicy);
  const form = useForm({
    schema: RetryPolicy,
    initial: {
      retriesMax: String(settings.retryPolicy.retriesMax),
      delaySeconds: String(settings.retryPolicy.delaySeconds),
    },
    toBody: ({ retriesMax, delaySeconds }) => ({
      retriesMax: numberOf(retriesMax),
      delaySeconds: numberOf(delaySeconds),
    }),
    send: async (body) => {
      await save.mutateAsync({ params: { id }, body });
      toastDone('Retries saved.');
    },
  });
  return (
    <section aria-labelledby="repetitions">
      <form className="stack-tight" onSubmit={form.submit} noValidate>
        <UnsavedGuard isDirty={form.isDirty} />
        <h3 id="repetitions">Retries</h3>
        <ProblemNote error={form.refusal} />
        <p>
          A failed delivery is not retried unless you set it here. The run stays Failed and shows when it
          recovered.
        </p>
        <TextField
          form={form}
          name="retriesMax"
          label="Maximum retries"
          description="0: none; 10 at most."
          inputMode="numeric"
        />
        <TextField
          form={form}
          name="delaySeconds"
          label="Seconds before the first retry"
          description="Each further wait doubles."
          inputMode="numeric"
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button type="submit" variant="filled" loading={form.isSending}>
            Save
          </Button>
        </div>
      </form>
    </section>
  );
}
