import { Button, Select } from '@mantine/core';
import { type NotificationType, notificationTypes } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { holds } from '../../../access/rights.ts';
import { useRights } from '../../../access/use-rights.ts';
import { words } from '../../../lib/format.ts';
import { recipients } from '../../../requests/recipients.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { TextField } from '../../../ui/form/fields.tsx';
import { Step } from '../../../ui/frame/flow-steps.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { RecipientPicker } from '../../../views/recipients/recipient-picker.tsx';
import type { StepProps } from './choices.ts';
import { TaskFields } from './fields/message-fields.tsx';
import { channelOf, type NewRecipient } from './new-recipient.ts';
import classes from './wizard.module.css';

/** Step for the recipients: existing ones, or a new one. */
export function RecipientsStep({
  choices,
  change,
  newRecipient,
}: StepProps & { readonly newRecipient: NewRecipient }) {
  const any = useQuery(recipients({ pageSize: '1', sort: 'name' }));
  const canAdd = holds(useRights(), 'SecurityAdmin');
  const isEmpty = any.data?.totalCount === 0;
  return (
    <Step title="Who should get it?">
      <ProblemNote error={any.error} />
      {isEmpty && !canAdd && (
        <p className="soft">
          There is no recipient yet. Somebody with the permission SecurityAdmin adds them under Recipients.
        </p>
      )}
      {/* Also before the answer: the fields below must not move when it arrives. */}
      {!isEmpty && (
        <RecipientPicker value={choices.recipients} onChange={(picked) => change({ recipients: picked })} />
      )}
      {canAdd && (isEmpty || newRecipient.isOpen) && <Fields newRecipient={newRecipient} />}
      {canAdd && !isEmpty && !newRecipient.isOpen && (
        <div>
          <Button leftSection={<Icon name="plus" />} onClick={newRecipient.open}>
            New recipient
          </Button>
        </div>
      )}
      <TaskFields choices={choices} change={change} />
    </Step>
  );
}

function Fields({ newRecipient: { form } }: { readonly newRecipient: NewRecipient }) {
  return (
    <fieldset className={classes['added']}>
      <legend>A new recipient</legend>
      <ProblemNote error={form.refusal} />
      <TextField
        form={form}
        name="destination"
        label="Destination"
        description="An https address that takes a JSON POST, or an email address."
        spellCheck={false}
        autoComplete="off"
      />
      <TextField form={form} name="name" label="Name" description="As people pick it for a subscription." />
      <Select
        label="Channel"
        description="Detected from the destination, unless you choose."
        data={notificationTypes.map((type) => ({ value: type, label: words(type) }))}
        value={channelOf(form.values)}
        error={form.errorOf('notificationType')}
        onChange={(type) => form.set('notificationType', (type ?? '') as NotificationType | '')}
        allowDeselect={false}
        w={200}
      />
    </fieldset>
  );
}
