import { Checkbox, Input, MultiSelect } from '@mantine/core';
import { ApiKeyInput, createApiKey, type NewApiKey } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { projects } from '../../requests/projects.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

/** Creates a key and shows it once. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [key, setKey] = useState<NewApiKey | null>(null);
  return key === null ? (
    <KeyForm onClose={onClose} onKey={setKey} />
  ) : (
    <ShownOnce
      plainKey={key.plainTextKey}
      clientKeyId={key.scopes.includes('Execute') ? key.id : undefined}
      onClose={onClose}
    />
  );
}

type Values = { name: string; isExecute: boolean; projectIds: readonly string[]; expiresAt: string };
const initial: Values = { name: '', isExecute: false, projectIds: [], expiresAt: '' };

function KeyForm({
  onClose,
  onKey,
}: {
  readonly onClose: () => void;
  readonly onKey: (key: NewApiKey) => void;
}) {
  const reach = useQuery(projects({ forApiKey: true, pageSize: '200', sort: 'name' }));
  const create = useChange(createApiKey);
  const form = useForm({
    schema: ApiKeyInput,
    initial,
    toBody: (values) => ({
      name: values.name.trim(),
      scopes: values.isExecute ? ['Read', 'Execute'] : ['Read'],
      allowedProjectIds: values.projectIds.map(Number),
      expiresAt: values.expiresAt === '' ? null : values.expiresAt,
    }),
    check: (values): Readonly<{ [field: string]: string }> =>
      values.projectIds.length === 0 ? { projectIds: 'Choose at least one project.' } : {},
    send: async (body) => onKey(await create.mutateAsync({ body })),
  });
  return (
    <FormDialog title="New API key" form={form} act="Create key" onClose={onClose}>
      <TextField
        form={form}
        name="name"
        label="Name"
        description="What will use it."
        data-autofocus
        autoComplete="off"
      />
      <Scopes isExecute={form.values.isExecute} onExecute={(isOn) => form.set('isExecute', isOn)} />
      <MultiSelect
        label="Projects"
        description="The key can access only these."
        placeholder={form.values.projectIds.length === 0 ? 'Projects' : ''}
        searchable
        data={(reach.data?.items ?? []).map((project) => ({
          value: String(project.id),
          label: project.name,
        }))}
        value={[...form.values.projectIds]}
        error={form.errorOf('projectIds')}
        onChange={(ids) => form.set('projectIds', ids)}
      />
      <TextField
        form={form}
        name="expiresAt"
        type="date"
        label="Expiration date"
        description="Optional. Empty: 90 days, unless your operator chose otherwise."
        w={200}
      />
    </FormDialog>
  );
}

type ScopesProps = { readonly isExecute: boolean; readonly onExecute: (isOn: boolean) => void };

/** Scopes of the key. Read is always one of them. */
function Scopes({ isExecute, onExecute }: ScopesProps) {
  const { canWrite } = useRights();
  return (
    <Input.Wrapper label="Scopes" labelElement="div">
      <div className="stack-tight">
        <Checkbox label="Read" description="Lists and reads what is stored." checked disabled />
        <Checkbox
          label="Execute"
          description={
            canWrite
              ? 'Makes changes, runs SQL, opens MCP. Works while you may write.'
              : 'Needs the Editor role or above.'
          }
          disabled={!canWrite}
          checked={isExecute}
          onChange={(event) => onExecute(event.currentTarget.checked)}
        />
      </div>
    </Input.Wrapper>
  );
}
