import { Button } from '@mantine/core';
import { UpdateUserSettingsBody, type UserSettings, updateUserSettings } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/form/fields.tsx';

/** Changes the user's own display name and email address. */
export function NamesForm({ record }: { readonly record: UserSettings }) {
  const change = useChange(updateUserSettings, { touches: ['sign-in'] });
  const form = useForm({
    schema: UpdateUserSettingsBody,
    initial: { displayName: record.displayName ?? '', email: record.email ?? '' },
    toBody: ({ displayName, email }) => ({
      displayName: displayName.trim() || null,
      email: email.trim() || null,
    }),
    send: async (body) => {
      await change.mutateAsync({ body });
      form.reset({ displayName: body.displayName ?? '', email: body.email ?? '' });
      toastDone('Your settings were saved.');
    },
  });
  return (
    <form className="stack" onSubmit={form.submit} noValidate style={{ maxWidth: 360 }}>
      <h2>Name and email</h2>
      <ProblemNote error={form.refusal} />
      <TextField form={form} name="displayName" label="Display name (optional)" autoComplete="name" />
      <TextField
        form={form}
        name="email"
        label="Email (optional)"
        description="Where your notices go."
        type="email"
        autoComplete="email"
      />
      <div>
        <Button type="submit" disabled={!form.isDirty} loading={form.isSending}>
          Save
        </Button>
      </div>
    </form>
  );
}
