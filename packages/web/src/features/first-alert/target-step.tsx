import { Radio, Select, TextInput } from '@mantine/core';
import { words } from '../../lib/format.ts';
import { Step } from '../../ui/frame/flow-steps.tsx';
import type { useTarget } from './answers.ts';
import type { Target } from './choices.ts';

type Props = {
  readonly to: ReturnType<typeof useTarget>;
  /** Error of the service about a new destination. */
  readonly error: string | undefined;
};

const blank: Readonly<{ [kind in Target['kind']]: Target }> = {
  inbox: { kind: 'inbox' },
  recipient: { kind: 'recipient', recipientId: null },
  new: { kind: 'new', destination: '' },
};

/** Step for the recipient: the inbox of the host, an existing recipient, or a new one. */
export function TargetStep({ to, error }: Props) {
  const { hasInbox, canAdd, recipients, target: value, setTarget: onChange } = to;
  const isNobody = !hasInbox && !canAdd && recipients.length === 0;
  return (
    <Step title="Where should it go?">
      {isNobody && (
        <p className="soft">
          There is no recipient yet. Somebody with the permission SecurityAdmin adds one under Recipients.
        </p>
      )}
      <Radio.Group
        aria-label="Recipient"
        value={value.kind}
        onChange={(kind) => onChange(blank[kind as Target['kind']])}
      >
        <div className="stack-tight" style={{ gap: 12 }}>
          {hasInbox && (
            <Radio
              value="inbox"
              label="The inbox of this host"
              description="A webhook on the machine that Svc runs on. It shows what arrives."
            />
          )}
          {recipients.length > 0 && <Radio value="recipient" label="A recipient that is here already" />}
          {canAdd && <Radio value="new" label="A new webhook or email address" />}
        </div>
      </Radio.Group>
      {value.kind === 'recipient' && (
        <Select
          label="Recipient"
          placeholder="Choose one"
          searchable
          data={recipients.map(({ id, name, notificationType }) => ({
            value: String(id),
            label: `${name} (${words(notificationType)})`,
          }))}
          value={value.recipientId === null ? null : String(value.recipientId)}
          onChange={(id) => onChange({ kind: 'recipient', recipientId: id === null ? null : Number(id) })}
        />
      )}
      {value.kind === 'new' && (
        <TextInput
          label="Destination"
          description="An https address that takes a JSON POST, or an email address."
          autoComplete="off"
          spellCheck={false}
          value={value.destination}
          error={error}
          onChange={(event) => onChange({ kind: 'new', destination: event.currentTarget.value })}
        />
      )}
    </Step>
  );
}
