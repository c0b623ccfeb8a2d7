import { type NotificationType, notificationTypes, type Recipient } from '@svc/contract';
import type { Form } from '../../lib/form.ts';
import { words } from '../../lib/format.ts';
import { SelectField, TextAreaField, TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { HeadersField } from './headers-field.tsx';
import { WaitingNote } from './recipient-state.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { type RecipientValues, useRecipientForm } from './use-recipient-form.ts';

type Props = { readonly record: Recipient | null; readonly onClose: () => void };

const destinationHelp: Readonly<{ [type in NotificationType]: { label: string; description: string } }> = {
  Email: { label: 'Email address', description: 'A bare address, without a name.' },
  ChatBlocks: { label: 'Webhook address', description: 'The incoming webhook of the chat channel.' },
  ChatCards: { label: 'Webhook address', description: 'The workflow webhook of the chat channel.' },
  IssueTracker: {
    label: 'Project',
    description: 'Four parts with semicolons: site;project key;account email;API token.',
  },
  Webhook: { label: 'Webhook address', description: 'An https address that takes a JSON POST.' },
};

/** Creates or changes a recipient. The stored destination is never shown in full. */
export function RecipientDialog({ record, onClose }: Props) {
  const form = useRecipientForm(record, onClose);
  const type = (form.values.notificationType || 'Email') as NotificationType;
  const help = destinationHelp[type];
  return (
    <FormDialog
      title={record ? `Edit ${record.name}` : 'New recipient'}
      form={form}
      act={record ? 'Save' : 'Add recipient'}
      onClose={onClose}
    >
      {record && <WaitingNote record={record} />}
      {record && (
        <div className="row">
          <ManagedBadge kind="Recipient" id={record.id} />
        </div>
      )}
      <SelectField
        form={form}
        name="notificationType"
        label="Channel"
        data={notificationTypes.map((each) => ({ value: each, label: words(each) }))}
        data-autofocus
      />
      <TextField form={form} name="name" label="Name" description="As people pick it for a subscription." />
      <TextField
        form={form}
        name="destination"
        label={help.label}
        description={
          record ? `${help.description} Left as it is shown, the stored one stays.` : help.description
        }
        spellCheck={false}
        autoComplete="off"
      />
      <TextAreaField form={form} name="description" label="Description (optional)" />
      {type === 'Webhook' && <WebhookFields form={form} />}
    </FormDialog>
  );
}

/** Headers and body template, which only webhooks have. */
function WebhookFields({ form }: { readonly form: Form<RecipientValues> }) {
  return (
    <>
      <HeadersField
        headers={form.values.customHeaders}
        error={form.errorOf('customHeaders')}
        onChange={(headers) => form.set('customHeaders', headers)}
      />
      <TextAreaField
        form={form}
        name="bodyTemplate"
        label="Body template (optional)"
        description="Replaces the usual body. Placeholders such as {{SubscriptionName}}, {{TotalRecords}}, {{Records}}; quote the ones that are text."
        styles={{ input: { fontFamily: 'var(--font-mono)' } }}
        spellCheck={false}
      />
      <TemplatePreview notificationType="Webhook" bodyTemplate={form.values.bodyTemplate} />
    </>
  );
}
